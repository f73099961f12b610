// A product by tiles whose columns no lanes go along: longer rows are of no use.
// clrewrite: launch global=1024x1024 local=16x16 a=4M b=4M c=4M n=1024
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul_tiles(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float left[16][16], right[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    left[y][x] = a[row * n + t + x];
    right[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
