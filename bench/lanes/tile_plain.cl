// A matrix is transposed through local memory, whose rows are 32 words: a column is in one bank.
// clrewrite: launch global=4096x1024 local=32x8 in=64M out=64M n=4096
// small: launch global=64x16 local=32x8 in=16K out=16K n=64
__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void tile_plain(__global const float *in, __global float *out, int n) {
  __local float tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(row + y + i) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    out[(column + y + i) * n + row + x] = tile[x][y + i];
}
