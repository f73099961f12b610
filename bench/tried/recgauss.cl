// Recursive Gaussian along columns of RGBA pixels, down and up again.
// tried bump-pointer bump: pointers that move by a row instead of y * w + x
// tried bump-pointer offset: one 32-bit index that moves by a row
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX int
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=64 local=16 w=64 h=16 a0=0.1 a1=0.1 a2=0.1 a3=0.1 b1=-0.5 b2=0.1 cp=0.3 cn=0.3 in=4K out=4K
kernel void recgauss(global const uchar4 *in, global uchar4 *out, int w, int h,
                     float a0, float a1, float a2, float a3, float b1, float b2,
                     float cp, float cn) {
  size_t x = get_global_id(0);
  if (x >= w)
    return;
  float4 xp = convert_float4(in[x]), yp = xp * cp, yb = yp;
#if defined(V_bump)
  global const uchar4 *i = in + x;
  global uchar4 *o = out + x;
#elif defined(INDEX)
  INDEX at = x;
#endif
  for (int y = 0; y < h; y++) {
#if defined(V_bump)
    float4 xc = convert_float4(*i),
#elif defined(INDEX)
    float4 xc = convert_float4(in[at]),
#else
    float4 xc = convert_float4(in[y * w + x]),
#endif
           yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
#if defined(V_bump)
    *o = convert_uchar4_sat(yc);
    i += w;
    o += w;
#elif defined(INDEX)
    out[at] = convert_uchar4_sat(yc);
    at += w;
#else
    out[y * w + x] = convert_uchar4_sat(yc);
#endif
    xp = xc;
    yb = yp;
    yp = yc;
  }
  float4 xn = convert_float4(in[(h - 1) * w + x]), xa = xn, yn = xn * cn,
         ya = yn;
#if defined(V_bump)
  i = in + (h - 1) * w + x;
  o = out + (h - 1) * w + x;
#elif defined(INDEX)
  at = (h - 1) * w + x;
#endif
  for (int y = h - 1; y >= 0; y--) {
#if defined(V_bump)
    float4 xc = convert_float4(*i),
#elif defined(INDEX)
    float4 xc = convert_float4(in[at]),
#else
    float4 xc = convert_float4(in[y * w + x]),
#endif
           yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
    xa = xn;
    xn = xc;
    ya = yn;
    yn = yc;
#if defined(V_bump)
    *o = convert_uchar4_sat(convert_float4(*o) + yc);
    i -= w;
    o -= w;
#elif defined(INDEX)
    out[at] = convert_uchar4_sat(convert_float4(out[at]) + yc);
    at -= w;
#else
    out[y * w + x] = convert_uchar4_sat(convert_float4(out[y * w + x]) + yc);
#endif
  }
}
