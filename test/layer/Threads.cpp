// Threads, contexts and devices at once: each thread has kernels of its own of
// programs that all share, sets their arguments while the others do, and clones
// them.
#include "Host.h"
#include <thread>

static const char Source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void scale(global int *p, int n) { p[get_global_id(0)] *= n; }\n";

static constexpr unsigned Rounds = 50;

static void work(cl_context C, cl_device_id D, cl_program P, int Number,
                 long *Sum) {
  cl_command_queue Q = newQueue(C, D);
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    // Buffers come and go, so that handles come back.
    size_t Items = 16 * size_t(Number + 1);
    std::vector<cl_int> Ones(Items, 1);
    cl_mem M = newBuffer(C, Items * 4, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         Ones.data());
    cl_kernel Add = newKernel(P, "add"), Scale = newKernel(P, "scale");
    setArg(Add, 0, M);
    setArg(Add, 1, cl_int(Number));
    setArg(Scale, 0, M);
    setArg(Scale, 1, cl_int(2));
    launch(Q, Add, Items);
    launch(Q, Scale, Items);
    cl_int Code;
    cl_kernel Clone = clCloneKernel(Add, &Code);
    if (Code == CL_SUCCESS) {
      setArg(Clone, 1, cl_int(100));
      launch(Q, Clone, Items);
      launch(Q, Add, Items);
      clReleaseKernel(Clone);
    }
    check(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, Items * 4, Ones.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    for (cl_int Each : Ones)
      *Sum += Each;
    clReleaseKernel(Add);
    clReleaseKernel(Scale);
    clReleaseMemObject(M);
  }
  clReleaseCommandQueue(Q);
}

int threadsMain() {
  std::vector<cl_device_id> Devices = allDevices();
  cl_context Contexts[2] = {newContext(Devices), newContext({Devices[0]})};
  cl_program Programs[2] = {newProgram(Contexts[0], Source),
                            newProgram(Contexts[1], Source)};
  long Sums[4] = {};
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back(work, Contexts[I % 2],
                         I % 2 ? Devices[0] : Devices[I / 2 % Devices.size()],
                         Programs[I % 2], I, &Sums[I]);
  for (std::thread &T : Threads)
    T.join();
  printf("%zu devices\n", Devices.size());
  for (long Sum : Sums)
    printf("sum %ld\n", Sum);
  for (cl_program P : Programs)
    clReleaseProgram(P);
  for (cl_context C : Contexts)
    clReleaseContext(C);
  return 0;
}
