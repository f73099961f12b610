// column-access: what it speaks of, and what looks like it.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=column-access %t/speaks.cl | FileCheck %t/speaks.cl --implicit-check-not=': advice '
// RUN: clrewrite measure --no-config --target=gfx906 --advise=column-access %t/silent.cl | FileCheck %t/silent.cl --implicit-check-not=': advice '

//--- speaks.cl
__kernel void swapped(__global const float *in, __global float *out, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: writes of out do not coalesce: the lanes of a wave are h elements apart here (the stride of dimension 0's id), while the id of dimension 1 walks the neighbours; let dimension 0 run
  out[x * h + y] = in[y * 64 + x];
}

__kernel void rows(__global const float *in, __global float *out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: reads of in do not coalesce: the lanes of a wave are n elements apart here {{.*}} while the loop over k walks
    sum += in[get_global_id(0) * n + k];
  out[get_global_id(0)] = sum;
}

__kernel void moved(__global const float *in, __global float *out, int n) {
  __global const float *row = in + get_global_id(0) * n;
  float sum = 0;
  int k;
  for (k = 0; k < n; k++)
    // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: reads of row do not coalesce: the lanes of a wave are n elements
    sum += row[k];
  out[get_global_id(0)] = sum;
}

__kernel void records(__global const uint *in, __global uint *out) {
  size_t i = get_local_id(0) + get_group_id(0) * get_local_size(0);
  uint sum = 0;
  // CHECK: speaks.cl:[[@LINE+2]]: advice column-access: reads of in do not coalesce: the lanes of a wave are 20 elements apart
  // CHECK-SAME: (3 such accesses in records)
  sum += in[20 * i];
  sum += in[20 * i + 1];
  sum += in[20 * i + 2];
  out[i] = sum;
}

__kernel void vectors(__global const float *in, __global float *out, int w) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: reads of in do not coalesce: the lanes of a wave are 4*w elements
  float4 v = vload4(at.x * w + at.y, in);
  vstore4(v, at.y * w + at.x, out);
}

float helper(__global const float *p, int row, int col, int pitch) {
  // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: reads of p do not coalesce: the lanes of a wave are pitch elements
  return p[mad24(row, pitch, col)];
}

int place(int r, int c, int w) { return r * w + c; }

__kernel void callers(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: writes of out do not coalesce: the lanes of a wave are w elements
  out[place(x, y, w)] = helper(in, x, clamp(y - 1, 0, w - 1), w);
}

#define AT(r, c) ((r) * pitch + (c))
__kernel void macros(__global float *out, int pitch) {
  // CHECK: speaks.cl:[[@LINE+1]]: advice column-access: writes of out do not coalesce: the lanes of a wave are pitch elements
  out[AT(get_global_id(0), get_global_id(1))] = 1;
}

//--- silent.cl
// CHECK: kernel coalesced
__kernel void coalesced(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x + 1] + in[(y + 1) * w + x];
}

// The step may be 1.
__kernel void step(__global const float *in, __global float *out, int inc) {
  out[get_global_id(0)] = in[get_global_id(0) * inc];
}

// What lies between is read too, or is near.
__kernel void near(__global const float *in, __global float4 *out) {
  int x = get_global_id(0);
  out[x] = (float4)(in[4 * x], in[4 * x + 1], in[4 * x + 2], in[4 * x + 3]);
}

__kernel void whole(__global const float *in, __global float *out) {
  int x = get_global_id(0);
  vstore16(vload16(x, in), x, out);
}

// One lane alone.
__kernel void leader(__global const float *in, __global float *out, int n) {
  float sum = 0;
  if (get_local_id(0) == 0)
    for (int k = 0; k < n; ++k)
      sum += in[get_global_id(0) * n + k];
  out[get_global_id(0)] = sum;
}

// The same, by other ways.
__kernel void fewer(__global const float *in, __global float *out, int n) {
  int x = get_local_id(0);
  if (x < 8)
    out[x] = in[x * 64];
  out[x] = x == 0 ? in[x * 64] : 0;
  for (int i = x; i < 4; i += 256)
    out[i] = in[i * 64];
  if (x != 0)
    return;
  out[0] = in[x * 64];
}

// Nothing tells the stride of these.
__kernel void modulo(__global const float *in, __global float *out, int w) {
  int i = get_global_id(0);
  int x = i % w, y = i / w;
  out[x * w + y] = in[i];
}

__kernel void gather(__global const int *at, __global const float *in,
                     __global float *out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[at[get_global_id(0)] * n + k];
  out[get_global_id(0)] = sum;
}

__kernel void hashed(__global float *out, int n) {
  int i = get_global_id(0) * n;
  i ^= i >> 3;
  for (int k = 0; k < 4; ++k)
    out[i + k] = 0;
}

// A group's lanes lie in columns.
__attribute__((reqd_work_group_size(1, 64, 1)))
__kernel void upright(__global float *out, int h) {
  out[get_global_id(0) * h + get_global_id(1)] = 1;
}

// Shared by all lanes, or not in global memory.
__kernel void uniform(__global const float *in, __global float *out, int n,
                      __local float *tile) {
  int l = get_local_id(0);
  for (int k = 0; k < 32; ++k)
    tile[l * 32 + k] = in[get_group_id(0) * n + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l];
}

__kernel void suppressed(__global float *out, int h) {
  // NOCLREWRITENEXTLINE(column-access): h is small
  out[get_global_id(0) * h + get_global_id(1)] = 1;
  out[get_global_id(0) * h + get_global_id(1)] += 1; // NOCLREWRITE
}
