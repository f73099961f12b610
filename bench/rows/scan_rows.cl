// Prefix sums of rows, a row for each work-item.
// clrewrite: launch global=524288 local=32 in=64M out=64M
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void scan_rows(__global const int *in, __global int *out) {
  __local int rows[32][32];
  int x = get_local_id(0), first = get_group_id(0) * 32;
  for (int y = 0; y < 32; ++y)
    rows[y][x] = in[(first + y) * 32 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 32; ++k) {
    sum += rows[x][k];
    rows[x][k] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = 0; y < 32; ++y)
    out[(first + y) * 32 + x] = rows[y][x];
}
