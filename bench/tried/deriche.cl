// Recursive filter of second order down and up the columns of float4 pixels,
// the way down in a buffer of its own.
// tried bump-pointer bump: pointers that move by a row
// tried bump-pointer offset: one 32-bit index that moves by a row
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=64 local=16 w=64 h=16 a0=0.1 a1=0.1 a2=0.1 a3=0.1 b1=-0.5 b2=0.1 in=16K down=16K out=16K
kernel void deriche(global const float4 *in, global float4 *down,
                    global float4 *out, int w, int h, float a0, float a1,
                    float a2, float a3, float b1, float b2) {
  int x = get_global_id(0);
  float4 x1 = 0, y1 = 0, y2 = 0;
#if defined(V_bump)
  global const float4 *p = in + x;
  global float4 *q = down + x;
#elif defined(INDEX)
  INDEX at = x;
#endif
  for (int y = 0; y < h; ++y) {
#if defined(V_bump)
    float4 v = *p;
    p += w;
#elif defined(INDEX)
    float4 v = in[at];
#else
    float4 v = in[y * w + x];
#endif
    float4 r = a0 * v + a1 * x1 - b1 * y1 - b2 * y2;
#if defined(V_bump)
    *q = r;
    q += w;
#elif defined(INDEX)
    down[at] = r;
    at += w;
#else
    down[y * w + x] = r;
#endif
    x1 = v;
    y2 = y1;
    y1 = r;
  }
  float4 x2 = 0;
  x1 = 0;
  y1 = 0;
  y2 = 0;
#if defined(V_bump)
  p = in + (h - 1) * w + x;
  q = down + (h - 1) * w + x;
  global float4 *o = out + (h - 1) * w + x;
#elif defined(INDEX)
  at = (h - 1) * w + x;
#endif
  for (int y = h - 1; y >= 0; --y) {
    float4 r = a2 * x1 + a3 * x2 - b1 * y1 - b2 * y2;
    x2 = x1;
#if defined(V_bump)
    x1 = *p;
    *o = *q + r;
    p -= w;
    q -= w;
    o -= w;
#elif defined(INDEX)
    x1 = in[at];
    out[at] = down[at] + r;
    at -= w;
#else
    x1 = in[y * w + x];
    out[y * w + x] = down[y * w + x] + r;
#endif
    y2 = y1;
    y1 = r;
  }
}
