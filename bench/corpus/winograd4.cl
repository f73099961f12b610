// Input transform of Winograd convolution F(2x2, 3x3), four channels of one
// tile a work-item.
// clrewrite: launch global=512x512x4 local=32x8x1 w=1026 h=1026 tiles=262144 in=66M out=256M
// small: launch global=8x4x2 local=4x4x1 w=18 h=10 tiles=32 in=5760 out=16K
kernel void winograd4(global const float4 *restrict in,
                      global float4 *restrict out, int w, int h, int tiles) {
  int x = get_global_id(0) * 2, y = get_global_id(1) * 2, c = get_global_id(2);
  global const float4 *p = in + (c * h + y) * w + x;
  float4 d[4][4], t[4][4];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      d[j][i] = p[j * w + i];
  for (int i = 0; i < 4; ++i) {
    t[0][i] = d[0][i] - d[2][i];
    t[1][i] = d[1][i] + d[2][i];
    t[2][i] = d[2][i] - d[1][i];
    t[3][i] = d[1][i] - d[3][i];
  }
  int tile = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global float4 *o = out + c * 16 * tiles + tile;
  for (int j = 0; j < 4; ++j) {
    o[(j * 4) * tiles] = t[j][0] - t[j][2];
    o[(j * 4 + 1) * tiles] = t[j][1] + t[j][2];
    o[(j * 4 + 2) * tiles] = t[j][2] - t[j][1];
    o[(j * 4 + 3) * tiles] = t[j][1] - t[j][3];
  }
}
