#include "IdleDriver.h"
#include <CL/cl_layer.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>

namespace {

/// Handles only have to differ.
template <class T> T handle(uintptr_t Number) {
  return reinterpret_cast<T>(Number * 16);
}

uintptr_t LastHandle;
/// Drivers too give the handle of what is gone to what comes next.
cl_mem FreeBuffer;
std::map<cl_command_queue, cl_command_queue_properties> QueueBits;
std::map<cl_mem, size_t> BufferBytes;

/// What a driver without a function answers.
cl_int missing() { return CL_INVALID_OPERATION; }

template <class T> cl_int tell(T What, size_t Size, void *Value, size_t *Ret) {
  if (Value && Size >= sizeof What)
    memcpy(Value, &What, sizeof What);
  if (Ret)
    *Ret = sizeof What;
  return CL_SUCCESS;
}

void *CL_API_CALL extensionFunction(cl_platform_id, const char *) {
  return reinterpret_cast<void *>(missing);
}
cl_int CL_API_CALL deviceInfo(cl_device_id, cl_device_info What, size_t Size,
                              void *Value, size_t *Ret) {
  return What == CL_DEVICE_MAX_WORK_ITEM_SIZES
             ? tell(std::array<size_t, 3>{1024, 1024, 1024}, Size, Value, Ret)
             : tell(std::array<char, 5>{"idle"}, Size, Value, Ret);
}
cl_command_queue CL_API_CALL createQueue(cl_context, cl_device_id,
                                         cl_command_queue_properties Bits,
                                         cl_int *) {
  auto Q = handle<cl_command_queue>(++LastHandle);
  QueueBits[Q] = Bits;
  return Q;
}
cl_int CL_API_CALL queueInfo(cl_command_queue Q, cl_command_queue_info What,
                             size_t Size, void *Value, size_t *Ret) {
  return What == CL_QUEUE_PROPERTIES
             ? tell(QueueBits[Q], Size, Value, Ret)
             : tell(handle<void *>(1), Size, Value, Ret);
}
cl_program CL_API_CALL createProgram(cl_context, cl_uint, const char **,
                                     const size_t *, cl_int *) {
  return handle<cl_program>(++LastHandle);
}
cl_int CL_API_CALL programInfo(cl_program, cl_program_info, size_t Size,
                               void *Value, size_t *Ret) {
  return tell(handle<cl_device_id>(1), Size, Value, Ret);
}
cl_int CL_API_CALL buildProgram(cl_program, cl_uint, const cl_device_id *,
                                const char *,
                                void(CL_CALLBACK *)(cl_program, void *),
                                void *) {
  return CL_SUCCESS;
}
/// All are built without options.
cl_int CL_API_CALL buildInfo(cl_program, cl_device_id,
                             cl_program_build_info What, size_t Size,
                             void *Value, size_t *Ret) {
  return What == CL_PROGRAM_BUILD_STATUS
             ? tell(cl_build_status(CL_BUILD_SUCCESS), Size, Value, Ret)
         : What == CL_PROGRAM_BUILD_OPTIONS ? tell('\0', Size, Value, Ret)
                                            : CL_INVALID_VALUE;
}
cl_kernel CL_API_CALL createKernel(cl_program, const char *, cl_int *) {
  return handle<cl_kernel>(++LastHandle);
}
cl_int CL_API_CALL kernelInfo(cl_kernel, cl_kernel_info, size_t Size,
                              void *Value, size_t *Ret) {
  return tell(cl_uint(4), Size, Value, Ret);
}
cl_int CL_API_CALL workGroupInfo(cl_kernel, cl_device_id,
                                 cl_kernel_work_group_info What, size_t Size,
                                 void *Value, size_t *Ret) {
  return What == CL_KERNEL_WORK_GROUP_SIZE
             ? tell(size_t(1024), Size, Value, Ret)
             : tell(std::array<size_t, 3>{}, Size, Value, Ret);
}
cl_mem CL_API_CALL createBuffer(cl_context, cl_mem_flags, size_t Bytes, void *,
                                cl_int *) {
  cl_mem M = FreeBuffer ? FreeBuffer : handle<cl_mem>(++LastHandle);
  FreeBuffer = nullptr;
  BufferBytes[M] = Bytes;
  return M;
}
cl_int CL_API_CALL releaseBuffer(cl_mem M) {
  FreeBuffer = M;
  return CL_SUCCESS;
}
cl_int CL_API_CALL memInfo(cl_mem M, cl_mem_info What, size_t Size, void *Value,
                           size_t *Ret) {
  if (What == CL_MEM_TYPE)
    return tell(cl_mem_object_type(CL_MEM_OBJECT_BUFFER), Size, Value, Ret);
  return tell(What == CL_MEM_SIZE ? BufferBytes[M] : size_t(0), Size, Value,
              Ret);
}
void *CL_API_CALL allocate(cl_context, cl_svm_mem_flags, size_t, cl_uint) {
  static char Memory[4096];
  return Memory;
}
void CL_API_CALL deallocate(cl_context, void *) {}
cl_int CL_API_CALL setPointer(cl_kernel, cl_uint, const void *) {
  return CL_SUCCESS;
}
cl_int CL_API_CALL setKernelArg(cl_kernel, cl_uint, size_t, const void *) {
  return CL_SUCCESS;
}
cl_int CL_API_CALL enqueue(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                           const size_t *, const size_t *, cl_uint,
                           const cl_event *, cl_event *Event) {
  if (Event)
    *Event = handle<cl_event>(2);
  return CL_SUCCESS;
}
cl_int CL_API_CALL finish(cl_command_queue) { return CL_SUCCESS; }
cl_int CL_API_CALL eventInfo(cl_event, cl_event_info, size_t Size, void *Value,
                             size_t *Ret) {
  return tell(cl_int(CL_COMPLETE), Size, Value, Ret);
}
cl_int CL_API_CALL profilingInfo(cl_event, cl_profiling_info What, size_t Size,
                                 void *Value, size_t *Ret) {
  return tell(cl_ulong(What), Size, Value, Ret);
}
cl_int CL_API_CALL releaseEvent(cl_event) { return CL_SUCCESS; }

cl_icd_dispatch table() {
  cl_icd_dispatch Table;
  auto *Slots = reinterpret_cast<void **>(&Table);
  std::fill_n(Slots, sizeof Table / sizeof *Slots,
              reinterpret_cast<void *>(missing));
  Table.clGetExtensionFunctionAddressForPlatform = extensionFunction;
  Table.clGetDeviceInfo = deviceInfo;
  Table.clBuildProgram = buildProgram;
  Table.clGetProgramBuildInfo = buildInfo;
  Table.clGetKernelWorkGroupInfo = workGroupInfo;
  Table.clCreateCommandQueue = createQueue;
  Table.clGetCommandQueueInfo = queueInfo;
  Table.clCreateProgramWithSource = createProgram;
  Table.clGetProgramInfo = programInfo;
  Table.clCreateKernel = createKernel;
  Table.clGetKernelInfo = kernelInfo;
  Table.clCreateBuffer = createBuffer;
  Table.clReleaseMemObject = releaseBuffer;
  Table.clGetMemObjectInfo = memInfo;
  Table.clSVMAlloc = allocate;
  Table.clSVMFree = deallocate;
  Table.clSetKernelArgSVMPointer = setPointer;
  Table.clSetKernelArg = setKernelArg;
  Table.clEnqueueNDRangeKernel = enqueue;
  Table.clFinish = finish;
  Table.clGetEventInfo = eventInfo;
  Table.clGetEventProfilingInfo = profilingInfo;
  Table.clReleaseEvent = releaseEvent;
  return Table;
}

} // namespace

