// The product of a matrix and a transposed one: lanes go along the columns of the second tile.
// clrewrite: launch global=1024x1024 local=16x16 a=4M b=4M c=4M n=1024
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul_turned(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float left[16][16], right[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16, row = get_group_id(1) * 16;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    left[y][x] = a[(row + y) * n + t + x];
    right[y][x] = b[(column + y) * n + t + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[x][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(row + y) * n + column + x] = sum;
}
