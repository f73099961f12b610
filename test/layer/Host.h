// What the host programs of these tests share: a device to work on, and calls
// whose failure ends the program.
#pragma once

#include <CL/cl.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

/// No OpenCL device: CTest shows the test as skipped.
inline constexpr int NoDevice = 77;

inline void check(cl_int Code, const char *What) {
  if (Code == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: %d\n", What, Code);
  exit(1);
}

/// All devices of the first platform that has one.
inline std::vector<cl_device_id> allDevices() {
  cl_platform_id Platforms[8];
  cl_uint Count = 0;
  clGetPlatformIDs(8, Platforms, &Count);
  for (cl_uint I = 0; I < Count && I < 8; ++I) {
    cl_device_id Devices[8];
    cl_uint Found = 0;
    if (clGetDeviceIDs(Platforms[I], CL_DEVICE_TYPE_ALL, 8, Devices, &Found) ==
            CL_SUCCESS &&
        Found)
      return std::vector<cl_device_id>(Devices, Devices + Found);
  }
  exit(NoDevice);
}

inline cl_context newContext(const std::vector<cl_device_id> &Devices) {
  cl_int Code;
  cl_context C = clCreateContext(nullptr, cl_uint(Devices.size()),
                                 Devices.data(), nullptr, nullptr, &Code);
  check(Code, "clCreateContext");
  return C;
}

inline cl_command_queue newQueue(cl_context C, cl_device_id D,
                                 cl_command_queue_properties Bits = 0) {
  cl_int Code;
  cl_command_queue Q = clCreateCommandQueue(C, D, Bits, &Code);
  check(Code, "clCreateCommandQueue");
  return Q;
}

inline cl_program newProgram(cl_context C, const std::string &Text,
                             const char *Options = "") {
  cl_int Code;
  const char *Start = Text.c_str();
  cl_program P = clCreateProgramWithSource(C, 1, &Start, nullptr, &Code);
  check(Code, "clCreateProgramWithSource");
  check(clBuildProgram(P, 0, nullptr, Options, nullptr, nullptr),
        "clBuildProgram");
  return P;
}

/// Builds a program again, whose kernels are released: a driver's own threads
/// may let go of one a moment after its last launch is over.
inline void buildAgain(cl_program P, const char *Options) {
  cl_int Code = CL_INVALID_OPERATION;
  for (int I = 0; I < 5000 && Code == CL_INVALID_OPERATION; ++I) {
    if (I)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Code = clBuildProgram(P, 0, nullptr, Options, nullptr, nullptr);
  }
  check(Code, "clBuildProgram");
}

inline cl_kernel newKernel(cl_program P, const char *Name) {
  cl_int Code;
  cl_kernel K = clCreateKernel(P, Name, &Code);
  check(Code, "clCreateKernel");
  return K;
}

inline cl_mem newBuffer(cl_context C, size_t Bytes, cl_mem_flags Flags = 0,
                        void *Host = nullptr) {
  cl_int Code;
  cl_mem M = clCreateBuffer(C, Flags ? Flags : cl_mem_flags(CL_MEM_READ_WRITE),
                            Bytes, Host, &Code);
  check(Code, "clCreateBuffer");
  return M;
}

template <class T> void setArg(cl_kernel K, cl_uint I, const T &Value) {
  check(clSetKernelArg(K, I, sizeof Value, &Value), "clSetKernelArg");
}

inline void launch(cl_command_queue Q, cl_kernel K, size_t Global,
                   size_t Local = 0) {
  check(clEnqueueNDRangeKernel(Q, K, 1, nullptr, &Global,
                               Local ? &Local : nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

// One a file; each returns the exit code.
int callsMain();
int memoryMain();
int programsMain();
int linkedMain();
int threadsMain();
int plannedMain();
int apartMain();
int manyMain(unsigned Launches, unsigned Items, bool Kill);
int aloneMain(const char *LayerPath, unsigned Launches);
int acceptedMain(const char *LayerPath);
int extensionMain(const char *LayerPath);
int againMain(const char *LayerPath);
