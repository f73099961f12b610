// native-math: which calls change, and what is declined. It is approximate, so
// it takes --unsafe-fixes.
//
// PAIR: before.cl after.cl --unsafe-fixes --alternative=native
// VERIFY: after.cl no: how far native functions are off is the device's own
// RACES: after.cl alone: its bytes differ
// WRONG: after.cl weights native_sin(2 * x) => native_cos(2 * x)
// DECLINES: declines.cl --unsafe-fixes
//
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/out.cl
// RUN: clrewrite --only=native-math --verify=off --no-measure --unsafe-fixes --alternative=half --fix %t/out.cl
// RUN: sed s/native_/half_/g %t/after.cl | diff -u - %t/out.cl
//
// Without --unsafe-fixes nothing is applied.
// RUN: clrewrite --only=native-math --no-measure --verbose %t/before.cl | FileCheck %s --check-prefix=SAFE --implicit-check-not=legal
// SAFE-COUNT-4: left alone native-math [half, native]: class approximate: applied with --unsafe-fixes or a grant only

//--- before.cl
float gauss(float d) { return exp(-d * d); }
kernel void weights(global float *p, global float4 *q, float s) {
  size_t i = get_global_id(0);
  float x = p[i];
  p[i] = gauss(x) + sin(x) * /* both */ sin(2 * x) + pow(x, s);
  q[i] = (rsqrt)(fabs(q[i]) + 1) - sin(s) + exp((float4)(s));
}
//--- after.cl
float gauss(float d) { return native_exp(-d * d); }
kernel void weights(global float *p, global float4 *q, float s) {
  size_t i = get_global_id(0);
  float x = p[i];
  p[i] = gauss(x) + native_sin(x) * /* both */ native_sin(2 * x) + pow(x, s);
  q[i] = (native_rsqrt)(fabs(q[i]) + 1) - native_sin(s) + native_exp((float4)(s));
}
//--- declines.cl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SOFT(x) exp(x)
#define LOG log
#define native_tan(x) (x)
float half_sqrt_of(float x) { return x; }
#define half_sqrt half_sqrt_of
kernel void declined(global float *p, double d) {
  size_t i = get_global_id(0);
  // CHECK: declined native-math: the name of one of the calls comes from a macro
  p[i] = exp(p[i]) + SOFT(p[i]);
  // CHECK: declined native-math: the name of one of the calls comes from a macro
  p[i] = LOG(p[i]);
  // CHECK: declined native-math: the name of the native or half form means something else in this program
  p[i] = tan(p[i]);
  // CHECK: declined native-math: the name of the native or half form means something else in this program
  p[i] = sqrt(p[i]);
  // Not for floats, or of that form already.
  p[i] += exp(d) + native_log2(p[i]) + half_cos(p[i]);
}
