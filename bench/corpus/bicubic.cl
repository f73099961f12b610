// Enlarges a float4 image by bicubic interpolation, sixteen taps a pixel.
typedef size_t SZ;
float wgt(float d) {
  d = fabs(d);
  return d < 1 ? (1.5f * d - 2.5f) * d * d + 1
               : (d < 2 ? ((-0.5f * d + 2.5f) * d - 4) * d + 2 : 0.f);
}
// clrewrite: launch global=2048x2048 local=16x16 w=1024 h=1024 ow=2048 s=0.5 in=16M out=64M
// small: launch global=64x32 local=16x4 w=32 h=16 ow=64 s=0.5 in=8K out=32K
__kernel void bicubic(const __global float4 *in, __global float4 *out, int w,
                      int h, int ow, float s) {
  SZ ox = get_global_id(0), oy = get_global_id(1);
  float fx = ox * s, fy = oy * s;
  int x = fx, y = fy;
  fx -= x;
  fy -= y;
  float4 acc = 0;
  float ws = 0;
  for (int j = -1; j <= 2; j++) {
    for (int i = -1; i <= 2; i++) {
      int xx = clamp(x + i, 0, w - 1), yy = clamp(y + j, 0, h - 1);
      float t = wgt(i - fx) * wgt(j - fy);
      acc += t * in[yy * w + xx];
      ws += t;
    }
  }
  out[oy * ow + ox] = acc / ws;
}
