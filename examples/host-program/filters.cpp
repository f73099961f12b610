// Two filters over a few frames of grey pixels, as a program of its own would
// run them. It prints a checksum, so that a changed result shows.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const char *Filters = R"CLC(
// Mixes two frames: Weight / 256 of A, the rest of B.
kernel void mix_frames(global const uchar *A, global const uchar *B,
                       global uchar *Out, ushort Weight) {
  size_t I = get_global_id(0);
  ushort16 X = convert_ushort16(vload16(I, A));
  ushort16 Y = convert_ushort16(vload16(I, B));
  ushort16 Sum = X * Weight + Y * (ushort)(256 - Weight);
  vstore16(convert_uchar16(Sum >> (ushort)8), I, Out);
}

// The mean of RADIUS pixels to either side. The frame has a margin.
kernel void soften(global const uchar *In, global uchar *Out, int Pitch) {
  int X = get_global_id(0), Y = get_global_id(1);
  global const uchar *Row = In + (Y + RADIUS) * Pitch + X * 8;
  uint8 Sum = 0;
  for (int K = 0; K <= 2 * RADIUS; ++K)
    Sum += convert_uint8(vload8(0, Row + K));
  vstore8(convert_uchar8(Sum / (2 * RADIUS + 1)), 0,
          Out + (Y + RADIUS) * Pitch + X * 8);
}
)CLC";

static void check(cl_int Code, const char *What) {
  if (Code == CL_SUCCESS)
    return;
  std::fprintf(stderr, "filters: %s: OpenCL error %d\n", What, Code);
  std::exit(1);
}

int main() {
  constexpr int Radius = 4, Pitch = 2048, Height = 1024, Frames = 20;
  constexpr size_t Bytes = size_t(Pitch) * (Height + 2 * Radius);
  cl_platform_id Platform;
  cl_device_id Device;
  cl_int E;
  check(clGetPlatformIDs(1, &Platform, nullptr), "no platform");
  check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
        "no device");
  cl_context C = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &E);
  check(E, "context");
  cl_command_queue Q = clCreateCommandQueue(C, Device, 0, &E);
  check(E, "queue");
  cl_program P = clCreateProgramWithSource(C, 1, &Filters, nullptr, &E);
  check(E, "program");
  check(clBuildProgram(P, 1, &Device, "-DRADIUS=4", nullptr, nullptr), "build");
  cl_kernel Mix = clCreateKernel(P, "mix_frames", &E);
  check(E, "mix_frames");
  cl_kernel Soften = clCreateKernel(P, "soften", &E);
  check(E, "soften");

  std::vector<unsigned char> Pixels(Bytes);
  cl_mem Frame[3];
  for (int F = 0; F < 3; ++F) {
    for (size_t I = 0; I < Bytes; ++I)
      Pixels[I] = (unsigned char)((I * 7 + I / Pitch * 13 + F * 101) % 251);
    Frame[F] = clCreateBuffer(C, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              Bytes, Pixels.data(), &E);
    check(E, "buffer");
  }
  for (int F = 0; F < Frames; ++F) {
    cl_mem A = Frame[F % 3], B = Frame[(F + 1) % 3], Out = Frame[(F + 2) % 3];
    cl_ushort Weight = (cl_ushort)(40 + 8 * F);
    cl_int Row = Pitch;
    size_t Whole = Bytes / 16, Size[2] = {(Pitch - 2 * Radius) / 8, Height};
    check(clSetKernelArg(Mix, 0, sizeof(cl_mem), &A) |
              clSetKernelArg(Mix, 1, sizeof(cl_mem), &B) |
              clSetKernelArg(Mix, 2, sizeof(cl_mem), &Out) |
              clSetKernelArg(Mix, 3, sizeof Weight, &Weight),
          "arguments of mix_frames");
    check(clEnqueueNDRangeKernel(Q, Mix, 1, nullptr, &Whole, nullptr, 0,
                                 nullptr, nullptr),
          "mix_frames");
    check(clSetKernelArg(Soften, 0, sizeof(cl_mem), &Out) |
              clSetKernelArg(Soften, 1, sizeof(cl_mem), &A) |
              clSetKernelArg(Soften, 2, sizeof Row, &Row),
          "arguments of soften");
    check(clEnqueueNDRangeKernel(Q, Soften, 2, nullptr, Size, nullptr, 0,
                                 nullptr, nullptr),
          "soften");
  }
  unsigned long long Sum = 0;
  for (cl_mem Each : Frame) {
    check(clEnqueueReadBuffer(Q, Each, CL_TRUE, 0, Bytes, Pixels.data(), 0,
                              nullptr, nullptr),
          "read");
    for (size_t I = 0; I < Bytes; ++I)
      Sum = Sum * 31 + Pixels[I];
  }
  std::printf("%d frames, checksum %016llx\n", Frames, Sum);
  for (cl_mem Each : Frame)
    clReleaseMemObject(Each);
  clReleaseKernel(Mix);
  clReleaseKernel(Soften);
  clReleaseProgram(P);
  clReleaseCommandQueue(Q);
  clReleaseContext(C);
}
