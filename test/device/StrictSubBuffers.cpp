// Stands before the ICD loader (LD_PRELOAD) and ends the program where NVIDIA's
// driver 580.159.04 crashes: of two sub-buffers that overlap, the one that was
// made first is released first.
#include <CL/cl.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace {

struct SubBuffer {
  cl_mem Object, Parent;
  size_t Begin, End;
};

std::vector<SubBuffer> Alive; // in the order in which they were made

template <typename T> T *loaders(T *, const char *Name) {
  return reinterpret_cast<T *>(dlsym(RTLD_NEXT, Name));
}

} // namespace

extern "C" cl_mem clCreateSubBuffer(cl_mem Parent, cl_mem_flags Flags,
                                    cl_buffer_create_type Type,
                                    const void *Info, cl_int *Code) {
  cl_mem Object = loaders(&clCreateSubBuffer,
                          "clCreateSubBuffer")(Parent, Flags, Type, Info, Code);
  const auto &Region = *static_cast<const cl_buffer_region *>(Info);
  if (Object)
    Alive.push_back(
        {Object, Parent, Region.origin, Region.origin + Region.size});
  return Object;
}

extern "C" cl_int clReleaseMemObject(cl_mem Object) {
  auto It = std::find_if(Alive.begin(), Alive.end(), [&](const SubBuffer &S) {
    return S.Object == Object;
  });
  if (It != Alive.end()) {
    if (std::any_of(It + 1, Alive.end(), [&](const SubBuffer &Later) {
          return Later.Parent == It->Parent && Later.Begin < It->End &&
                 It->Begin < Later.End;
        })) {
      std::fputs("a sub-buffer is released before a later one\n", stderr);
      std::abort();
    }
    Alive.erase(It);
  }
  return loaders(&clReleaseMemObject, "clReleaseMemObject")(Object);
}
