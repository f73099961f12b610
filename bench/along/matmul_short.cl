// A product of matrices of 16-bit integers, one element a work-item.
// clrewrite: launch global=1024x1024 local=16x16 n=1024 a=2M b=2M c=4M
kernel void matmul_short(global const short *a, global const short *b, global int *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
