// image-buffer: pixels at clamped neighbours.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=image-buffer %t/speaks.cl | FileCheck %t/speaks.cl --implicit-check-not=': advice '
// RUN: clrewrite measure --no-config --target=gfx906 --advise=image-buffer %t/silent.cl | FileCheck %t/silent.cl --implicit-check-not=': advice '

//--- speaks.cl
__kernel void blur(__global const uchar4 *src, __global uchar4 *dst, int w,
                   int h) {
  int x = get_global_id(0), y = get_global_id(1);
  uint4 sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      int cx = clamp(x + i, 0, w - 1), cy = clamp(y + j, 0, h - 1);
      // CHECK: speaks.cl:[[@LINE+1]]: advice image-buffer: src is read as an image is, at neighbours clamped to its edges: an image2d_t (CL_RGBA, CL_UNSIGNED_INT8 or CL_UNORM_INT8) with a sampler of CLK_ADDRESS_CLAMP_TO_EDGE
      sum += convert_uint4(src[cy * w + cx]);
    }
  dst[y * w + x] = convert_uchar4(sum / 9);
}

float4 pixel(__global const float4 *in, int x, int y, int w, int h) {
  // CHECK: speaks.cl:[[@LINE+1]]: advice image-buffer: in is read as an image is, {{.*}} (CL_RGBA, CL_FLOAT)
  return in[mad24(max(0, min(y, h - 1)), w, min(max(x - 1, 0), w - 1))];
}

__kernel void shift(__global const float4 *in, __global float4 *out, int w,
                    int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = pixel(in, x, y, w, h);
}

//--- silent.cl
// CHECK: kernel own
// The work-item's own pixel.
__kernel void own(__global const float4 *src, __global float4 *dst, int w,
                  int h) {
  int x = get_global_id(0), y = get_global_id(1);
  dst[y * w + x] = src[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
}

// Not clamped, from another bound than 0, in one dimension, of single floats.
__kernel void others(__global const float4 *src, __global const float *one,
                     __global float4 *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 s = src[(y + 1) * w + x + 1];
  s += src[clamp(y + 1, 1, h - 1) * w + clamp(x + 1, 1, w - 1)];
  s += src[y * w + clamp(x + 1, 0, w - 1)];
  s += one[clamp(y + 1, 0, h - 1) * w + clamp(x + 1, 0, w - 1)];
  dst[y * w + x] = s;
}

// Written, too.
__kernel void in_place(__global float4 *a, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 s = a[clamp(y + 1, 0, h - 1) * w + clamp(x + 1, 0, w - 1)];
  a[y * w + x] = s;
}
