// The same, in work-groups that are lines.
// clrewrite: launch global=1024x1024 local=256x1 a=4M b=4M c=4M n=1024
__kernel void product_line(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}