const cl_icd_dispatch *idleDriver() {
  static const cl_icd_dispatch Driver = table();
  return &Driver;
}

const cl_icd_dispatch *layerAboveIdle(const char *LayerPath) {
  void *Library = dlopen(LayerPath, RTLD_NOW);
  auto Init = reinterpret_cast<pfn_clInitLayer>(
      Library ? dlsym(Library, "clInitLayer") : nullptr);
  const cl_icd_dispatch *Layered = nullptr;
  cl_uint Entries = 0;
  if (Init && Init(sizeof(cl_icd_dispatch) / sizeof(void *), idleDriver(),
                   &Entries, &Layered) == CL_SUCCESS)
    return Layered;
  fprintf(stderr, "%s: no layer\n", LayerPath);
  return nullptr;
}

void Client::setBuffers(bool Swapped) const {
  set(0, Buffers[Swapped]);
  set(1, Buffers[!Swapped]);
}

Client newClient(const cl_icd_dispatch *Call, const char *Source) {
  Client C{Call, {}, {}, {}};
  cl_int Code;
  C.Queue =
      Call->clCreateCommandQueue(nullptr, handle<cl_device_id>(1), 0, &Code);
  C.Kernel = Call->clCreateKernel(
      Call->clCreateProgramWithSource(nullptr, 1, &Source, nullptr, &Code), "k",
      &Code);
  for (cl_mem &M : C.Buffers)
    M = Call->clCreateBuffer(nullptr, CL_MEM_READ_WRITE, 64, nullptr, &Code);
  return C;
}

std::optional<Client> newLayeredClient(const char *LayerPath,
                                       const char *Source) {
  const cl_icd_dispatch *Layered = layerAboveIdle(LayerPath);
  if (!Layered)
    return std::nullopt;
  Client C = newClient(Layered, Source);
  C.setBuffers();
  return C;
}
