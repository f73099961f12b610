// stencil25 with the plane that is worked on in local memory.
// clrewrite: launch global=512x512 local=32x8 nx=528 ny=528 nz=64 now=77M old=69M
kernel void stencil25(global const float *restrict now, global float *restrict old,
                      int nx, int ny, int nz) {
  local float tile[16][40];
  const float c[5] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0) + 8, y = get_global_id(1) + 8;
  int plane = nx * ny, at = y * nx + x;
  float z[9];
  for (int k = 0; k < 8; ++k)
    z[k] = now[at + k * plane];
  for (int k = 0; k < nz; ++k) {
    int here = at + (k + 4) * plane;
    z[8] = now[at + (k + 8) * plane];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[ly + 4][lx + 4] = z[4];
    if (lx < 4) {
      tile[ly + 4][lx] = now[here - 4];
      tile[ly + 4][lx + 36] = now[here + 32];
    }
    if (ly < 4) {
      tile[ly][lx + 4] = now[here - 4 * nx];
      tile[ly + 12][lx + 4] = now[here + 8 * nx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 3 * c[0] * z[4];
    for (int r = 1; r <= 4; ++r)
      sum += c[r] * (z[4 - r] + z[4 + r] + tile[ly + 4][lx + 4 - r] +
                     tile[ly + 4][lx + 4 + r] + tile[ly + 4 - r][lx + 4] +
                     tile[ly + 4 + r][lx + 4]);
    int to = at + k * plane;
    old[to] = 2 * z[4] - old[to] + 0.1f * sum;
    for (int i = 0; i < 8; ++i)
      z[i] = z[i + 1];
  }
}
