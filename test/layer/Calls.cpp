// A set of OpenCL calls whose every result is printed, right and wrong calls
// alike: the output with a layer that has nothing to do must be the same as
// without it. Addresses and times are not printed.
#include "Host.h"
#include <cstring>

static const char Source[] =
    "kernel void first(global int *p, const int n, local float *t) {\n"
    "  p[get_global_id(0)] = n;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void second(read_only image2d_t i, sampler_t s, global float4 *q) {\n"
    "  q[get_global_id(0)] = read_imagef(i, s, (int2)(0, 0));\n"
    "}\n";

static void say(const char *What, cl_int Code) {
  printf("%s: %d\n", What, Code);
}

/// An info query: its code, its size, and its bytes where they are no address.
template <class F>
static void info(const char *Name, unsigned Number, F Get, bool Bytes = true) {
  size_t Size = 0;
  cl_int Code = Get(0, nullptr, &Size);
  std::string Value(Size, '\0');
  cl_int Second = Code ? Code : Get(Size, Value.data(), nullptr);
  cl_int TooSmall = Size > 1 ? Get(1, Value.data(), nullptr) : 0;
  printf("%s %x: %d %d %d size %zu", Name, Number, Code, Second, TooSmall,
         Size);
  if (Second == CL_SUCCESS && Bytes) {
    Value.resize(Size);
    Get(Size, Value.data(), nullptr);
    for (unsigned char Each : Value)
      printf(Each >= 32 && Each < 127 ? " %c" : " %02x", Each);
  }
  printf("\n");
}

