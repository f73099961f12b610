// Buffers are allocated, filled, and put between guards.
#include "Buffer.h"
#include <algorithm>

namespace clrewrite::device {

static constexpr size_t MarginBytes = 4096;
// As far as a small buffer of a verification's grows; an interpreter takes long
// for each byte.
static size_t wideBytes(const Device &D) {
  return size_t(1) << (D.Interprets ? 16 : 22);
}

bool hasFences(const Device &D, Guard G) {
  return (G == Guard::Start || G == Guard::End) && D.isCpu();
}

Status Buffer::allocate(const Argument &A, Guard G) {
  cl_context C = Where->TheContext.get();
  cl_int Code = CL_SUCCESS;
  if (hasFences(*Where, G)) {
    size_t Align = A.Align ? A.Align : Where->baseAlign();
    Fenced.reset();
    if (auto M = FencedMemory::create(Bytes, Align,
                                      G == Guard::Start ? FenceSide::Start
                                                        : FenceSide::End))
      Fenced.emplace(std::move(*M));
    if (!Fenced)
      return tooLarge("no host memory left for a guarded buffer of " +
                      std::to_string(Bytes) + " bytes");
    Part = Memory(clCreateBuffer(C, flagsOf(A.Access) | CL_MEM_USE_HOST_PTR,
                                 Bytes, Fenced->data(), &Code));
    return Code == CL_SUCCESS ? Status() : clProblem("clCreateBuffer", Code);
  }
  if (G == Guard::Off) {
    Part = Memory(clCreateBuffer(C, flagsOf(A.Access), Bytes, nullptr, &Code));
    return Code == CL_SUCCESS ? Status() : clProblem("clCreateBuffer", Code);
  }
  Margin = std::max(MarginBytes, Where->baseAlign());
  for (size_t Each : {wideBytes(*Where), size_t(0)}) {
    Wide = Each;
    Whole = Memory(clCreateBuffer(C, CL_MEM_READ_WRITE, wideBehind() + Wide,
                                  nullptr, &Code));
    if (Code == CL_SUCCESS)
      break;
  }
  if (Code != CL_SUCCESS)
    return clProblem("clCreateBuffer", Code);
  cl_buffer_region Region = {Wide + Margin, Bytes};
  Part =
      Memory(clCreateSubBuffer(Whole.get(), flagsOf(A.Access),
                               CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code));
  return Code == CL_SUCCESS ? Status() : clProblem("clCreateSubBuffer", Code);
}

Result<std::unique_ptr<MemoryObject>>
Buffer::create(Device &D, const Argument &A, Guard G) {
  auto B = std::make_unique<Buffer>();
  B->Where = &D;
  B->Bytes = A.Bytes;
  B->Type = A.Contents.Type;
  B->Initial = HostMemory(A.Bytes);
  if (!B->Initial.data())
    return tooLarge("no host memory left for " + std::to_string(A.Bytes) +
                    " bytes");
  fillBytes(A.Contents, A.Seed, B->Initial.data(), A.Bytes);
  if (Status S = B->allocate(A, G))
    return *S;
  return std::unique_ptr<MemoryObject>(std::move(B));
}

Result<Memory> Buffer::part(size_t Offset) const {
  cl_int Code = CL_SUCCESS;
  // Between fences the device works in the host's memory, where any address
  // will do.
  if (Fenced) {
    Memory There(clCreateBuffer(
        Where->TheContext.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
        Bytes - Offset, Fenced->data() + Offset, &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateBuffer", Code);
    return There;
  }
  // A sub-buffer has none of its own.
  cl_buffer_region Region = {(Whole ? Wide + Margin : 0) + Offset,
                             Bytes - Offset};
  Memory There(clCreateSubBuffer((Whole ? Whole : Part).get(), 0,
                                 CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code));
  if (Code == CL_MISALIGNED_SUB_BUFFER_OFFSET)
    return refused("UNSUPPORTED",
                   "here a part of a buffer begins at a multiple of " +
                       std::to_string(Where->baseAlign()) + " bytes, not at " +
                       std::to_string(Offset));
  if (Code != CL_SUCCESS)
    return clProblem("clCreateSubBuffer", Code);
  return There;
}

static Status write(Device &D, cl_mem To, size_t At, size_t Size,
                    const uint8_t *From) {
  cl_int Code = clEnqueueWriteBuffer(D.TheQueue.get(), To, CL_TRUE, At, Size,
                                     From, 0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status()
                            : clProblem("clEnqueueWriteBuffer", Code);
}

uint64_t Buffer::wideWord() const {
  // Numbers that don't vanish in a sum, and integers that lead nowhere far and
  // that kernels seldom write.
  uint64_t Value = Type.Class == ScalarType::Float
                       ? componentBits(Type, 1 + Runs / 64.0)
                       : 41 + 2 * uint64_t(Runs);
  for (size_t Size = Type.Size; Size < sizeof Value; Size *= 2) {
    Value &= (uint64_t(1) << 8 * Size) - 1;
    Value |= Value << 8 * Size;
  }
  return Value;
}

Status Buffer::fillWide() const {
  const uint64_t Word = wideWord();
  for (size_t At : {size_t(0), wideBehind()}) {
    cl_int Code =
        clEnqueueFillBuffer(Where->TheQueue.get(), Whole.get(), &Word,
                            sizeof Word, At, Wide, 0, nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return clProblem("clEnqueueFillBuffer", Code);
  }
  return std::nullopt;
}

Status Buffer::renewGuards() {
  if (Fenced)
    Fenced->arm();
  if (Margin) {
    ++Runs;
    if (Wide)
      if (Status S = fillWide())
        return S;
    std::vector<uint8_t> Pattern(Margin);
    fillCanary(Pattern.data(), Margin, firstCanary());
    for (size_t At : {Wide, Wide + Margin + Bytes})
      if (Status S = write(*Where, Whole.get(), At, Margin, Pattern.data()))
        return S;
  }
  return std::nullopt;
}

Status Buffer::reset() {
  if (Status S = renewGuards())
    return S;
  return write(*Where, Part.get(), 0, Bytes, Initial.data());
}

Status Buffer::restore() {
  cl_int Code = CL_SUCCESS;
  if (!Pristine) {
    Pristine = Memory(clCreateBuffer(Where->TheContext.get(), CL_MEM_READ_ONLY,
                                     Bytes, nullptr, &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateBuffer", Code);
    if (Status S = write(*Where, Pristine.get(), 0, Bytes, Initial.data()))
      return S;
  }
  Code = clEnqueueCopyBuffer(Where->TheQueue.get(), Pristine.get(), Part.get(),
                             0, 0, Bytes, 0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status() : clProblem("clEnqueueCopyBuffer", Code);
}

Status Buffer::read(uint8_t *Into) const {
  cl_int Code = clEnqueueReadBuffer(Where->TheQueue.get(), Part.get(), CL_TRUE,
                                    0, Bytes, Into, 0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status() : clProblem("clEnqueueReadBuffer", Code);
}

/// A work-item looks at one word on each side, and the first and the last that
/// were written are kept.
static constexpr char StraysSource[] = R"(
kernel void strays(global const ulong *all, uint behind, ulong word,
                   global volatile int *seen) {
  int i = (int)get_global_id(0);
  for (int side = 0; side < 2; ++side)
    if (all[(side ? behind : 0) + (uint)i] != word) {
      atomic_min(seen + 2 * side, i);
      atomic_max(seen + 2 * side + 1, i);
    }
}
)";

/// Adds the writes beyond the margins, where the device can tell them: to read
/// so many bytes here takes as long as all else of a small launch.
void Buffer::addFarWrites(Programs &Cache, std::vector<Trespass> &To) const {
  if (!Wide || Where->Interprets)
    return;
  constexpr cl_int None[] = {INT32_MAX, -1};
  cl_int Seen[] = {None[0], None[1], None[0], None[1]};
  const cl_mem All = Whole.get();
  const cl_ulong Word = wideWord();
  const auto Behind = cl_uint(wideBehind() / sizeof Word);
  if (!ask(*Where, Cache, StraysSource, "strays",
           {{sizeof All, &All}, {sizeof Behind, &Behind}, {sizeof Word, &Word}},
           /*WorkItems=*/Wide / sizeof Word, Seen, sizeof Seen))
    return;
  for (bool After : {false, true}) {
    const cl_int First = Seen[2 * After], Last = Seen[2 * After + 1];
    const int64_t Begin =
        int64_t(After ? wideBehind() : 0) - int64_t(Wide + Margin);
    if (Last >= 0)
      To.push_back(
          {Begin + 8 * int64_t(First), Begin + 8 * int64_t(Last) + 7, "write"});
  }
}

Result<std::vector<Trespass>> Buffer::trespasses(Programs &Cache) const {
  std::vector<Trespass> Found;
  if (Fenced)
    return Fenced->trespasses();
  if (!Margin)
    return Found;
  std::vector<uint8_t> Seen(Margin);
  for (bool After : {false, true}) {
    cl_int Code =
        clEnqueueReadBuffer(Where->TheQueue.get(), Whole.get(), CL_TRUE,
                            Wide + (After ? Margin + Bytes : 0), Margin,
                            Seen.data(), 0, nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return clProblem("clEnqueueReadBuffer", Code);
    if (auto At = brokenCanary(Seen.data(), Margin, firstCanary())) {
      int64_t Offset =
          After ? int64_t(Bytes + *At) : int64_t(*At) - int64_t(Margin);
      Found.push_back({Offset, Offset, "write"});
    }
  }
  addFarWrites(Cache, Found);
  return Found;
}

} // namespace clrewrite::device
