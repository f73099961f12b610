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
  cl_uint Found = 0;
  const cl_mem Left = B.Object->object(), Expected = B.ExpectedThere.get();
  const cl_ulong Size = Bytes;
  if (!ask(D, Cache, DifferSource, "differ",
           {{sizeof Left, &Left},
            {sizeof Expected, &Expected},
            {sizeof Size, &Size}},
           /*WorkItems=*/Bytes / 16 + 1, &Found, sizeof Found))
    return std::nullopt;
  return !Found;
}

} // namespace clrewrite::device
