// serialise-vload: each alternative's text, and the sites that are declined.
//
// PAIR: before.cl after.cl
// PAIR: before.cl rolled.cl --alternative=roll-last-2
// WRONG: after.cl nested combined2 -= => combined2 +=
//
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/fence.cl
// RUN: clrewrite --only=serialise-vload --alternative=fence --no-measure --fix %t/fence.cl
// RUN: FileCheck %s --check-prefix=FENCE --input-file=%t/fence.cl
// FENCE: float4 sum = vload4(i, in);
// FENCE-NEXT: mem_fence(CLK_GLOBAL_MEM_FENCE);
// FENCE-NEXT: sum += vload4(i, in + n);

//--- before.cl
__kernel void declared(__global const float *in, __global float4 *out, int n) {
  size_t i = get_global_id(0);
  float4 sum = vload4(i, in) + vload4(i, in + n) - vload4(i, in + 2 * n);
  out[i] = sum;
}
__kernel void assigned(__global const uchar *in, __global uchar16 *out, int n) {
  int i = get_global_id(0);
  uchar16 best;
  best = (vload16(i, in) & vload16(i, in + n)) | vload16(i, in + 3 * n);
  out[i] = best;
}
__kernel void nested(__global const short *in, __global short *out, int n) {
  int i = get_global_id(0);
  const short2 half_sum = (vload2(i, in) + vload2(i, in + n)) >> 1;
  if (n)
    vstore2(vload2(i, in) - vload2(i + 1, in), i, out);
  vstore2(half_sum + vload2(i, out), i, out);
}
__kernel void halves(__global const half *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = vload_half4(i, in) + /* the next */ vload_half4(i + 1, in) *
           2.0f;
}
__kernel void read_back(__global const int *in, __global int4 *out) {
  int4 sum = 0;
  for (int i = 0; i < 4; ++i)
    sum = vload4(i, in) + vload4(i + (sum.x & 3), in) - vload4(i + 9, in);
  out[0] = sum;
}
constant int term = 3;
#define ROW (term * 8)
__kernel void awkward(__global const int *p, __global int8 *o, uint x, int c) {
  int8 s, t;
  s = vload8(0, p + ((x - 1u) >> 28)) + vload8(0, p + ((x - 2u) >> 28)) +
      vload8(0, p + ((x - 3u) >> 28));
  t = (x, vload8(0, p)) + vload8(1, p);
  if (c)
    s += t;
  if (c) s = vload8(0, p) + vload8(1, p) /* yes */; else s = 0;
  if (c) o[3] = vload8(0, p) + vload8(1, p) /* no */;
  t = /* the box sum */ (vload8(0, p) + vload8(1, p) /* tail */);
  int8 d = vload8(0, p) + vload8(1, p) /* total */;
  o[0] = s + t + d;
  o[1] = vload8(0, p + ROW) + vload8(1, p + ROW) - vload8(2, p + ROW);
}
__kernel void addressed(__global const float *in, __global float4 *out, int n) {
  float4 sum = vload4(0, &in[n]) + vload4(0, &in[n + 4]) - vload4(0, &in[n + 8]);
  out[get_global_id(0)] = sum;
}
//--- after.cl
__kernel void declared(__global const float *in, __global float4 *out, int n) {
  size_t i = get_global_id(0);
  float4 sum = vload4(i, in);
  sum += vload4(i, in + n),
      sum -= vload4(i, in + 2 * n);
  out[i] = sum;
}
__kernel void assigned(__global const uchar *in, __global uchar16 *out, int n) {
  int i = get_global_id(0);
  uchar16 best;
  best = vload16(i, in),
      best &= vload16(i, in + n),
      best |= vload16(i, in + 3 * n);
  out[i] = best;
}
__kernel void nested(__global const short *in, __global short *out, int n) {
  int i = get_global_id(0);
  short2 combined = vload2(i, in);
  combined += vload2(i, in + n);
  const short2 half_sum = (combined) >> 1;
  if (n)
    { short2 combined2 = vload2(i, in);
    combined2 -= vload2(i + 1, in);
    vstore2(combined2, i, out); }
  vstore2(half_sum + vload2(i, out), i, out);
}
__kernel void halves(__global const half *in, __global float4 *out) {
  int i = get_global_id(0);
  /* the next */
  float4 combined = vload_half4(i, in);
  combined += vload_half4(i + 1, in) *
           2.0f;
  out[i] = combined;
}
__kernel void read_back(__global const int *in, __global int4 *out) {
  int4 sum = 0;
  for (int i = 0; i < 4; ++i)
    { int4 combined = vload4(i, in);
    combined += vload4(i + (sum.x & 3), in),
        combined -= vload4(i + 9, in);
    sum = combined; }
  out[0] = sum;
}
constant int term = 3;
#define ROW (term * 8)
__kernel void awkward(__global const int *p, __global int8 *o, uint x, int c) {
  int8 s, t;
  s = vload8(0, p + ((x - 1u) >> 28)),
      s += vload8(0, p + ((x - 2u) >> 28)),
      s += vload8(0, p + ((x - 3u) >> 28));
  t = (x, vload8(0, p)),
      t += vload8(1, p);
  if (c)
    s += t;
  if (c) { /* yes */
  s = vload8(0, p),
      s += vload8(1, p); } else s = 0;
  if (c) { int8 combined = vload8(0, p);
  combined += vload8(1, p);
  o[3] = combined /* no */; }
  /* the box sum */
  /* tail */
  t = vload8(0, p),
      t += vload8(1, p);
  /* total */
  int8 d = vload8(0, p);
  d += vload8(1, p);
  o[0] = s + t + d;
  int8 combined2 = vload8(0, p + ROW);
  combined2 += vload8(1, p + ROW),
      combined2 -= vload8(2, p + ROW);
  o[1] = combined2;
}
__kernel void addressed(__global const float *in, __global float4 *out, int n) {
  float4 sum = vload4(0, &in[n]);
  sum += vload4(0, &in[n + 4]),
      sum -= vload4(0, &in[n + 8]);
  out[get_global_id(0)] = sum;
}
//--- rolled.cl
__kernel void declared(__global const float *in, __global float4 *out, int n) {
  size_t i = get_global_id(0);
  float4 sum = vload4(i, in);
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2) {
    float4 loaded = vload4(i, (in + (1 + term2) * n));
    sum = term2 == 0 ? sum + loaded : sum - loaded;
  }
  out[i] = sum;
}
__kernel void assigned(__global const uchar *in, __global uchar16 *out, int n) {
  int i = get_global_id(0);
  uchar16 best;
  best = vload16(i, in);
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2) {
    uchar16 loaded = vload16(i, (in + (1 + 2 * term2) * n));
    best = term2 == 0 ? best & loaded : best | loaded;
  }
  out[i] = best;
}
__kernel void nested(__global const short *in, __global short *out, int n) {
  int i = get_global_id(0);
  const short2 half_sum = (vload2(i, in) + vload2(i, in + n)) >> 1;
  if (n)
    vstore2(vload2(i, in) - vload2(i + 1, in), i, out);
  vstore2(half_sum + vload2(i, out), i, out);
}
__kernel void halves(__global const half *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = vload_half4(i, in) + /* the next */ vload_half4(i + 1, in) *
           2.0f;
}
__kernel void read_back(__global const int *in, __global int4 *out) {
  int4 sum = 0;
  for (int i = 0; i < 4; ++i)
    { int4 combined = vload4(i, in);
    __attribute__((opencl_unroll_hint(1)))
    for (int term2 = 0; term2 < 2; ++term2) {
      int4 loaded = vload4(i + ((term2 ? 9 : (sum.x & 3))), in);
      combined = term2 == 0 ? combined + loaded : combined - loaded;
    }
    sum = combined; }
  out[0] = sum;
}
constant int term = 3;
#define ROW (term * 8)
__kernel void awkward(__global const int *p, __global int8 *o, uint x, int c) {
  int8 s, t;
  s = vload8(0, p + ((x - 1u) >> 28));
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2)
    s += vload8(0, p + ((x - ((uint)(2 + term2))) >> 28));
  t = (x, vload8(0, p)) + vload8(1, p);
  if (c)
    s += t;
  if (c) s = vload8(0, p) + vload8(1, p) /* yes */; else s = 0;
  if (c) o[3] = vload8(0, p) + vload8(1, p) /* no */;
  t = /* the box sum */ (vload8(0, p) + vload8(1, p) /* tail */);
  int8 d = vload8(0, p) + vload8(1, p) /* total */;
  o[0] = s + t + d;
  int8 combined = vload8(0, p + ROW);
  __attribute__((opencl_unroll_hint(1)))
  for (int term3 = 0; term3 < 2; ++term3) {
    int8 loaded = vload8((1 + term3), p + ROW);
    combined = term3 == 0 ? combined + loaded : combined - loaded;
  }
  o[1] = combined;
}
__kernel void addressed(__global const float *in, __global float4 *out, int n) {
  float4 sum = vload4(0, &in[n]);
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2) {
    float4 loaded = vload4(0, &in[(n + (4 + 4 * term2))]);
    sum = term2 == 0 ? sum + loaded : sum - loaded;
  }
  out[get_global_id(0)] = sum;
}
//--- declines.cl
#define LOAD(k) vload4(i, in + (k))
__kernel void macros(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined serialise-vload: the expression, or a part of its statement, comes from a macro or holds a preprocessor directive
  out[i] = LOAD(0) + LOAD(n);
  // CHECK: declined serialise-vload: the expression, or a part of its statement, comes from a macro or holds a preprocessor directive
  out[i + 1] = vload4(i, in) +
#ifdef FAR
               vload4(i + 64, in) +
#endif
               vload4(i + n, in);
  // CHECK: declined serialise-vload: the loads are evaluated on some paths only (?:, &&, ||), or not in a statement of their own
  out[i + 2] = n > 3 ? vload4(i, in) + vload4(i, in + n) : (float4)(0);
  // CHECK: declined serialise-vload: the loads are evaluated on some paths only (?:, &&, ||), or not in a statement of their own
  for (float4 s = vload4(0, in) + vload4(1, in); n < 3; ++n)
    out[n] = s;
  // CHECK: declined serialise-vload: an operand has side effects
  out[i + 3] = vload4(n++, in) + vload4(i, in);
  // CHECK: declined serialise-vload: the rest of the statement has side effects or declares several variables
  float4 one = vload4(0, in), two = vload4(1, in) - one + vload4(2, in);
  // CHECK: declined serialise-vload: the rest of the statement has side effects or declares several variables
  out[n++] = vload4(1, in) - two + vload4(2, in);
  // CHECK: declined serialise-vload: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  out[i + 4] = vload4(1, in) * one + vload4(2, in) * two;
}
// Products that a compiler contracts with the sum around them.
__kernel void contracted(__global const float *p, __global const float *q,
                         __global float4 *o, float k) {
  int i = get_global_id(0);
  float4 acc = 0;
  // CHECK: declined serialise-vload: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  acc += vload4(i, p) * vload4(i, q);
  // CHECK: declined serialise-vload: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  o[i] = -(vload4(i, p) * vload4(i, q)) + acc;
  // CHECK: declined serialise-vload: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  float4 x = -(vload4(i, p) * k) + vload4(1, p);
  // CHECK: declined serialise-vload: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  x = (float4)(vload4(2, p) * k) + vload4(3, p);
  o[i + 1] = x + acc;
}
#define PAIR(a, b) vload4(0, a) + vload4(0, b)
__kernel void hidden(__global const float *p, __global float4 *o) {
  float4 s;
  // CHECK: declined serialise-vload: the expression, or a part of its statement, comes from a macro or holds a preprocessor directive
  s = vload4(0, p) + PAIR(p + 8, p + 16) + vload4(3, p);
  o[0] = s;
  // CHECK: declined serialise-vload: the loads are evaluated on some paths only (?:, &&, ||), or not in a statement of their own
  o[1] = sizeof(vload4(0, p) + vload4(1, p));
}
__kernel void not_sites(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = vload4(i, in) * 2.0f;
  float4 a = vload4(i, in), b = vload4(i + 1, in);
  out[i + 1] = fmax(vload4(i, in), vload4(i + 1, in)) + a - b;
}
