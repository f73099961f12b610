// The same in doubles, and with a bound that may end it early.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// clrewrite: launch global=512x512 local=32x8 n=512 a=2M b=2M c=2M
kernel void matmul_double(global double *a, global double *b, global double *c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n)
    return;
  for (int k = 0; k < n; k++)
    c[i * n + j] += a[i * n + k] * b[k * n + j];
}
