// Recursive Gaussian along columns of RGBA pixels, down and up again.
typedef size_t SZ;
// clrewrite: launch global=8192 local=64 w=8192 h=256 a0=0.1 a1=0.1 a2=0.1 a3=0.1 b1=-0.5 b2=0.1 cp=0.3 cn=0.3 in=8M out=8M
// small: launch global=64 local=16 w=64 h=16 a0=0.1 a1=0.1 a2=0.1 a3=0.1 b1=-0.5 b2=0.1 cp=0.3 cn=0.3 in=4K out=4K
__kernel void recgauss(const __global uchar4 *in, __global uchar4 *out, int w,
                       int h, float a0, float a1, float a2, float a3, float b1,
                       float b2, float cp, float cn) {
  SZ x = get_global_id(0);
  if (x >= w)
    return;
  float4 xp = convert_float4(in[x]), yp = xp * cp, yb = yp;
  for (int y = 0; y < h; y++) {
    float4 xc = convert_float4(in[y * w + x]),
           yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
    out[y * w + x] = convert_uchar4_sat(yc);
    xp = xc;
    yb = yp;
    yp = yc;
  }
  float4 xn = convert_float4(in[(h - 1) * w + x]), xa = xn, yn = xn * cn,
         ya = yn;
  for (int y = h - 1; y >= 0; y--) {
    float4 xc = convert_float4(in[y * w + x]),
           yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
    xa = xn;
    xn = xc;
    ya = yn;
    yn = yc;
    out[y * w + x] = convert_uchar4_sat(convert_float4(out[y * w + x]) + yc);
  }
}
