// Enlarges an image by Catmull-Rom interpolation, sixteen reads a pixel.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE |
                          CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
float4 weights(float t) {
  float t2 = t * t, t3 = t2 * t;
  return (float4)(-0.5f * t3 + t2 - 0.5f * t, 1.5f * t3 - 2.5f * t2 + 1,
                  -1.5f * t3 + 2 * t2 + 0.5f * t, 0.5f * t3 - 0.5f * t2);
}
// clrewrite: launch global=2048x2048 local=16x16 scale=0.5 in=1024x1024 out=2048x2048
// small: launch global=32x16 local=8x4 scale=0.5 in=16x8 out=32x16
kernel void resize_image(read_only image2d_t in, write_only image2d_t out,
                         float scale) {
  int x = get_global_id(0), y = get_global_id(1);
  float fx = x * scale, fy = y * scale;
  int ix = (int)fx, iy = (int)fy;
  float4 wx = weights(fx - ix), wy = weights(fy - iy);
  float4 p[4][4];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      p[j][i] = read_imagef(in, edge, (int2)(ix + i - 1, iy + j - 1));
  float4 r[4];
  for (int j = 0; j < 4; ++j)
    r[j] = p[j][0] * wx.x + p[j][1] * wx.y + p[j][2] * wx.z + p[j][3] * wx.w;
  write_imagef(out, (int2)(x, y),
               r[0] * wy.x + r[1] * wy.y + r[2] * wy.z + r[3] * wy.w);
}
