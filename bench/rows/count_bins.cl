// Each work-item counts into 64 bins of its own: the data say which banks they want.
// clrewrite: launch global=131072 local=32 in=128M out=1M
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void count_bins(__global const uint *in, __global uint *out) {
  __local uint bins[32][64];
  int x = get_local_id(0), group = get_group_id(0);
  for (int b = 0; b < 64; ++b)
    bins[x][b] = 0;
  for (int i = 0; i < 256; ++i)
    bins[x][in[(group * 256 + i) * 32 + x] & 63] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = x; b < 64; b += 32) {
    uint sum = 0;
    for (int y = 0; y < 32; ++y)
      sum += bins[y][b];
    out[group * 64 + b] = sum;
  }
}
