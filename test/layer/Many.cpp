// Many launches of one kernel, and a death in the midst of them.
#include "Host.h"
#include <chrono>
#include <csignal>

static const char Source[] =
    "kernel void decay(global float *p, int round) {\n"
    "  size_t i = get_global_id(0);\n"
    "  for (int j = 0; j < 64; ++j) p[i] = p[i] * 0.5f + (float)round;\n"
    "}\n"
    "kernel void even(global float *p) { p[get_global_id(0)] += 1.0f; }\n";

int manyMain(unsigned Launches, unsigned Items, bool Kill) {
  std::vector<cl_device_id> Devices = allDevices();
  cl_context C = newContext({Devices[0]});
  cl_command_queue Q = newQueue(C, Devices[0]);
  cl_program P = newProgram(C, Source);
  cl_kernel Decay = newKernel(P, "decay"), Even = newKernel(P, "even");
  cl_mem M = newBuffer(C, Items * sizeof(float));
  setArg(Decay, 0, M);
  setArg(Even, 0, M);
  auto Start = std::chrono::steady_clock::now();
  for (unsigned I = 0; I < Launches; ++I) {
    // The scalar makes shape after shape of one kernel.
    setArg(Decay, 1, cl_int(I));
    launch(Q, I % 2 ? Even : Decay, Items, 64);
    if (I % 32 == 31)
      check(clFinish(Q), "clFinish");
    if (Kill && I == Launches / 2)
      raise(SIGKILL);
  }
  check(clFinish(Q), "clFinish");
  std::chrono::duration<double> Took = std::chrono::steady_clock::now() - Start;
  printf("%u launches, %.6f s\n", Launches, Took.count());
  clReleaseMemObject(M);
  clReleaseKernel(Decay);
  clReleaseKernel(Even);
  clReleaseProgram(P);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
  return 0;
}
