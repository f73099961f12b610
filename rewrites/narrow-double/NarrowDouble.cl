// narrow-double: which literals change, and what is declined. It is approximate, so
// it takes --unsafe-fixes.
//
// PAIR: before.cl after.cl --unsafe-fixes
// VERIFY: after.cl no: it rounds otherwise, and states no bound
// RACES: after.cl alone: its bytes differ
// WRONG: after.cl grey p.y * 0.587f => p.y * 0.578f
// DECLINES: declines.cl --unsafe-fixes
//
// Without --unsafe-fixes nothing is applied.
// RUN: split-file %s %t
// RUN: clrewrite --only=narrow-double --no-measure --verbose %t/before.cl | FileCheck %s --check-prefix=SAFE --implicit-check-not=legal
// SAFE-COUNT-3: left alone narrow-double [all]: class approximate: applied with --unsafe-fixes or a grant only

//--- before.cl
#define HALF (0.5)
#define EPS 1e-6
kernel void shade(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0 - x) * /* both */ 0.5 + gain * 0x1.8p-3;
  if (x > EPS)
    y *= 1. / 3;
  out[i] = sqrt(y * y + 1.0) + M_PI * (x > 0.25 ? x : 1.5);
}
// An integer again, and a helper's argument; a number in a macro.
float faded(float x) { return x - .1 * fabs(x * x - HALF); }
kernel void grey(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(faded(p.x * 0.299 + p.y * 0.587) + p.z * 0.114 + HALF);
}
// What is meant to be double stays so, as do literals that are converted when
// the kernel is compiled, and == with a number that no float is.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void meant(global float *p, double d) {
  int i = get_global_id(0);
  double t = p[i] * 0.3;
  p[i] = t * 2.0 + d + (double)p[i] * 1.7;
  d = 0.3;
  if (p[i] == 0.1)
    p[i] += t;
}
// Nor has a float the digits: numbers that become integers of 32 bits, what scales
// such integers, a literal that is lost in another one, a tolerance.
#define K 0.3
#define K_F 16
kernel void digits(global float *p, global uint *q, float x) {
  int i = get_global_id(0);
  q[i] = x * 4294967295.0;
  p[i] = q[i] * (1.0 / 4294967296.0) + 0.1;
  p[i] += x > 1.0 - 1e-9;
  p[i] += fabs(1.0 * x * x - 2.0) > 1e-7;
  float angle = 3.14159265358979 / 180;
  p[i] += angle;
  p[i] += K * x + 0.25 * x;
}
//--- after.cl
#define HALF (0.5)
#define EPS 1e-6
kernel void shade(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0f - x) * /* both */ 0.5f + gain * 0x1.8p-3f;
  if (x > (float)EPS)
    y *= 1.f / 3;
  out[i] = sqrt(y * y + 1.0f) + M_PI_F * (x > 0.25f ? x : 1.5f);
}
// An integer again, and a helper's argument; a number in a macro.
float faded(float x) { return x - .1f * fabs(x * x - (float)HALF); }
kernel void grey(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(faded(p.x * 0.299f + p.y * 0.587f) + p.z * 0.114f + (float)HALF);
}
// What is meant to be double stays so, as do literals that are converted when
// the kernel is compiled, and == with a number that no float is.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void meant(global float *p, double d) {
  int i = get_global_id(0);
  double t = p[i] * 0.3;
  p[i] = t * 2.0 + d + (double)p[i] * 1.7;
  d = 0.3;
  if (p[i] == 0.1)
    p[i] += t;
}
// Nor has a float the digits: numbers that become integers of 32 bits, what scales
// such integers, a literal that is lost in another one, a tolerance.
#define K 0.3
#define K_F 16
kernel void digits(global float *p, global uint *q, float x) {
  int i = get_global_id(0);
  q[i] = x * 4294967295.0;
  p[i] = q[i] * (1.0 / 4294967296.0) + 0.1;
  p[i] += x > 1.0 - 1e-9;
  p[i] += fabs(1.0 * x * x - 2.0) > 1e-7;
  float angle = 3.14159265358979 / 180;
  p[i] += angle;
  p[i] += (float)K * x + 0.25f * x;
}
//--- declines.cl
#define THIRD 1.0 / 3
#define DOUBLED (2 * 0.1)
#define SCALED(x) ((x) * 0.3)
#ifdef WIDE
typedef double real;
#else
typedef float real;
#endif
kernel void macros(global float *p) {
  int i = get_global_id(0);
  // CHECK: declined narrow-double: every expression of doubles has a literal that a macro writes, together with other code
  p[i] = p[i] * THIRD + p[i] * p[i];
  p[i] = p[i] * DOUBLED + 1.0f;
  p[i] += SCALED(p[i]);
}
kernel void ranges(global float *p) {
  int i = get_global_id(0);
  // CHECK: declined narrow-double: a literal is no number in float: it is too large, or too near to zero
  p[i] = p[i] * 1e-40 + p[i] * 2.5;
  p[i] = p[i] * 1e60 * 1e-60;
}
real step_of(int n) {
  // CHECK: declined narrow-double: with other build options the operands may have other types, or the code be other code
  return 2.0 * M_PI / n;
}
kernel void takes(global float *p, int n) {
  // CHECK: declined narrow-double: with other build options the operands may have other types, or the code be other code
  real h = 1.0 / (n - 1) + 0.1;
  p[get_global_id(0)] = h;
}
kernel void types(global real *p) {
  int i = get_global_id(0);
  real x = p[i];
  // CHECK: declined narrow-double: with other build options the operands may have other types, or the code be other code
  float y = 0.1 * x + x * x;
  p[i] = y;
}
