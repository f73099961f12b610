// Copies, timed in turns and checked.
//
// `run` could do this, but it keeps up to nine copies of what it compares: too
// much for buffers that have to be larger than any cache. Here are two buffers
// on the device and the contents on the host. The target is overwritten before
// each timed launch, and read after the last of each way, so that a driver that
// skips work is found out.
#include "CopyJob.h"
#include "Events.h"
#include "Fill.h"
#include "HostMemory.h"
#include <chrono>
#include <cstring>

namespace clrewrite::device {
namespace {

/// A kernel with the arguments (source, target); without one it is
/// clEnqueueCopyBuffer.
struct Way {
  std::string Source, Options, KernelName;
  std::vector<size_t> Global, Local;
  Kernel TheKernel;
  std::vector<uint64_t> Samples;
  bool Same = false;
};

class Copier {
  Device &D;
  size_t Bytes;
  std::vector<Way> Ways;
  HostMemory Contents;
  Memory From, To;

public:
  Copier(Device &D, size_t Bytes, std::vector<Way> Ways)
      : D(D), Bytes(Bytes), Ways(std::move(Ways)), Contents(Bytes) {}
  Status allocate();
  Status build(Programs &Cache);
  /// The round that begins after \p Seconds is the last, and counts.
  Result<Json> measure(unsigned Warmup, unsigned Repeat, uint64_t Seconds);

private:
  Status spoil();
  Status launch(Way &W, uint64_t &Time);
  Status check(Way &W);
};

Status Copier::allocate() {
  if (!Contents.data())
    return tooLarge("no host memory left for " + std::to_string(Bytes) +
                    " bytes");
  fillBytes(Fill(), /*Seed=*/0, Contents.data(), Bytes);
  cl_int Code = CL_SUCCESS;
  for (Memory *M : {&From, &To}) {
    *M = Memory(clCreateBuffer(D.TheContext.get(), CL_MEM_READ_WRITE, Bytes,
                               nullptr, &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateBuffer", Code);
  }
  Code = clEnqueueWriteBuffer(D.TheQueue.get(), From.get(), CL_TRUE, 0, Bytes,
                              Contents.data(), 0, nullptr, nullptr);
  return Code == CL_SUCCESS ? Status()
                            : clProblem("clEnqueueWriteBuffer", Code);
}

Status Copier::build(Programs &Cache) {
  for (Way &W : Ways) {
    if (W.KernelName.empty())
      continue;
    Result<Built *> B = Cache.get(D, W.Source, W.Options);
    if (!B)
      return B.problem();
    cl_int Code = CL_SUCCESS;
    W.TheKernel = Kernel(
        clCreateKernel((*B)->TheProgram.get(), W.KernelName.c_str(), &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateKernel", Code,
                       "cannot make the kernel '" + W.KernelName + "'");
    cl_mem Objects[] = {From.get(), To.get()};
    for (cl_uint I = 0; I < 2; ++I) {
      Code =
          clSetKernelArg(W.TheKernel.get(), I, sizeof Objects[I], &Objects[I]);
      if (Code != CL_SUCCESS)
        return clProblem("clSetKernelArg", Code);
    }
  }
  return std::nullopt;
}

/// Overwrites the target, with bytes that the contents don't have there.
Status Copier::spoil() {
  const cl_uchar Byte = 0xa5;
  cl_int Code = clEnqueueFillBuffer(D.TheQueue.get(), To.get(), &Byte,
                                    sizeof Byte, 0, Bytes, 0, nullptr, nullptr);
  if (Code != CL_SUCCESS)
    return clProblem("clEnqueueFillBuffer", Code);
  Code = clFinish(D.TheQueue.get());
  return Code == CL_SUCCESS ? Status() : launchProblem("clFinish", Code);
}

Status Copier::launch(Way &W, uint64_t &Time) {
  cl_event Raw = nullptr;
  cl_int Code =
      W.TheKernel
          ? clEnqueueNDRangeKernel(
                D.TheQueue.get(), W.TheKernel.get(), cl_uint(W.Global.size()),
                nullptr, W.Global.data(),
                W.Local.empty() ? nullptr : W.Local.data(), 0, nullptr, &Raw)
          : clEnqueueCopyBuffer(D.TheQueue.get(), From.get(), To.get(), 0, 0,
                                Bytes, 0, nullptr, &Raw);
  const char *Where =
      W.TheKernel ? "clEnqueueNDRangeKernel" : "clEnqueueCopyBuffer";
  if (Code != CL_SUCCESS)
    return launchProblem(Where, Code);
  Event Done(Raw);
  return waitFor(D, Raw, Where, &Time);
}

/// Whether the target holds the contents, read piece by piece.
Status Copier::check(Way &W) {
  constexpr size_t Piece = size_t(16) << 20;
  HostMemory Seen(std::min(Piece, Bytes));
  if (!Seen.data())
    return tooLarge("no host memory left");
  W.Same = true;
  for (size_t At = 0; W.Same && At < Bytes; At += Piece) {
    size_t Size = std::min(Piece, Bytes - At);
    cl_int Code = clEnqueueReadBuffer(D.TheQueue.get(), To.get(), CL_TRUE, At,
                                      Size, Seen.data(), 0, nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return launchProblem("clEnqueueReadBuffer", Code);
    W.Same = !std::memcmp(Seen.data(), Contents.data() + At, Size);
  }
  return std::nullopt;
}

Result<Json> Copier::measure(unsigned Warmup, unsigned Repeat,
                             uint64_t Seconds) {
  auto Begin = std::chrono::steady_clock::now();
  bool Late = false;
  for (unsigned Round = 0; Round < Warmup + Repeat && !Late; ++Round) {
    bool Last = Round + 1 == Warmup + Repeat;
    Late = std::chrono::steady_clock::now() - Begin >
           std::chrono::seconds(Seconds);
    for (Way &W : Ways) {
      uint64_t Time = 0;
      if (Status S = spoil())
        return *S;
      if (Status S = launch(W, Time))
        return *S;
      if (Round >= Warmup || Late)
        W.Samples.push_back(Time);
      if (Last || Late)
        if (Status S = check(W))
          return *S;
    }
  }
  Json J = {{"device", D.Name}, {"bytes", Bytes}, {"ways", Json::array()}};
  for (Way &W : Ways) {
    Json One = {{"same", W.Same}};
    One.update(timeSummary(W.Samples));
    J["ways"].push_back(std::move(One));
  }
  return J;
}

Result<std::vector<Way>> parseWays(Request &Job) {
  const Json *List = Job.find("ways");
  if (!List || !List->is_array() || List->empty() || List->size() > 32)
    return badRequest("ways: expected a list of 1 to 32");
  std::vector<Way> Ways;
  for (size_t I = 0; I < List->size(); ++I) {
    Way W;
    const Json &Each = (*List)[I];
    std::string Name = "ways[" + std::to_string(I) + "]";
    if (!Each.is_object() && !Each.is_null())
      return badRequest(Name + ": expected an object or null");
    if (Each.is_object()) {
      Request In = Job.inside(Each, Name);
      W.Source = In.bytes("source");
      W.Options = In.text("options", "");
      W.KernelName = In.text("kernel");
      W.Global = In.sizes("global", true);
      W.Local = In.sizes("local", false);
      if (!W.Local.empty() && W.Local.size() != W.Global.size())
        In.fail("local", "must have as many dimensions as global");
    }
    Ways.push_back(std::move(W));
  }
  return Ways;
}

} // namespace

Result<Json> runCopy(Device &D, Programs &Cache, const TakeDevice &Alone,
                     Request &Job) {
  size_t Bytes = Job.count("bytes", std::nullopt, uint64_t(1) << 46);
  unsigned Repeat = unsigned(Job.count("repeat", 20, 100000));
  unsigned Warmup = unsigned(Job.count("warmup", 3, 100000));
  uint64_t Seconds = Job.count("seconds", 86400, 86400);
  if (!Bytes || !Repeat)
    Job.fail(Bytes ? "repeat" : "bytes", "must be at least 1");
  Result<std::vector<Way>> Ways = parseWays(Job);
  if (Status S = Job.problem())
    return *S;
  if (!Ways)
    return Ways.problem();
  if (auto Most = D.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
      Most && Bytes > *Most)
    return tooLarge("the device allocates at most " + std::to_string(*Most) +
                    " bytes at once");
  Copier C(D, Bytes, std::move(*Ways));
  if (Status S = C.allocate())
    return *S;
  if (Status S = C.build(Cache))
    return *S;
  auto Taken = Alone();
  return Taken ? C.measure(Warmup, Repeat, Seconds) : Taken.problem();
}

} // namespace clrewrite::device
