// stencil25 with the next plane's load one iteration ahead.
// clrewrite: launch global=512x512 local=32x8 nx=528 ny=528 nz=64 now=77M old=69M
kernel void stencil25(global const float *now, global float *old, int nx,
                      int ny, int nz) {
  const float c[5] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};
  int x = get_global_id(0) + 8, y = get_global_id(1) + 8;
  int plane = nx * ny, at = y * nx + x;
  float z[9];
  for (int k = 0; k < 8; ++k)
    z[k] = now[at + k * plane];
  float ahead = nz > 0 ? now[at + 8 * plane] : 0;
  for (int k = 0; k < nz; ++k) {
    int here = at + (k + 4) * plane;
    z[8] = ahead;
    if (k + 1 < nz)
      ahead = now[at + (k + 9) * plane];
    float sum = 3 * c[0] * z[4];
    for (int r = 1; r <= 4; ++r)
      sum += c[r] * (z[4 - r] + z[4 + r] + now[here - r] + now[here + r] +
                     now[here - r * nx] + now[here + r * nx]);
    int to = at + k * plane;
    old[to] = 2 * z[4] - old[to] + 0.1f * sum;
    for (int i = 0; i < 8; ++i)
      z[i] = z[i + 1];
  }
}
