// Gaussian of nine taps along rows of RGBA pixels, four pixels a work-item.
float4 tap(uchar4 p) { return convert_float4(p); }
// clrewrite: launch global=1024x4096 local=64x4 pitch=4112 in=65M out=64M w=20
// small: launch global=16x8 local=8x4 pitch=80 in=2560 out=2560 w=20
kernel void gauss_h9(global const uchar4 *restrict in,
                     global uchar4 *restrict out, constant float *w,
                     int pitch) {
  int x = get_global_id(0) * 4, y = get_global_id(1);
  global const uchar4 *row = in + y * pitch + x;
  float4 p[12];
  for (int i = 0; i < 12; ++i)
    p[i] = tap(row[i]);
  for (int k = 0; k < 4; ++k) {
    float4 s = p[k + 4] * w[0];
    s += (p[k + 3] + p[k + 5]) * w[1];
    s += (p[k + 2] + p[k + 6]) * w[2];
    s += (p[k + 1] + p[k + 7]) * w[3];
    s += (p[k] + p[k + 8]) * w[4];
    out[y * (pitch - 16) + x + k] = convert_uchar4_sat_rte(s);
  }
}
