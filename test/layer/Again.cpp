// Launches that are like others before them, and those that only seem so: above
// a driver that does nothing, so that handles come back when they are told to.
#include "Host.h"
#include "IdleDriver.h"

namespace {

struct Sizes {
  std::vector<size_t> Global = {1024, 512}, Local = {16, 16}, Offset;
};

void launchAs(const Client &C, const Sizes &S = {}) {
  auto listOf = [](const std::vector<size_t> &List) {
    return List.empty() ? nullptr : List.data();
  };
  C.Call->clEnqueueNDRangeKernel(C.Queue, C.Kernel, cl_uint(S.Global.size()),
                                 listOf(S.Offset), listOf(S.Global),
                                 listOf(S.Local), 0, nullptr, nullptr);
}

void launchInOtherWays(const Client &C) {
  Sizes Wide, Whole, Moved;
  Wide.Global[0] = 2048;
  launchAs(C, Wide); // 4
  launchAs(C, Wide); // 4
  launchAs(C);       // 1
  Whole.Local.clear();
  launchAs(C, Whole); // 5
  Moved.Offset = {16, 0};
  launchAs(C, Moved);            // 6
  launchAs(C, {{1024}, {}, {}}); // 7
  cl_int Code;
  Client Unordered = C;
  Unordered.Queue = C.Call->clCreateCommandQueue(
      nullptr, reinterpret_cast<cl_device_id>(16),
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &Code);
  launchAs(Unordered); // 8
  launchAs(C);         // 1
}

/// What stands behind a handle or a pointer becomes another.
void launchWithOthers(const Client &C) {
  cl_int Code;
  C.Call->clReleaseMemObject(C.Buffers[0]);
  cl_mem Again =
      C.Call->clCreateBuffer(nullptr, CL_MEM_READ_WRITE, 128, nullptr, &Code);
  if (Again != C.Buffers[0])
    exit(1);
  launchAs(C); // 1: the kernel has what it had
  C.set(0, Again);
  launchAs(C); // 9
  struct {
    cl_int Three[3];
  } Struct = {};
  C.set(3, Struct);
  launchAs(C); // 10
  C.set(3, cl_int(2));
  launchAs(C); // 9
  void *P = C.Call->clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 256, 0);
  C.Call->clSetKernelArgSVMPointer(C.Kernel, 0, P);
  launchAs(C); // 11
  launchAs(C); // 11
  C.Call->clSVMFree(nullptr, P);
  if (C.Call->clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 512, 0) != P)
    exit(1);
  launchAs(C); // 12
}

} // namespace

/// The numbers say which shape a launch is of, in the order in which they come.
int againMain(const char *LayerPath) {
  auto Made = newLayeredClient(LayerPath, "again");
  if (!Made)
    return 1;
  Client &C = *Made;
  C.set(2, cl_int(2));
  C.set(3, cl_int(2));
  for (int I = 0; I < 3; ++I)
    launchAs(C); // 1
  C.setBuffers(/*Swapped=*/true);
  launchAs(C); // 1
  C.set(1, C.Buffers[1]);
  launchAs(C); // 2: both are one
  C.setBuffers();
  launchAs(C); // 1
  C.set(3, cl_int(3));
  launchAs(C); // 3
  C.set(3, cl_int(2));
  launchAs(C); // 1
  C.set(3, cl_int(2));
  launchAs(C); // 1
  launchInOtherWays(C);
  launchWithOthers(C);
  return 0;
}
