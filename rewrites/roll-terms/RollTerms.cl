// roll-terms: which sums wait for their loads, what becomes of the declarations,
// and the sums that are declined.
//
// PAIR: before.cl after.cl
//
// It pays where the values are wide, by what is assumed of a kernel that can't be
// executed: here its launch leaves an argument out.
// RUN: split-file %s %t
// RUN: not clrewrite --only=roll-terms --verify=off --target=gfx1030 --only-target --launch=unsharp:1024x1024,pitch=16384 %t/blur.cl | FileCheck %s --check-prefix=PAYS
// PAYS: occupancy 7 -> 16 of 16 waves/SIMD, est. 1508 -> 1511 cycles (bandwidth, assumed: the launch gives an argument no value)

//--- before.cl
kernel void corners(global const uchar *in, global short8 *out, int pitch) {
  int i = get_global_id(0);
  global const uchar *p = in + i;
  short8 a = convert_short8(vload8(0, p)); // first
  short8 b = convert_short8(vload8(0, p + 1));
  short8 c = convert_short8(vload8(1, p + pitch));
  short8 d = convert_short8(vload8(1, p + pitch + 1)), rest = (short8)(3);
  rest += (short8)(1);
  out[i] = ((a + b) - c - d) * rest;
}
// The rest of the sum stays, and so do other loads. Declared together.
kernel void plus_shape(global const float4 *in, global float4 *out, float k) {
  int x = get_global_id(0) + 1;
  const float4 n = in[x - 1], c = in[x] /* middle */, s = in[x + 1],
               w = in[2 * x], e = in[2 * x + 1];
  float4 sum = n + s + w + e - k * c;
  out[x - 1] = sum;
}
// Two sums of one statement; integers and floats; other operations.
kernel void both(global const int *in, global const uint *u, global int *out) {
  int i = get_global_id(0), s;
  int a = in[i], b = in[i + 1], c = in[i + 2];
  uint d = u[i], e = u[i + 1], g = u[i + 2];
  if (i > 3)
    s = i;
  else
    s = i + 2;
  s = (a ^ b ^ c) + (int)((d | e | g) >> 8) + s;
  out[i] = s;
}
//--- after.cl
kernel void corners(global const uchar *in, global short8 *out, int pitch) {
  int i = get_global_id(0);
  global const uchar *p = in + i;
  // first
  short8 rest = (short8)(3);
  rest += (short8)(1);
  short8 combined = convert_short8(vload8(0, p));
  combined += convert_short8(vload8(0, p + 1));
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term)
    combined -= convert_short8(vload8(1, ((p + pitch) + term)));
  out[i] = (combined) * rest;
}
// The rest of the sum stays, and so do other loads. Declared together.
kernel void plus_shape(global const float4 *in, global float4 *out, float k) {
  int x = get_global_id(0) + 1;
  /* middle */
  const float4 c = in[x];
  float4 combined = in[x - 1];
  combined += in[x + 1];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term)
    combined += in[((2 * x) + term)];
  float4 sum = combined - k * c;
  out[x - 1] = sum;
}
// Two sums of one statement; integers and floats; other operations.
kernel void both(global const int *in, global const uint *u, global int *out) {
  int i = get_global_id(0), s;
  if (i > 3)
    s = i;
  else
    s = i + 2;
  int combined = in[i];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term)
    combined ^= in[(i + (1 + term))];
  uint combined2 = u[i];
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2)
    combined2 |= u[(i + (1 + term2))];
  s = (combined) + (int)((combined2) >> 8) + s;
  out[i] = s;
}
//--- blur.cl
kernel void unsharp(global const uchar *restrict in,
                    global uchar *restrict out, int pitch, int amount) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1) + 1;
  global const uchar *p = in + y * pitch + x;
  short16 nw = convert_short16(vload16(0, p - pitch - 1));
  short16 n = convert_short16(vload16(0, p - pitch));
  short16 ne = convert_short16(vload16(0, p - pitch + 1));
  short16 w = convert_short16(vload16(0, p - 1));
  short16 c = convert_short16(vload16(0, p));
  short16 e = convert_short16(vload16(0, p + 1));
  short16 sw = convert_short16(vload16(0, p + pitch - 1));
  short16 s = convert_short16(vload16(0, p + pitch));
  short16 se = convert_short16(vload16(0, p + pitch + 1));
  short16 blur =
      (nw + ne + sw + se + (n + w + e + s) * (short)2 + c * (short)4) >>
      (short)4;
  int16 sharp = convert_int16(c) + ((convert_int16(c - blur) * amount) >> 4);
  vstore16(convert_uchar16_sat(sharp), 0, out + (y - 1) * pitch + x);
}
//--- declines.cl
#define SUM(a, b, c) a + b + c
kernel void declined(global const float4 *in, global float4 *out,
                     volatile global float4 *v, global float4 *other, int n) {
  int i = get_global_id(0);
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    // CHECK: declined roll-terms: the sum, or a declaration of what it sums, comes from a macro, holds a preprocessor directive, or declares a pointer or an array too
    out[i] = SUM(a, b, c);
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2], many[2];
    // CHECK: declined roll-terms: the sum, or a declaration of what it sums, comes from a macro, holds a preprocessor directive, or declares a pointer or an array too
    out[i] = a + b + c;
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    // CHECK: declined roll-terms: the sum is evaluated on some paths only (?:, &&, ||), or not in a statement of its own
    out[i] = n ? a + b + c : in[i];
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    // CHECK: declined roll-terms: the rest of the sum's statement has side effects or declares several variables
    out[n++] = a + b + c;
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    // CHECK: declined roll-terms: a variable of the sum is used elsewhere too: 'a'
    out[i] = a + b + c;
    out[i + 1] = a;
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    // A store before the sum may be one to `in`.
    // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
    other[i] = (float4)(1);
    out[i] = a + b + c;
  }
  {
    float4 a = in[n], b = in[n + 1], c = in[n + 2];
    // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
    n += 2;
    out[i] = a + b + c;
  }
  {
    float4 a = in[n], b = in[n + 1], c = in[n + 2];
    // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = a + b + c;
  }
  {
    float4 a = in[n], b = in[n + 1], c = in[n + 2];
    // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
    int in = 3;
    out[i] = a + b + c;
  }
  {
    float4 a = in[i], b = in[i + 1], c = in[i + 2];
    while (n--)
      // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
      out[i + n] = a + b + c;
  }
  {
    float4 a = v[i], b = v[i + 1], c = v[i + 2];
    // CHECK: declined roll-terms: a load has side effects, is in another block than the sum, or reads what may be changed before the sum, or a directive stands between them
    out[i] = a + b + c;
  }
  {
    float4 a = in[i], b = 2 * in[i + 1], c = 2 * in[i + 2];
    // CHECK: declined roll-terms: a variable holds a float product, which the compiler could contract with the sum
    out[i] = a + b + c;
  }
  {
    float4 a = in[i], b = in[i + 1], c = fabs(in[i + 2]);
    // CHECK: declined roll-terms: the loads at the end of the sum differ in more than numbers and variables that are scalars
    out[i] = a + b + c;
  }
}
// A product that the compiler computes, and a choice that it makes, would be the device's.
kernel void folded(global const float *in, global float *out, float d) {
  {
    float a = in[0] + 0.7f * 0.3f, b = in[1] + 0.9f * 0.3f, c = in[2] + 0.1f * 0.3f;
    // CHECK: declined roll-terms: the loads at the end of the sum differ in more than numbers and variables that are scalars
    out[0] = a + b + c;
  }
  {
    float a = in[0] + (1 ? in[5] * d : 0), b = in[1] + (1 ? in[6] * d : 0),
          c = in[2] + (0 ? in[7] * d : 0);
    // CHECK: declined roll-terms: the loads at the end of the sum differ in more than numbers and variables that are scalars
    out[0] = a + b + c;
  }
}
// Two loads are held at once in any order; a value that was converted is none.
kernel void not_sites(global const int *in, global float *out) {
  int i = get_global_id(0);
  int a = in[i], b = in[i + 1], c = 3;
  float x = in[i], y = in[i + 1], z = in[i + 2];
  out[i] = a + b + c + (x + y + z);
}
//--- sum.cl
// Reassociation of a floating-point sum.
kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = ((in[4 * i] + in[4 * i + 1]) + in[4 * i + 2]) + in[4 * i + 3];
}
//--- sum-wrong.cl
kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = (in[4 * i] + in[4 * i + 1]) + (in[4 * i + 2] + in[4 * i + 3]);
}
