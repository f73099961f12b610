// A matrix of double is transposed: a row of 16 has 32 words.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// clrewrite: launch global=4096x2048 local=16x16 in=64M out=64M n=4096 m=2048
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose_double(__global const double *in, __global double *out, int n, int m) {
  __local double tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16, row = get_group_id(1) * 16;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * m + row + x] = tile[x][y];
}
