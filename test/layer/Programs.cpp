// Ways to make programs: several strings, some with lengths; headers; linking;
// building with a callback; the same again; from a binary; and one that fails.
#include "Host.h"
#include <atomic>
#include <cstring>
#include <thread>

static std::atomic<int> Called{0};

static void CL_CALLBACK notify(cl_program, void *Data) {
  Called = *static_cast<int *>(Data);
}

static cl_program fromStrings(cl_context C, std::vector<const char *> Strings,
                              const size_t *Lengths = nullptr) {
  cl_int Code;
  cl_program P = clCreateProgramWithSource(C, cl_uint(Strings.size()),
                                           Strings.data(), Lengths, &Code);
  check(Code, "clCreateProgramWithSource");
  return P;
}

/// What \p Kernel leaves in an int that was 1.
static int run(cl_context C, cl_command_queue Q, cl_program P,
               const char *Kernel) {
  cl_int Value = 1;
  cl_mem M = newBuffer(C, 4, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &Value);
  cl_kernel K = newKernel(P, Kernel);
  setArg(K, 0, M);
  launch(Q, K, 1);
  check(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, 4, &Value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  clReleaseKernel(K);
  clReleaseMemObject(M);
  return Value;
}

static void linked(cl_context C, cl_command_queue Q) {
  cl_program Header = fromStrings(C, {"#define SEVEN 7\n"});
  cl_program Main = fromStrings(
      C, {"#include \"inc/seven.h\"\nint helper(int);\n"
          "kernel void linked(global int *p) { *p = helper(SEVEN); }\n"});
  cl_program Helper = fromStrings(C, {"int helper(int n) { return n * N; }\n"});
  const char *Name = "inc/seven.h";
  check(clCompileProgram(Main, 0, nullptr, "-cl-std=CL1.2", 1, &Header, &Name,
                         nullptr, nullptr),
        "clCompileProgram");
  check(clCompileProgram(Helper, 0, nullptr, "-DN=6", 0, nullptr, nullptr,
                         nullptr, nullptr),
        "clCompileProgram");
  cl_int Code;
  cl_program Both[] = {Main, Helper};
  cl_program P =
      clLinkProgram(C, 0, nullptr, "", 2, Both, nullptr, nullptr, &Code);
  check(Code, "clLinkProgram");
  printf("linked %d\n", run(C, Q, P, "linked"));
  for (cl_program Each : {Header, Main, Helper, P})
    clReleaseProgram(Each);
}

static cl_program link(cl_context C, cl_program Part, const char *Options) {
  cl_int Code;
  cl_program P =
      clLinkProgram(C, 0, nullptr, Options, 1, &Part, nullptr, nullptr, &Code);
  check(Code, "clLinkProgram");
  return P;
}

static void fromBinary(cl_context C, cl_device_id D, cl_command_queue Q,
                       cl_program P) {
  size_t Size = 0;
  check(
      clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, sizeof Size, &Size, nullptr),
      "CL_PROGRAM_BINARY_SIZES");
  std::vector<unsigned char> Bytes(Size);
  unsigned char *Start = Bytes.data();
  check(clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof Start, &Start, nullptr),
        "CL_PROGRAM_BINARIES");
  cl_int Code, Status;
  const unsigned char *Const = Start;
  cl_program B =
      clCreateProgramWithBinary(C, 1, &D, &Size, &Const, &Status, &Code);
  check(Code, "clCreateProgramWithBinary");
  check(clBuildProgram(B, 0, nullptr, nullptr, nullptr, nullptr),
        "clBuildProgram");
  printf("binary %d\n", run(C, Q, B, "pieces"));
  clReleaseProgram(B);
}

int programsMain() {
  std::vector<cl_device_id> Devices = allDevices();
  cl_context C = newContext({Devices[0]});
  cl_command_queue Q = newQueue(C, Devices[0]);

  // A length of 0 and none: up to the zero. The second string has more behind
  // what counts.
  size_t Lengths[] = {0, 33, 0};
  std::vector<const char *> Pieces = {"// pieces \xc3\xa4\\\"\n",
                                      "kernel void pieces(global int *p)THIS",
                                      " { *p += N; }\n"};
  for (int I = 0; I < 3; ++I) { // the same program thrice
    cl_program P = fromStrings(C, Pieces, Lengths);
    check(clBuildProgram(P, 1, &Devices[0], "-DN=41", nullptr, nullptr),
          "clBuildProgram");
    printf("pieces %d\n", run(C, Q, P, "pieces"));
    clReleaseProgram(P);
  }
  cl_program P = fromStrings(C, Pieces, Lengths);
  int Given = 5;
  check(clBuildProgram(P, 0, nullptr, "-DN=1", notify, &Given),
        "clBuildProgram");
  while (Called != Given)
    std::this_thread::yield();
  printf("callback %d\n", run(C, Q, P, "pieces"));
  // Built once more, with other options.
  buildAgain(P, "-DN=2");
  printf("again %d\n", run(C, Q, P, "pieces"));
  char Text[256];
  check(clGetProgramInfo(P, CL_PROGRAM_SOURCE, sizeof Text, Text, nullptr),
        "CL_PROGRAM_SOURCE");
  printf("source %s", Text);
  fromBinary(C, Devices[0], Q, P);
  clReleaseProgram(P);
  linked(C, Q);
  cl_program Bad = fromStrings(C, {"kernel void bad() { undeclared; }\n"});
  printf("bad %d\n",
         clBuildProgram(Bad, 0, nullptr, nullptr, nullptr, nullptr));
  clReleaseProgram(Bad);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
  return 0;
}

/// Parts that are compiled and linked: two with a header; one by itself, and
/// the same as a library.
int linkedMain() {
  cl_device_id D = allDevices()[0];
  cl_context C = newContext({D});
  cl_command_queue Q = newQueue(C, D);
  linked(C, Q);
  cl_program Part =
      fromStrings(C, {"kernel void alone(global int *p) { *p += SIX; }\n"});
  check(clCompileProgram(Part, 0, nullptr, "  -DSIX=6", 0, nullptr, nullptr,
                         nullptr, nullptr),
        "clCompileProgram");
  cl_program Library = link(C, Part, "-create-library");
  for (cl_program Each : {Part, Library}) {
    cl_program P = link(C, Each, Each == Part ? nullptr : "");
    printf("alone %d\n", run(C, Q, P, "alone"));
    clReleaseProgram(P);
  }
  clReleaseProgram(Library);
  clReleaseProgram(Part);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
  return 0;
}
