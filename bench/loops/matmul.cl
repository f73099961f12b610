// A product of two matrices, a work-item for each element.
// clrewrite: launch global=1024x1024 local=32x8 n=1024 a=4M b=4M c=4M
kernel void matmul(global float *a, global float *b, global float *c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  for (int k = 0; k < n; k++)
    c[i * n + j] += a[i * n + k] * b[k * n + j];
}
