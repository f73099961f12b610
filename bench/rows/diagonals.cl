// The best path through a square, diagonal by diagonal: lanes are a row less one element apart,
// in banks of their own, and would share them with longer rows.
// clrewrite: launch global=524288 local=32 in=64M out=64M
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void diagonals(__global const int *in, __global int *out) {
  __local int cost[32][32];
  int x = get_local_id(0);
  __global const int *from = in + get_group_id(0) * 1024;
  __global int *to = out + get_group_id(0) * 1024;
  for (int y = 0; y < 32; ++y)
    cost[y][x] = from[y * 32 + x] & 255;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 63; ++d) {
    int column = d - x;
    if (x > 0 && column > 0 && column < 32) {
      int c = clamp(column, 1, 31), r = clamp(x, 1, 31);
      cost[r][c] += min(cost[r - 1][c - 1], min(cost[r - 1][c], cost[r][c - 1]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < 32; ++y)
    to[y * 32 + x] = cost[y][x];
}
