// Each work-item sums the squares of a row, which all of them have loaded.
// clrewrite: launch global=1048576 local=64 in=256M out=4M
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_rows(__global const float *in, __global float *out) {
  __local float rows[64][64];
  int x = get_local_id(0), first = get_group_id(0) * 64;
  for (int y = 0; y < 64; ++y)
    rows[y][x] = in[(first + y) * 64 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum = mad(rows[x][k], rows[x][k], sum);
  out[first + x] = sum;
}
