// Every sort of argument: buffers, sub-buffers, images, samplers, local memory,
// structs, SVM; and an out-of-order queue whose launches wait for events.
#include "Host.h"
#include <cstring>

static const char Source[] =
    "typedef struct { int a; float b; } pair_t;\n"
    "kernel void blend(global int *whole, global int *part, local int *tile,\n"
    "                pair_t pair, constant int *none) {\n"
    "  size_t i = get_global_id(0);\n"
    "  tile[get_local_id(0)] = part[i];\n"
    "  part[i] = tile[get_local_id(0)] + pair.a;\n"
    "  if (none) part[i] = none[0];\n"
    "  (void)whole;\n"
    "}\n"
    "kernel void shift(read_only image2d_t in, sampler_t s,\n"
    "                  write_only image2d_t out) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(out, p, read_imagef(in, s, p - (int2)(1, 0)));\n"
    "}\n"
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void hidden(global int *p) { p[get_global_id(0)] *= 2; }\n";

static void buffers(cl_context C, cl_command_queue Q, cl_program P) {
  cl_int Code;
  std::vector<cl_int> Start(256);
  for (int I = 0; I < 256; ++I)
    Start[I] = I;
  cl_mem Whole = newBuffer(C, 1024, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           Start.data());
  cl_buffer_region Region = {512, 256};
  cl_mem Part = clCreateSubBuffer(Whole, CL_MEM_READ_WRITE,
                                  CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code);
  check(Code, "clCreateSubBuffer");
  struct {
    cl_int A;
    cl_float B;
  } Pair = {1000, 0.5f};
  cl_kernel K = newKernel(P, "blend");
  setArg(K, 0, Whole);
  setArg(K, 1, Part);
  check(clSetKernelArg(K, 2, 16 * sizeof(cl_int), nullptr), "local");
  setArg(K, 3, Pair);
  check(clSetKernelArg(K, 4, sizeof(cl_mem), nullptr), "null");
  size_t Global = 64, Local = 16;
  check(clEnqueueNDRangeKernel(Q, K, 1, nullptr, &Global, &Local, 0, nullptr,
                               nullptr),
        "blend");
  std::vector<cl_int> End(256);
  check(clEnqueueReadBuffer(Q, Whole, CL_TRUE, 0, 1024, End.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  printf("blend %d %d %d\n", End[127], End[128], End[191]);
  clReleaseKernel(K);
  clReleaseMemObject(Part);
  clReleaseMemObject(Whole);
}

static void images(cl_context C, cl_command_queue Q, cl_program P) {
  cl_int Code;
  cl_image_format Format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  Desc.image_width = 4;
  Desc.image_height = 2;
  unsigned char Pixels[32], Result[32];
  for (int I = 0; I < 32; ++I)
    Pixels[I] = (unsigned char)I;
  cl_mem In = clCreateImage(C, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &Format,
                            &Desc, Pixels, &Code);
  check(Code, "clCreateImage");
  cl_mem Out =
      clCreateImage(C, CL_MEM_WRITE_ONLY, &Format, &Desc, nullptr, &Code);
  check(Code, "clCreateImage");
  cl_sampler S = clCreateSampler(C, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                 CL_FILTER_NEAREST, &Code);
  check(Code, "clCreateSampler");
  cl_kernel K = newKernel(P, "shift");
  setArg(K, 0, In);
  setArg(K, 1, S);
  setArg(K, 2, Out);
  size_t Global[] = {4, 2}, Origin[3] = {}, Region[3] = {4, 2, 1};
  check(clEnqueueNDRangeKernel(Q, K, 2, nullptr, Global, nullptr, 0, nullptr,
                               nullptr),
        "shift");
  check(clEnqueueReadImage(Q, Out, CL_TRUE, Origin, Region, 0, 0, Result, 0,
                           nullptr, nullptr),
        "clEnqueueReadImage");
  printf("shift %d %d %d\n", Result[0], Result[4], Result[31]);
  clReleaseKernel(K);
  clReleaseSampler(S);
  clReleaseMemObject(In);
  clReleaseMemObject(Out);
}

/// Two launches in a queue that keeps no order, the second before the first but
/// for its wait list.
static void outOfOrder(cl_context C, cl_device_id D, cl_program P) {
  cl_command_queue Q = newQueue(C, D, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem M = newBuffer(C, 256);
  cl_int Zero = 0;
  cl_event Filled, Added, Doubled;
  check(clEnqueueFillBuffer(Q, M, &Zero, sizeof Zero, 0, 256, 0, nullptr,
                            &Filled),
        "clEnqueueFillBuffer");
  cl_kernel Add = newKernel(P, "add"), Hidden = newKernel(P, "hidden");
  setArg(Add, 0, M);
  setArg(Add, 1, cl_int(7));
  setArg(Hidden, 0, M);
  size_t Global = 64;
  check(clEnqueueNDRangeKernel(Q, Add, 1, nullptr, &Global, nullptr, 1, &Filled,
                               &Added),
        "add");
  check(clEnqueueNDRangeKernel(Q, Hidden, 1, nullptr, &Global, nullptr, 1,
                               &Added, &Doubled),
        "hidden");
  cl_int Result[64];
  check(
      clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 256, Result, 1, &Doubled, nullptr),
      "clEnqueueReadBuffer");
  printf("out of order %d\n", Result[63]);
  for (cl_event E : {Filled, Added, Doubled})
    clReleaseEvent(E);
  clReleaseKernel(Add);
  clReleaseKernel(Hidden);
  clReleaseMemObject(M);
  clReleaseCommandQueue(Q);
}

/// A buffer that the host may not touch.
static void hostless(cl_context C, cl_command_queue Q, cl_program P) {
  cl_mem M = newBuffer(C, 256, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
  cl_int Three = 3, Result = 0;
  check(clEnqueueFillBuffer(Q, M, &Three, sizeof Three, 0, 256, 0, nullptr,
                            nullptr),
        "clEnqueueFillBuffer");
  cl_kernel K = newKernel(P, "hidden");
  setArg(K, 0, M);
  launch(Q, K, 64, 64);
  cl_mem Copy = newBuffer(C, 256);
  check(clEnqueueCopyBuffer(Q, M, Copy, 0, 0, 256, 0, nullptr, nullptr),
        "clEnqueueCopyBuffer");
  check(
      clEnqueueReadBuffer(Q, Copy, CL_TRUE, 0, 4, &Result, 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  printf(
      "hidden %d, read itself %d\n", Result,
      clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 4, &Result, 0, nullptr, nullptr));
  clReleaseKernel(K);
  clReleaseMemObject(M);
  clReleaseMemObject(Copy);
}

/// A launch that waits for an event which the program completes only later.
static void userEvent(cl_context C, cl_command_queue Q, cl_program P) {
  cl_int Code;
  cl_event Go = clCreateUserEvent(C, &Code);
  check(Code, "clCreateUserEvent");
  cl_int Start = 5, Result = 0;
  cl_mem M = newBuffer(C, 4, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &Start);
  cl_kernel K = newKernel(P, "add");
  setArg(K, 0, M);
  setArg(K, 1, cl_int(1));
  size_t One = 1;
  check(
      clEnqueueNDRangeKernel(Q, K, 1, nullptr, &One, nullptr, 1, &Go, nullptr),
      "add");
  check(clSetUserEventStatus(Go, CL_COMPLETE), "clSetUserEventStatus");
  check(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 4, &Result, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  printf("user event %d\n", Result);
  clReleaseEvent(Go);
  clReleaseKernel(K);
  clReleaseMemObject(M);
}

static void svm(cl_context C, cl_device_id D, cl_command_queue Q,
                cl_program P) {
  cl_device_svm_capabilities Can = 0;
  clGetDeviceInfo(D, CL_DEVICE_SVM_CAPABILITIES, sizeof Can, &Can, nullptr);
  if (!(Can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
    printf("no svm\n");
    return;
  }
  auto *Base = (cl_int *)clSVMAlloc(C, CL_MEM_READ_WRITE, 512, 0);
  cl_int Two = 2;
  check(
      clEnqueueSVMMemFill(Q, Base, &Two, sizeof Two, 512, 0, nullptr, nullptr),
      "clEnqueueSVMMemFill");
  cl_kernel K = newKernel(P, "add");
  // From the middle of the allocation on.
  check(clSetKernelArgSVMPointer(K, 0, Base + 64), "clSetKernelArgSVMPointer");
  setArg(K, 1, cl_int(40));
  void *Pointers[] = {Base};
  check(clSetKernelExecInfo(K, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof Pointers,
                            Pointers),
        "clSetKernelExecInfo");
  launch(Q, K, 64);
  check(
      clEnqueueSVMMap(Q, CL_TRUE, CL_MAP_READ, Base, 512, 0, nullptr, nullptr),
      "clEnqueueSVMMap");
  printf("svm %d %d\n", Base[0], Base[64]);
  check(clEnqueueSVMUnmap(Q, Base, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
  check(clFinish(Q), "clFinish");
  clReleaseKernel(K);
  clSVMFree(C, Base);
}

int memoryMain() {
  std::vector<cl_device_id> Devices = allDevices();
  cl_context C = newContext({Devices[0]});
  cl_command_queue Q = newQueue(C, Devices[0]);
  cl_program P = newProgram(C, Source, "-cl-kernel-arg-info");
  buffers(C, Q, P);
  images(C, Q, P);
  outOfOrder(C, Devices[0], P);
  hostless(C, Q, P);
  userEvent(C, Q, P);
  svm(C, Devices[0], Q, P);
  clReleaseProgram(P);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
  return 0;
}
