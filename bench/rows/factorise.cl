// A block of 16 rows is factorised in local memory, a row for each work-item.
// clrewrite: launch global=262144 local=16 blocks=16M
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void factorise(__global float *blocks) {
  __local float a[16][16];
  int x = get_local_id(0);
  __global float *own = blocks + get_group_id(0) * 256;
  for (int y = 0; y < 16; ++y)
    a[y][x] = own[y * 16 + x] + (x == y ? 32.0f : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 15; ++i) {
    if (x > i) {
      a[x][i] /= a[i][i];
      for (int k = i + 1; k < 16; ++k)
        a[x][k] -= a[x][i] * a[i][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < 16; ++y)
    own[y * 16 + x] = a[y][x];
}
