// contract-fma: which products join which sums, how operands are converted, and
// what is declined. It is approximate, so it takes --unsafe-fixes.
//
// PAIR: before.cl after.cl --unsafe-fixes --alternative=fma
// VERIFY: after.cl no: it is approximate; verify.test holds it to its bound
// RACES: after.cl alone: its bytes differ
// PAIR: right.cl right-after.cl --unsafe-fixes --alternative=fma-right
// VERIFY: right-after.cl no: it is approximate; verify.test holds it to its bound
// RACES: right-after.cl alone: its bytes differ
// WRONG: right-after.cl both fma(-c, d, a * b) => fma(c, d, a * b)
// DECLINES: declines.cl --unsafe-fixes
// DECLINES: own-fma.cl --unsafe-fixes
//
// Without --unsafe-fixes nothing is applied, and little said of it.
// RUN: split-file %s %t
// RUN: clrewrite --only=contract-fma --no-measure %t/right.cl | FileCheck %s --check-prefix=HIDDEN --implicit-check-not=left
// HIDDEN: --unsafe-fixes or a grant to be tried: contract-fma
// RUN: clrewrite --only=contract-fma --no-measure --verbose %t/right.cl | FileCheck %s --check-prefix=SAFE --implicit-check-not=legal
// SAFE: left alone contract-fma [fma, fma-right]: class approximate: applied with --unsafe-fixes or a grant only

// A macro in parentheses is one operand in every build, but may have any type.
// RUN: clrewrite --only=contract-fma --no-measure --unsafe-fixes --verify=off %t/parentheses.cl -- -DSCALE=2.0f | FileCheck %s --check-prefix=WHOLE
// WHOLE: parentheses.cl:3: declined contract-fma: the code there may mean something else with other build options: {{.*}}: 'SCALE'; write out

//--- before.cl
kernel void forms(global float *p, global const float *a,
                  global const float *b, float c) {
  int i = (int)get_global_id(0);
  float x = a[i], y = b[i], s = 0;
  s += x * y;
  s -= x * y;
  s = s + (x * y); // in parentheses
  s = x * y - s;
  s = c - x * y;
  s = c - -x * y;
  s = x * y - (c + s);
  s = x * y /* the product */ + /* the rest */ c;
  p[i] += a[i] * s;
}
kernel void chain(global float *p, float a, float b, float c) {
  int i = (int)get_global_id(0);
  p[i] = a * a + b * b + c * c;
}
kernel void polynomial(global float *p, float a, float b, float c) {
  int i = (int)get_global_id(0);
  float x = p[i];
  p[i] = (a * x + b) * x + c;
}
kernel void converted(global float4 *p, float s, int n, short h) {
  int i = (int)get_global_id(0);
  float4 v = p[i];
  v = v * s + 2;
  v.xy = v.xy - n * v.zw;
  float f = n * s + h;
  p[i] = s * v - f;
}
//--- after.cl
kernel void forms(global float *p, global const float *a,
                  global const float *b, float c) {
  int i = (int)get_global_id(0);
  float x = a[i], y = b[i], s = 0;
  s = fma(x, y, s);
  s = fma(-x, y, s);
  s = fma(x, y, s); // in parentheses
  s = fma(x, y, -s);
  s = fma(-x, y, c);
  s = fma(-(-x), y, c);
  s = fma(x, y, -(c + s));
  s = /* the product */
  /* the rest */
  fma(x, y, c);
  p[i] = fma(a[i], s, p[i]);
}
kernel void chain(global float *p, float a, float b, float c) {
  int i = (int)get_global_id(0);
  p[i] = fma(c, c, fma(a, a, b * b));
}
kernel void polynomial(global float *p, float a, float b, float c) {
  int i = (int)get_global_id(0);
  float x = p[i];
  p[i] = fma(fma(a, x, b), x, c);
}
kernel void converted(global float4 *p, float s, int n, short h) {
  int i = (int)get_global_id(0);
  float4 v = p[i];
  v = fma(v, (float4)s, (float4)2);
  v.xy = fma(-(float2)n, v.zw, v.xy);
  float f = fma((float)n, s, (float)h);
  p[i] = fma((float4)s, v, -(float4)f);
}
//--- right.cl
kernel void both(global float *p, float a, float b, float c, float d) {
  p[get_global_id(0)] = a * b - c * d;
}
//--- right-after.cl
kernel void both(global float *p, float a, float b, float c, float d) {
  p[get_global_id(0)] = fma(-c, d, a * b);
}
//--- declines.cl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TIMES(x, y) x * y
#define PLUS +
#ifndef SCALE
#define SCALE 2.0f
#endif
float next(global float *p) { return *p += 1; }
kernel void declined(global float *p, float a, float b, float c, double d,
                     volatile global float *q, int n) {
  // CHECK: declined contract-fma: a part of the expression comes from a macro's body, or a preprocessor directive stands in it
  a = TIMES(a, b) + c;
  // CHECK: declined contract-fma: a part of the expression comes from a macro's body, or a preprocessor directive stands in it
  a = a * b PLUS c;
  // CHECK: declined contract-fma: a part of the expression comes from a macro's body, or a preprocessor directive stands in it
  a = a * b
#ifdef MORE
      * 2
#endif
      + c;
  // CHECK: declined contract-fma: an operand is a macro that another build may define as more than one operand
  a = a * SCALE + c;
  // CHECK: declined contract-fma: an operand is a macro that another build may define as more than one operand
  a = c + SCALE * a;
  // CHECK: declined contract-fma: an operand has side effects or is volatile
  a = a * next(p) + c;
  // CHECK: declined contract-fma: an operand has side effects or is volatile
  *q += a * b;
  // CHECK: declined contract-fma: the product and the sum have different types
  d = a * b + d;
  // CHECK: declined contract-fma: the product and the sum have different types
  a += d * b;
  // CHECK: declined contract-fma: the expression is a constant
  constant float k = 2.0f * 3.0f + 1.0f;
  // These are no products of floats in a sum of floats.
  p[0] = n * n + a + k - d / b;
}
//--- own-fma.cl
float fma_of(float a) { return a; }
#define fma fma_of
kernel void own(global float *p, float a, float b) {
  // CHECK: declined contract-fma: the name fma means something else in this program
  p[0] = a * b + p[0];
}
//--- parentheses.cl
#ifdef SCALE
kernel void whole(global float *p, float c) {
  p[0] = p[0] * (SCALE) + c;
}
#endif
