// Keys of launches, and the comparison of buffers on the device.
#include "LaunchMemory.h"

namespace clrewrite::device {

std::string memoryKey(Request &Job, const LaunchRequest &L) {
  // Contents that travel with a job are kept under a name, which later jobs
  // give instead.
  constexpr size_t MostText = 65536;
  if (!L.Reuse)
    return "";
  for (const Argument &A : L.Arguments)
    if (A.Return)
      return "";
  std::string Key;
  for (const char *Name : {"device", "guard", "args"})
    if (const Json *Value = Job.find(Name))
      Key += std::string(Name) + Value->dump();
  return Key.size() <= MostText ? Key : "";
}

std::string versionKey(const Version &V) {
  std::string Key = V.Source + '\0' + V.Options + '\0' + V.Kernel;
  for (const auto *Sizes : {&V.Sizes.Global, &V.Sizes.Local, &V.Sizes.Offset}) {
    Key += '\0';
    for (size_t Size : *Sizes)
      Key += std::to_string(Size) + ' ';
  }
  return Key;
}

/// A work-item looks at 16 bytes, and the last one at what is left.
static constexpr char DifferSource[] = R"(
kernel void differ(global const uchar *a, global const uchar *b, ulong bytes,
                   global uint *found) {
  ulong i = (ulong)get_global_id(0) * 16;
  bool differs = false;
  if (i + 16 <= bytes) {
    uint4 x = vload4(0, (global const uint *)(a + i)) ^
              vload4(0, (global const uint *)(b + i));
    differs = (x.x | x.y | x.z | x.w) != 0;
  } else {
    for (; i < bytes; ++i)
      differs |= a[i] != b[i];
  }
  if (differs)
    *found = 1;
}
)";

std::optional<bool> isAsExpected(Device &D, Programs &Cache, BoundMemory &B,
                                 size_t Bytes) {
  cl_int Code = CL_SUCCESS;
  cl_context C = D.TheContext.get();
  cl_command_queue Q = D.TheQueue.get();
  if (!B.ExpectedThere) {
    Memory There(clCreateBuffer(C, CL_MEM_READ_ONLY, Bytes, nullptr, &Code));
    if (Code != CL_SUCCESS ||
        clEnqueueWriteBuffer(Q, There.get(), CL_TRUE, 0, Bytes,
                             B.Expected.data(), 0, nullptr, nullptr))
      return std::nullopt;
    B.ExpectedThere = std::move(There);
  }
  Result<Built *> P = Cache.get(D, DifferSource, "");
  if (!P)
    return std::nullopt;
  Kernel Differ(clCreateKernel((*P)->TheProgram.get(), "differ", &Code));
  cl_uint Found = 0;
  Memory Flag(clCreateBuffer(C, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             sizeof Found, &Found, &Code));
  if (!Differ || !Flag)
    return std::nullopt;
  cl_mem Objects[] = {B.Object->object(), B.ExpectedThere.get(), Flag.get()};
  cl_ulong Size = Bytes;
  size_t WorkItems = Bytes / 16 + 1;
  if (clSetKernelArg(Differ.get(), 0, sizeof(cl_mem), &Objects[0]) ||
      clSetKernelArg(Differ.get(), 1, sizeof(cl_mem), &Objects[1]) ||
      clSetKernelArg(Differ.get(), 2, sizeof Size, &Size) ||
      clSetKernelArg(Differ.get(), 3, sizeof(cl_mem), &Objects[2]) ||
      clEnqueueNDRangeKernel(Q, Differ.get(), 1, nullptr, &WorkItems, nullptr,
                             0, nullptr, nullptr) ||
      clEnqueueReadBuffer(Q, Flag.get(), CL_TRUE, 0, sizeof Found, &Found, 0,
                          nullptr, nullptr))
    return std::nullopt;
  return !Found;
}

} // namespace clrewrite::device
