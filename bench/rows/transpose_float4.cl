// Pixels of four channels are transposed: each takes a line of four banks.
// clrewrite: launch global=2048x2048 local=16x16 in=64M out=64M n=2048
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose_float4(__global const float4 *in, __global float4 *out, int n) {
  __local float4 tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16, row = get_group_id(1) * 16;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}