#define INFO(Function, Object, What, ...)                                      \
  info(                                                                        \
      #Function, What,                                                         \
      [&](size_t Size, void *Value, size_t *Ret) {                             \
        return Function(Object, What, Size, Value, Ret);                       \
      },                                                                       \
      ##__VA_ARGS__)

static void devices(cl_device_id D) {
  INFO(clGetDeviceInfo, D, CL_DEVICE_NAME);
  INFO(clGetDeviceInfo, D, CL_DEVICE_VERSION);
  INFO(clGetDeviceInfo, D, CL_DEVICE_EXTENSIONS);
  INFO(clGetDeviceInfo, D, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  INFO(clGetDeviceInfo, D, CL_DEVICE_PLATFORM, false);
  INFO(clGetDeviceInfo, D, 0x7fff);
}

static void queue(cl_context C, cl_device_id D,
                  cl_command_queue_properties Bits) {
  cl_int Code = 1;
  cl_command_queue Q = clCreateCommandQueue(C, D, Bits, &Code);
  say("clCreateCommandQueue", Code);
  if (!Q)
    return;
  INFO(clGetCommandQueueInfo, Q, CL_QUEUE_PROPERTIES);
  INFO(clGetCommandQueueInfo, Q, CL_QUEUE_PROPERTIES_ARRAY);
  INFO(clGetCommandQueueInfo, Q, CL_QUEUE_REFERENCE_COUNT);
  INFO(clGetCommandQueueInfo, Q, CL_QUEUE_DEVICE, false);
  say("clRetainCommandQueue", clRetainCommandQueue(Q));
  INFO(clGetCommandQueueInfo, Q, CL_QUEUE_REFERENCE_COUNT);
  say("clReleaseCommandQueue", clReleaseCommandQueue(Q));
  say("clReleaseCommandQueue", clReleaseCommandQueue(Q));
}

static void queues(cl_context C, cl_device_id D) {
  for (cl_command_queue_properties Bits : {0, 1, 2, 3, 1 << 20})
    queue(C, D, Bits);
  say("no device", (clCreateCommandQueue(C, nullptr, 0, nullptr), 0));
  cl_queue_properties Lists[][5] = {
      {0},
      {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
      {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
      {CL_QUEUE_PROPERTIES, 0, 0},
      {CL_QUEUE_SIZE, 4096, 0},
      {12345, 1, 0}};
  for (int I = -1; I < int(std::size(Lists)); ++I) {
    cl_int Code = 1;
    cl_command_queue Q = clCreateCommandQueueWithProperties(
        C, D, I < 0 ? nullptr : Lists[I], &Code);
    say("clCreateCommandQueueWithProperties", Code);
    if (!Q)
      continue;
    INFO(clGetCommandQueueInfo, Q, CL_QUEUE_PROPERTIES);
    INFO(clGetCommandQueueInfo, Q, CL_QUEUE_PROPERTIES_ARRAY);
    clReleaseCommandQueue(Q);
  }
}

static void memory(cl_context C) {
  cl_int Code = 1;
  cl_mem M = clCreateBuffer(C, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4096,
                            nullptr, &Code);
  say("clCreateBuffer", Code);
  for (cl_mem_info What :
       {CL_MEM_TYPE, CL_MEM_FLAGS, CL_MEM_SIZE, CL_MEM_MAP_COUNT,
        CL_MEM_REFERENCE_COUNT, CL_MEM_OFFSET, CL_MEM_ASSOCIATED_MEMOBJECT,
        CL_MEM_HOST_PTR, CL_MEM_PROPERTIES})
    INFO(clGetMemObjectInfo, M, What);
  cl_buffer_region Region = {1024, 512}, Wild = {4000, 512};
  cl_mem Sub =
      clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code);
  say("clCreateSubBuffer", Code);
  INFO(clGetMemObjectInfo, Sub, CL_MEM_OFFSET);
  INFO(clGetMemObjectInfo, Sub, CL_MEM_FLAGS);
  INFO(clGetMemObjectInfo, Sub, CL_MEM_ASSOCIATED_MEMOBJECT, false);
  clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION, &Wild, &Code);
  say("clCreateSubBuffer out of range", Code);
  clCreateBuffer(C, 0, 0, nullptr, &Code);
  say("clCreateBuffer of nothing", Code);
  clCreateBuffer(C, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, nullptr, &Code);
  say("clCreateBuffer with both", Code);
  say("clRetainMemObject", clRetainMemObject(M));
  INFO(clGetMemObjectInfo, M, CL_MEM_REFERENCE_COUNT);
  say("clReleaseMemObject", clReleaseMemObject(Sub));
  say("clReleaseMemObject", clReleaseMemObject(M));
  say("clReleaseMemObject", clReleaseMemObject(M));
  say("clReleaseMemObject of null", clReleaseMemObject(nullptr));
  cl_image_format Format = {CL_RGBA, CL_FLOAT};
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  Desc.image_width = 16;
  Desc.image_height = 8;
  cl_mem I =
      clCreateImage(C, CL_MEM_READ_WRITE, &Format, &Desc, nullptr, &Code);
  say("clCreateImage", Code);
  for (cl_image_info What :
       {CL_IMAGE_FORMAT, CL_IMAGE_ELEMENT_SIZE, CL_IMAGE_ROW_PITCH,
        CL_IMAGE_SLICE_PITCH, CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH,
        CL_IMAGE_ARRAY_SIZE, CL_IMAGE_NUM_MIP_LEVELS})
    INFO(clGetImageInfo, I, What);
  Desc.image_width = 0;
  clCreateImage(C, CL_MEM_READ_WRITE, &Format, &Desc, nullptr, &Code);
  say("clCreateImage of nothing", Code);
  clReleaseMemObject(I);
}

static void program(cl_program P, cl_device_id D) {
  for (cl_program_info What :
       {CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_NUM_DEVICES, CL_PROGRAM_SOURCE,
        CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
        CL_PROGRAM_BINARY_SIZES})
    INFO(clGetProgramInfo, P, What);
  for (cl_program_build_info What :
       {CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_LOG,
        CL_PROGRAM_BINARY_TYPE})
    info("build info", What, [&](size_t Size, void *Value, size_t *Ret) {
      return clGetProgramBuildInfo(P, D, What, Size, Value, Ret);
    });
}

static void kernel(cl_kernel K, cl_device_id D, cl_uint Arguments) {
  for (cl_kernel_info What : {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS,
                              CL_KERNEL_REFERENCE_COUNT, CL_KERNEL_ATTRIBUTES})
    INFO(clGetKernelInfo, K, What);
  INFO(clGetKernelInfo, K, CL_KERNEL_PROGRAM, false);
  for (cl_kernel_work_group_info What :
       {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
        CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE})
    info("work group info", What, [&](size_t Size, void *Value, size_t *Ret) {
      return clGetKernelWorkGroupInfo(K, D, What, Size, Value, Ret);
    });
  for (cl_uint I = 0; I <= Arguments; ++I)
    for (cl_kernel_arg_info What :
         {CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER,
          CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_QUALIFIER,
          CL_KERNEL_ARG_NAME})
      info("argument info", What, [&](size_t Size, void *Value, size_t *Ret) {
        return clGetKernelArgInfo(K, I, What, Size, Value, Ret);
      });
}

static void event(cl_event E) {
  // Not the reference count: PoCL's own threads have references too.
  for (cl_event_info What :
       {CL_EVENT_COMMAND_TYPE, CL_EVENT_COMMAND_EXECUTION_STATUS})
    INFO(clGetEventInfo, E, What);
  for (cl_profiling_info What :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, 0x7fff})
    info(
        "profiling info", What,
        [&](size_t Size, void *Value, size_t *Ret) {
          return clGetEventProfilingInfo(E, What, Size, Value, Ret);
        },
        false);
}

static void launches(cl_context C, cl_device_id D, cl_kernel K,
                     cl_command_queue_properties Bits) {
  cl_int Code;
  cl_command_queue Q = newQueue(C, D, Bits);
  cl_mem M = newBuffer(C, 256);
  cl_int Nine = 9;
  say("argument", clSetKernelArg(K, 0, sizeof M, &M));
  say("argument", clSetKernelArg(K, 1, sizeof Nine, &Nine));
  say("argument of no size", clSetKernelArg(K, 1, 0, &Nine));
  say("argument of wrong size", clSetKernelArg(K, 1, 64, &Nine));
  say("argument", clSetKernelArg(K, 2, 64, nullptr));
  say("no such argument", clSetKernelArg(K, 3, 4, &Nine));
  size_t Global = 64, Local = 16, Odd = 7;
  cl_event E = nullptr;
  say("launch", clEnqueueNDRangeKernel(Q, K, 1, nullptr, &Global, &Local, 0,
                                       nullptr, &E));
  say("no dimensions", clEnqueueNDRangeKernel(Q, K, 0, nullptr, &Global,
                                              nullptr, 0, nullptr, nullptr));
  say("odd", clEnqueueNDRangeKernel(Q, K, 1, nullptr, &Odd, &Local, 0, nullptr,
                                    nullptr));
  say("no queue", clEnqueueNDRangeKernel(nullptr, K, 1, nullptr, &Global,
                                         nullptr, 0, nullptr, nullptr));
  say("clEnqueueTask", clEnqueueTask(Q, K, 0, nullptr, nullptr));
  say("clFlush", clFlush(Q));
  say("clWaitForEvents", clWaitForEvents(1, &E));
  say("clFinish", clFinish(Q));
  say("clWaitForEvents of none", clWaitForEvents(0, nullptr));
  event(E);
  say("clReleaseEvent", clReleaseEvent(E));
  cl_int Values[64];
  say("clEnqueueReadBuffer",
      clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 256, Values, 0, nullptr, &E));
  printf("value %d\n", Values[63]);
  event(E);
  clReleaseEvent(E);
  say("read too much",
      clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 257, Values, 0, nullptr, nullptr));
  auto *Map = (cl_int *)clEnqueueMapBuffer(Q, M, CL_TRUE, CL_MAP_READ, 0, 256,
                                           0, nullptr, nullptr, &Code);
  say("clEnqueueMapBuffer", Code);
  printf("mapped %d\n", Map ? Map[0] : -1);
  say("clEnqueueUnmapMemObject",
      clEnqueueUnmapMemObject(Q, M, Map, 0, nullptr, nullptr));
  clFinish(Q);
  clReleaseMemObject(M);
  clReleaseCommandQueue(Q);
}

