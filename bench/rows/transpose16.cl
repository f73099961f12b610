// A matrix is transposed through local memory, by tiles of 16 rows.
#define TILE 16
// clrewrite: launch global=4096x4096 local=16x16 in=64M out=64M n=4096
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose16(__global const float *in, __global float *out, int n) {
  __local float tile[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = in[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * n + row + x] = tile[x][y];
}
