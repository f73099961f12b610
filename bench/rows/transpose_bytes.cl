// An image of one channel is turned: a word of local memory has four pixels of a row.
// clrewrite: launch global=8192x2048 local=32x8 in=64M out=64M n=8192
__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void transpose_bytes(__global const uchar *in, __global uchar *out, int n) {
  __local uchar tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(row + y + i) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    out[(column + y + i) * n + row + x] = tile[x][y + i];
}