int callsMain() {
  cl_device_id D = allDevices()[0];
  devices(D);
  cl_int Code;
  clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, &Code);
  say("clCreateContext of nothing", Code);
  cl_context C = newContext({D});
  INFO(clGetContextInfo, C, CL_CONTEXT_REFERENCE_COUNT);
  INFO(clGetContextInfo, C, CL_CONTEXT_NUM_DEVICES);
  queues(C, D);
  memory(C);
  clCreateProgramWithSource(C, 0, nullptr, nullptr, &Code);
  say("clCreateProgramWithSource of nothing", Code);
  const char *None = nullptr;
  clCreateProgramWithSource(C, 1, &None, nullptr, &Code);
  say("clCreateProgramWithSource of null", Code);
  cl_program P = newProgram(C, Source, "-cl-kernel-arg-info -DX=1");
  program(P, D);
  clCreateKernel(P, "third", &Code);
  say("clCreateKernel of none", Code);
  cl_kernel Both[4];
  cl_uint Count = 0;
  say("clCreateKernelsInProgram",
      clCreateKernelsInProgram(P, 0, nullptr, &Count));
  say("too few", clCreateKernelsInProgram(P, 1, Both, nullptr));
  say("clCreateKernelsInProgram", clCreateKernelsInProgram(P, 4, Both, &Count));
  printf("kernels %u\n", Count);
  cl_kernel First = newKernel(P, "first"), Second = newKernel(P, "second");
  kernel(First, D, 3);
  kernel(Second, D, 3);
  for (cl_command_queue_properties Bits : {0, 2})
    launches(C, D, First, Bits);
  cl_sampler S =
      clCreateSampler(C, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &Code);
  say("clCreateSampler", Code);
  for (cl_sampler_info What :
       {CL_SAMPLER_REFERENCE_COUNT, CL_SAMPLER_NORMALIZED_COORDS,
        CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE})
    INFO(clGetSamplerInfo, S, What);
  say("clReleaseSampler", clReleaseSampler(S));
  for (cl_uint I = 0; I < Count && I < 4; ++I)
    say("clReleaseKernel", clReleaseKernel(Both[I]));
  say("clReleaseKernel", clReleaseKernel(First));
  say("clReleaseKernel", clReleaseKernel(Second));
  say("clReleaseProgram", clReleaseProgram(P));
  say("clReleaseContext", clReleaseContext(C));
  return 0;
}
