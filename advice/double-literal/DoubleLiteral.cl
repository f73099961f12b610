// double-literal: which literals are named, and which are not.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=double-literal %t/k.cl | FileCheck %t/k.cl --implicit-check-not=': advice '
// RUN: clrewrite measure --no-config --target=gfx906 --advise %t/k.cl -- -cl-single-precision-constant | not grep 'advice double-literal'
//
// LLVM makes the same code with a suffix of what is not named.
// RUN: sed '/^kernel void wide/,$d' %t/k.cl > %t/same.cl
// RUN: sed -E 's/([0-9]\.[0-9]+)/\1f/g' %t/same.cl > %t/suffixed.cl
// RUN: clrewrite measure --no-config --target=gfx906,gfx1030,sm_90 --format=json %t/same.cl | sed 's/same.cl//' > %t/same.json
// RUN: clrewrite measure --no-config --target=gfx906,gfx1030,sm_90 --format=json %t/suffixed.cl | sed 's/suffixed.cl//' > %t/suffixed.json
// RUN: diff %t/same.json %t/suffixed.json

//--- k.cl
kernel void narrow(global float *p, float s) {
  int i = get_global_id(0);
  float x = p[i] * 0.5;
  if (x > 0.25)
    x += 1.5;
  p[i] = (s > 0 ? 2.0 - x : -1.0);
}
kernel void wide(global float *p, global int *q, float s) {
  int i = get_global_id(0);
  // CHECK: k.cl:[[@LINE+1]]: advice double-literal: 1.0 is a double, so that the floats beside it are converted and computed in double, at a half to a 64th of the rate; 1.0f is a float (4 such expressions in wide)
  float x = (1.0 - p[i]) * 0.5;
  if (x > 0.1)
    x += s * 2.0 + 0.5;
  q[i] = x * 255.0;
  p[i] = x * 0.5;
}
#define EPS 1e-6
kernel void macros(global float *p) {
  int i = get_global_id(0);
  // CHECK: k.cl:[[@LINE+1]]: advice double-literal: M_PI is a double, {{.*}}; M_PI_F is a float
  p[i] = p[i] * M_PI;
}
kernel void others(global float *p) {
  int i = get_global_id(0);
  // CHECK: k.cl:[[@LINE+1]]: advice double-literal: EPS is a double, {{.*}}; (float)EPS is a float
  p[i] = p[i] > EPS;
}
#define SCALED(x) ((x) * 0.3)
kernel void within(global float *p) {
  int i = get_global_id(0);
  // CHECK: k.cl:[[@LINE+1]]: advice double-literal: a literal in SCALED is a double, {{.*}}; with an f behind it, it is a float
  p[i] = SCALED(p[i]);
}
#ifdef WIDE
typedef double real;
#else
typedef float real;
#endif
kernel void either(global real *p, int n) {
  real h = 1.0 / (n - 1) + 0.1;
  p[get_global_id(0)] = h;
}
kernel void meant(global float *p, global double *d) {
  int i = get_global_id(0);
  p[i] = d[i] * 0.5 + (double)p[i] * 0.3;
}
