// Launches that a plan may take and launches that it must not, and what a host
// can see of either. Lines that begin with "by" say who wrote: 0 is the
// program's own kernel, and a planned one adds its number in thousands; all
// others must be the same without the plan.
#include "Host.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

static const char Source[] =
    "kernel void mark(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "kernel void other(global int *p, int n) { p[get_global_id(0)] = -n; }\n";

static std::atomic<int> ContextsGone{0};

static void CL_CALLBACK contextGone(cl_context, void *) { ++ContextsGone; }

namespace {

constexpr size_t Items = 64;

struct Sizes {
  std::vector<size_t> Global, Local = {}, Offset = {};
};

/// One kernel object of a program of its own, and a buffer that it writes.
struct Marker {
  cl_context C;
  cl_command_queue Q;
  cl_program P;
  cl_kernel K;
  cl_mem M;

  cl_int enqueue(const Sizes &S, cl_uint Waits = 0,
                 const cl_event *List = nullptr, cl_event *Event = nullptr) {
    auto listOf = [](const std::vector<size_t> &List_) {
      return List_.empty() ? nullptr : List_.data();
    };
    return clEnqueueNDRangeKernel(Q, K, cl_uint(S.Global.size()),
                                  listOf(S.Offset), listOf(S.Global),
                                  listOf(S.Local), Waits, List, Event);
  }
  /// The values at the begin and the end of what was to be written.
  void tell(const char *What, size_t First, size_t Last) {
    cl_int Values[Items];
    check(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, sizeof Values, Values, 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    printf("value %s: %d %d\n", What, Values[First] % 1000,
           Values[Last] % 1000);
    printf("by %s: %d\n", What, Values[First] / 1000);
    if (Values[First] != Values[Last])
      printf("NOT ALL BY ONE: %d %d\n", Values[First], Values[Last]);
  }
  void run(const char *What, cl_int N, const Sizes &S) {
    cl_int Clear = -1;
    check(clEnqueueFillBuffer(Q, M, &Clear, sizeof Clear, 0,
                              Items * sizeof(cl_int), 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
    setArg(K, 0, M);
    setArg(K, 1, N);
    printf("code %s: %d\n", What, enqueue(S));
    size_t First = S.Offset.empty() ? 0 : S.Offset[0];
    tell(What, First, First + S.Global[0] - 1);
  }
};

Marker newMarker(cl_device_id D, cl_command_queue_properties Bits = 0,
                 const char *Options = "") {
  Marker M;
  M.C = newContext({D});
  M.Q = newQueue(M.C, D, Bits);
  M.P = newProgram(M.C, Source, Options);
  M.K = newKernel(M.P, "mark");
  M.M = newBuffer(M.C, Items * sizeof(cl_int));
  return M;
}

void release(const Marker &M) {
  clReleaseMemObject(M.M);
  clReleaseKernel(M.K);
  clReleaseProgram(M.P);
  clReleaseCommandQueue(M.Q);
  clReleaseContext(M.C);
}

/// The plan has mark with n = 7 and no local size by four in one, with a local
/// size of 2, and by another kernel where the local size is 16 and the global
/// one a multiple of it.
void conditions(cl_device_id D) {
  Marker M = newMarker(D);
  M.run("seven", 7, {{64}});
  M.run("eight", 8, {{64}});
  M.run("odd", 7, {{62}});
  M.run("small", 7, {{4}});
  M.run("least", 7, {{8}});
  M.run("sixteen", 7, {{64}, {16}});
  M.run("sixteen eight", 8, {{32}, {16}});
  M.run("other local", 7, {{64}, {8}});
  M.run("offset", 7, {{32}, {}, {16}});
  M.run("no offset", 7, {{32}, {}, {0}});
  M.run("offset sixteen", 7, {{32}, {16}, {16}});
  M.run("plane", 7, {{64, 1}});
  M.run("plane sixteen", 8, {{64, 1, 1}, {16, 1, 1}});
  release(M);
}

/// What the driver refuses is refused as ever, and what was set before stays.
void errors(cl_device_id D) {
  Marker M = newMarker(D);
  auto say = [](const char *What, cl_int Code) {
    printf("error %s: %d\n", What, Code);
  };
  say("unset", M.enqueue({{64}}));
  M.run("set", 7, {{64}});
  cl_ulong Wide = 3;
  say("wrong size", clSetKernelArg(M.K, 1, sizeof Wide, &Wide));
  say("no such argument", clSetKernelArg(M.K, 2, sizeof Wide, &Wide));
  printf("code after: %d\n", M.enqueue({{64}}));
  M.tell("after", 0, 63);
  say("uneven", M.enqueue({{64}, {7}}));
  say("large", M.enqueue({{1 << 22}, {1 << 22}}));
  say("dimensions", M.enqueue({{4, 1, 1, 1}}));
  cl_command_queue Queue = M.Q;
  M.Q = nullptr;
  say("no queue", M.enqueue({{64}}));
  M.Q = Queue;
  Marker Foreign = newMarker(D);
  setArg(M.K, 1, cl_int(7));
  std::swap(Foreign.Q, M.Q);
  say("queue of another context", M.enqueue({{64}}));
  std::swap(Foreign.Q, M.Q);
  release(Foreign);
  release(M);
}

void eventsAndQueues(cl_device_id D) {
  Marker M = newMarker(D, CL_QUEUE_PROFILING_ENABLE |
                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  setArg(M.K, 0, M.M);
  setArg(M.K, 1, cl_int(7));
  cl_int Code;
  cl_event Go = clCreateUserEvent(M.C, &Code), Done;
  printf("waits: %d\n", M.enqueue({{64}}, 1, &Go, &Done));
  cl_int Status = 1;
  clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof Status,
                 &Status, nullptr);
  printf("waiting: %d\n", Status > CL_COMPLETE);
  check(clSetUserEventStatus(Go, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, &Done), "clWaitForEvents");
  M.tell("event", 0, 63);
  cl_command_type Type = 0;
  cl_command_queue Queue = nullptr;
  clGetEventInfo(Done, CL_EVENT_COMMAND_TYPE, sizeof Type, &Type, nullptr);
  clGetEventInfo(Done, CL_EVENT_COMMAND_QUEUE, sizeof Queue, &Queue, nullptr);
  cl_ulong Start = 0, End = 0;
  Code = clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START, sizeof Start,
                                 &Start, nullptr);
  clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof End, &End,
                          nullptr);
  printf("event %x %d, profile %d %d\n", Type, Queue == M.Q, Code,
         Start && Start <= End);
  clReleaseEvent(Go);
  clReleaseEvent(Done);
  Marker Plain = newMarker(D);
  setArg(Plain.K, 0, Plain.M);
  setArg(Plain.K, 1, cl_int(7));
  check(Plain.enqueue({{64}}, 0, nullptr, &Done), "enqueue");
  clFinish(Plain.Q);
  printf("no profile %d\n",
         clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START, sizeof Start,
                                 &Start, nullptr));
  clReleaseEvent(Done);
  release(Plain);
  release(M);
}

template <class Get> void number(const char *Name, Get Of) {
  size_t Value[3] = {};
  cl_int Code = Of(sizeof Value, Value);
  printf("info %s: %d %zu %zu %zu\n", Name, Code, Value[0], Value[1], Value[2]);
}

void queries(cl_device_id D) {
  Marker M = newMarker(D);
  M.run("asked", 7, {{64}});
  char Text[512] = {};
  clGetKernelInfo(M.K, CL_KERNEL_FUNCTION_NAME, sizeof Text, Text, nullptr);
  printf("info name %s\n", Text);
  clGetProgramInfo(M.P, CL_PROGRAM_SOURCE, sizeof Text, Text, nullptr);
  printf("info source %s\n", Text);
  clGetProgramInfo(M.P, CL_PROGRAM_KERNEL_NAMES, sizeof Text, Text, nullptr);
  printf("info names %s\n", Text);
  for (cl_kernel_info What : {CL_KERNEL_NUM_ARGS, CL_KERNEL_REFERENCE_COUNT})
    number("kernel", [&](size_t Size, void *Value) {
      return clGetKernelInfo(M.K, What, Size, Value, nullptr);
    });
  for (cl_program_info What :
       {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_REFERENCE_COUNT,
        CL_PROGRAM_NUM_DEVICES})
    number("program", [&](size_t Size, void *Value) {
      return clGetProgramInfo(M.P, What, Size, Value, nullptr);
    });
  for (cl_kernel_work_group_info What :
       {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
        CL_KERNEL_LOCAL_MEM_SIZE})
    number("work group", [&](size_t Size, void *Value) {
      return clGetKernelWorkGroupInfo(M.K, D, What, Size, Value, nullptr);
    });
  cl_program P = nullptr;
  clGetKernelInfo(M.K, CL_KERNEL_PROGRAM, sizeof P, &P, nullptr);
  printf("info its program %d\n", P == M.P);
  release(M);
}

/// Objects that are retained, released early, cloned, made again.
void lifetimes(cl_device_id D) {
  Marker M = newMarker(D);
  clSetContextDestructorCallback(M.C, contextGone, nullptr);
  check(clRetainKernel(M.K), "clRetainKernel");
  check(clReleaseKernel(M.K), "clReleaseKernel");
  check(clRetainProgram(M.P), "clRetainProgram");
  check(clReleaseProgram(M.P), "clReleaseProgram");
  M.run("retained", 7, {{64}});
  cl_kernel Second = newKernel(M.P, "mark"), First = M.K;
  M.K = Second;
  M.run("second", 8, {{64}});
  M.run("second", 7, {{64}});
  clReleaseKernel(Second);
  M.K = First;
  printf("code first: %d\n", M.enqueue({{64}}));
  M.tell("first", 0, 63);
  cl_int Code;
  cl_kernel Clone = clCloneKernel(First, &Code);
  printf("clone: %d\n", Code);
  if (Clone) {
    setArg(First, 1, cl_int(8));
    M.K = Clone;
    printf("code clone: %d\n", M.enqueue({{64}}));
    M.tell("clone", 0, 63);
    clReleaseKernel(Clone);
    M.K = First;
  }
  // The program goes before its kernels.
  check(clReleaseProgram(M.P), "clReleaseProgram");
  M.run("without program", 7, {{64}});
  cl_kernel All[4];
  cl_uint Count = 0;
  M.P = newProgram(M.C, Source);
  check(clCreateKernelsInProgram(M.P, 4, All, &Count),
        "clCreateKernelsInProgram");
  clReleaseKernel(First);
  for (cl_uint I = 0; I < Count; ++I) {
    char Name[16] = {};
    clGetKernelInfo(All[I], CL_KERNEL_FUNCTION_NAME, sizeof Name, Name,
                    nullptr);
    M.K = All[I];
    M.run(Name, 7, {{64}});
    clReleaseKernel(All[I]);
  }
  // One program, built again in another way; and its text once more.
  buildAgain(M.P, "-DAGAIN");
  M.K = newKernel(M.P, "mark");
  M.run("other options", 7, {{64}});
  clReleaseKernel(M.K);
  buildAgain(M.P, "");
  M.K = newKernel(M.P, "mark");
  M.run("options again", 7, {{64}});
  printf("built while there are kernels: %d\n",
         clBuildProgram(M.P, 0, nullptr, "-DAGAIN", nullptr, nullptr));
  M.run("still", 7, {{64}});
  release(M);
  // The driver's own threads may let go of it last.
  for (int I = 0; I < 5000 && ContextsGone == 0; ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  printf("contexts gone: %d\n", ContextsGone.load());
}

void otherArguments(cl_device_id D) {
  Marker M = newMarker(D);
  M.run("before", 7, {{64}});
  cl_buffer_region Region = {128, 128};
  cl_int Code;
  cl_mem Part = clCreateSubBuffer(M.M, CL_MEM_READ_WRITE,
                                  CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code);
  check(Code, "clCreateSubBuffer");
  setArg(M.K, 0, Part);
  printf("code part: %d\n", M.enqueue({{32}}));
  M.tell("part", 32, 63);
  clReleaseMemObject(Part);
  cl_device_svm_capabilities Can = 0;
  clGetDeviceInfo(D, CL_DEVICE_SVM_CAPABILITIES, sizeof Can, &Can, nullptr);
  if (Can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) {
    auto *Memory = (cl_int *)clSVMAlloc(M.C, CL_MEM_READ_WRITE, 256, 0);
    check(clSetKernelArgSVMPointer(M.K, 0, Memory), "SVM pointer");
    check(clSetKernelExecInfo(M.K, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof Memory,
                              &Memory),
          "clSetKernelExecInfo");
    printf("code svm: %d\n", M.enqueue({{64}}));
    check(clEnqueueSVMMap(M.Q, CL_TRUE, CL_MAP_READ, Memory, 256, 0, nullptr,
                          nullptr),
          "clEnqueueSVMMap");
    printf("value svm: %d\nby svm: %d\n", Memory[63] % 1000, Memory[0] / 1000);
    check(clEnqueueSVMUnmap(M.Q, Memory, 0, nullptr, nullptr), "unmap");
    clFinish(M.Q);
    setArg(M.K, 0, M.M);
    clSVMFree(M.C, Memory);
  }
  printf("code task: %d\n", clEnqueueTask(M.Q, M.K, 0, nullptr, nullptr));
  M.tell("task", 0, 0);
  release(M);
}

/// The plan wants the two buffers of gather apart.
void buffersApart(cl_device_id D) {
  cl_context C = newContext({D});
  cl_command_queue Q = newQueue(C, D);
  cl_program P =
      newProgram(C, "kernel void gather(global int *to, global int *of)"
                    " { to[get_global_id(0)] = of[0] % 1000; }");
  cl_kernel K = newKernel(P, "gather");
  auto filled = [&] {
    cl_mem M = newBuffer(C, 1024);
    cl_int Seven = 7;
    check(clEnqueueFillBuffer(Q, M, &Seven, sizeof Seven, 0, 1024, 0, nullptr,
                              nullptr),
          "clEnqueueFillBuffer");
    return M;
  };
  cl_mem A = filled(), B = filled();
  auto say = [&](const char *What, cl_mem To) {
    launch(Q, K, 16);
    cl_int Value = 0;
    check(clEnqueueReadBuffer(Q, To, CL_TRUE, 0, sizeof Value, &Value, 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    printf("value %s: %d\nby %s: %d\n", What, Value % 1000, What, Value / 1000);
  };
  auto run = [&](const char *What, cl_mem To, cl_mem Of) {
    setArg(K, 0, To);
    setArg(K, 1, Of);
    say(What, To);
  };
  auto part = [&](cl_mem Of, size_t Origin, size_t Size) {
    cl_buffer_region Region = {Origin, Size};
    cl_int Code;
    cl_mem Part = clCreateSubBuffer(
        Of, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &Region, &Code);
    check(Code, "clCreateSubBuffer");
    return Part;
  };
  run("two buffers", A, B);
  run("one buffer", A, A);
  setArg(K, 1, B);
  say("one argument changed", A);
  cl_mem First = part(A, 0, 512), Last = part(A, 512, 512),
         Middle = part(A, 256, 512);
  run("its halves", First, Last);
  run("part and middle", First, Middle);
  run("middle and part", Middle, Last);
  run("part and whole", Last, A);
  run("whole and part", A, First);
  run("part and other", Middle, B);
  clReleaseMemObject(Middle);
  // Memory of the host's, twice and by its halves.
  alignas(4096) static cl_int Host[2048];
  cl_mem Own = newBuffer(C, sizeof Host, CL_MEM_USE_HOST_PTR, Host);
  run("host's and own", Own, B);
  cl_mem Half = newBuffer(C, sizeof Host / 2, CL_MEM_USE_HOST_PTR, Host + 1024);
  run("host's twice", Own, Half);
  clReleaseMemObject(Own);
  Own = newBuffer(C, sizeof Host / 2, CL_MEM_USE_HOST_PTR, Host);
  run("host's halves", Own, Half);
  // What lives on after its release, and what gets a handle again.
  check(clRetainMemObject(B), "clRetainMemObject");
  check(clReleaseMemObject(B), "clReleaseMemObject");
  run("retained", A, B);
  for (int I = 0; I < 4; ++I) {
    clReleaseMemObject(B);
    B = filled();
    run("made again", A, B);
    run("again with itself", B, B);
  }
  cl_int Code;
  cl_kernel Clone = clCloneKernel(K, &Code);
  if (Clone) {
    std::swap(K, Clone);
    say("clone with itself", B);
    run("clone", A, B);
    std::swap(K, Clone);
    say("after the clone", B);
    clReleaseKernel(Clone);
  }
  cl_device_svm_capabilities Can = 0;
  clGetDeviceInfo(D, CL_DEVICE_SVM_CAPABILITIES, sizeof Can, &Can, nullptr);
  if (Can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) {
    auto *Memory = (cl_int *)clSVMAlloc(C, CL_MEM_READ_WRITE, 256, 0);
    cl_int Seven = 7;
    check(clEnqueueSVMMemFill(Q, Memory, &Seven, sizeof Seven, 256, 0, nullptr,
                              nullptr),
          "clEnqueueSVMMemFill");
    clFinish(Q);
    setArg(K, 0, A);
    check(clSetKernelArgSVMPointer(K, 1, Memory), "SVM pointer");
    say("shared virtual memory", A);
    clFinish(Q);
    run("and back", A, B);
    clSVMFree(C, Memory);
  }
  for (cl_mem M : {A, B, First, Last, Own, Half})
    clReleaseMemObject(M);
  clReleaseKernel(K);
  clReleaseProgram(P);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
}

} // namespace

int plannedMain() {
  cl_device_id D = allDevices()[0];
  conditions(D);
  errors(D);
  eventsAndQueues(D);
  queries(D);
  lifetimes(D);
  otherArguments(D);
  return 0;
}

int apartMain() {
  buffersApart(allDevices()[0]);
  return 0;
}
