// fast-math: float functions with a faster form.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=fast-math %t/k.cl | FileCheck %t/k.cl --implicit-check-not=': advice '
// The compiler may do it by itself with these.
// RUN: clrewrite measure --no-config --target=gfx906 --advise %t/k.cl -- -cl-fast-relaxed-math | not grep 'advice fast-math'
// RUN: clrewrite measure --no-config --target=gfx906 --advise %t/k.cl -- -cl-unsafe-math-optimizations | not grep 'advice fast-math'

//--- k.cl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global float *a, __global float4 *b, __global double *d) {
  int x = get_global_id(0);
  // CHECK: k.cl:[[@LINE+2]]: advice fast-math: exp of floats is right to 3 ulp; faster: native_exp (error and range are the device's own), half_exp (8192 ulp); -cl-fast-relaxed-math allows 3 + floor(fabs(2 * x)) ulp, in all of the program (2 calls in k)
  // CHECK: k.cl:[[@LINE+2]]: advice fast-math: sin of floats is right to 4 ulp; faster: native_sin {{.*}}, half_sin (8192 ulp, for arguments within 65536)
  a[x] = exp(a[x]) + exp(a[x + 1]);
  a[x] += sin(a[x]);
  // CHECK: k.cl:[[@LINE+1]]: advice fast-math: length of floats is right to 2.75 + 0.5n ulp; faster: fast_length (8191.5 + n ulp); -cl-fast-relaxed-math leaves its error
  a[x] += length(b[x]);
  // Constant, double, no such form, fast already.
  a[x] += sqrt(2.0f) + pow(a[x], 3.0f) + native_log(a[x]) + half_cos(a[x]);
  d[x] = log2(d[x]);
}
