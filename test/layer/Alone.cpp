// The layer above a driver that does nothing: what it costs a launch.
#include "Host.h"
#include "IdleDriver.h"
#include <algorithm>
#include <chrono>

namespace {

enum Change { Nothing, Buffers, Scalar };

/// ns a launch, with what is set before each.
double timeLaunches(const Client &C, Change What, unsigned Launches) {
  const size_t Global[] = {1024, 512}, Local[] = {16, 16};
  C.setBuffers();
  C.set(2, cl_int(2));
  C.set(3, cl_int(2));
  auto Start = std::chrono::steady_clock::now();
  for (unsigned I = 0; I < Launches; ++I) {
    if (What == Buffers)
      C.setBuffers(I % 2);
    else if (What == Scalar)
      C.set(3, I);
    C.Call->clEnqueueNDRangeKernel(C.Queue, C.Kernel, 2, nullptr, Global, Local,
                                   0, nullptr, nullptr);
    if (I % 32 == 31)
      C.Call->clFinish(C.Queue);
  }
  std::chrono::duration<double, std::nano> Took =
      std::chrono::steady_clock::now() - Start;
  return Took.count() / Launches;
}

} // namespace

/// A program whose text is "extension" and that asks for a function which sets
/// arguments behind the loader's back.
int extensionMain(const char *LayerPath) {
  auto C = newLayeredClient(LayerPath, "extension");
  if (!C)
    return 1;
  const size_t Global = 1024;
  for (const char *Name :
       {"clEnqueueMemcpyINTEL", "clSetKernelArgMemPointerINTEL"}) {
    C->Call->clEnqueueNDRangeKernel(C->Queue, C->Kernel, 1, nullptr, &Global,
                                    nullptr, 0, nullptr, nullptr);
    C->Call->clGetExtensionFunctionAddressForPlatform(nullptr, Name);
    C->Call->clEnqueueNDRangeKernel(C->Queue, C->Kernel, 1, nullptr, &Global,
                                    nullptr, 0, nullptr, nullptr);
  }
  return 0;
}

/// Launches a kernel with local sizes of which the first is beyond what the
/// driver tells, which takes it all the same.
int acceptedMain(const char *LayerPath) {
  auto C = newLayeredClient(LayerPath, "accepted");
  if (!C)
    return 1;
  const size_t Global = 8192;
  for (size_t Local : {2048, 2048, 2048, 4096, 1024})
    C->Call->clEnqueueNDRangeKernel(C->Queue, C->Kernel, 1, nullptr, &Global,
                                    &Local, 0, nullptr, nullptr);
  return 0;
}

/// Prints, for launches with the arguments of the one before, with two buffers
/// that are swapped and with a scalar that counts, what the layer adds to each,
/// in ns: the least of five rounds, against the least without it. The
/// environment names the capture, or a plan for programs whose texts are the
/// names that are printed.
int aloneMain(const char *LayerPath, unsigned Launches) {
  const cl_icd_dispatch *Layered = layerAboveIdle(LayerPath);
  if (!Layered)
    return 1;
  const char *Names[] = {"same", "buffers", "scalar"};
  for (Change What : {Nothing, Buffers, Scalar}) {
    Client Plain = newClient(idleDriver(), "");
    Client Watched = newClient(Layered, Names[What]);
    double Least = 1e9, LeastWatched = 1e9;
    for (int Round = 0; Round < 5; ++Round) {
      Least = std::min(Least, timeLaunches(Plain, What, Launches));
      LeastWatched =
          std::min(LeastWatched, timeLaunches(Watched, What, Launches));
    }
    printf("%s %.1f ns\n", Names[What], LeastWatched - Least);
  }
  return 0;
}
