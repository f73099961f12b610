// Vertical filter of any length on four rows of float4 pixels.
// tried bump-pointer bump: a pointer that moves by a row
// tried bump-pointer offset: one 32-bit index that moves by a row
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=16x4 local=16x1 w=16 taps=7 in=8K weights=64 out=4K
kernel void filter_column(global const float4 *restrict in,
                          constant float *weights, global float4 *restrict out,
                          int w, int taps) {
  int x = get_global_id(0), y = get_global_id(1) * 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#if defined(V_bump)
  global const float4 *p = in + y * w + x;
#elif defined(INDEX)
  INDEX p = y * w + x;
#endif
  for (int t = 0; t < taps; ++t) {
    float k = weights[t];
#if defined(V_bump)
    s0 += k * p[0];
    s1 += k * p[w];
    s2 += k * p[2 * w];
    s3 += k * p[3 * w];
    p += w;
#elif defined(INDEX)
    s0 += k * in[p];
    s1 += k * in[p + w];
    s2 += k * in[p + 2 * w];
    s3 += k * in[p + 3 * w];
    p += w;
#else
    s0 += k * in[(y + t) * w + x];
    s1 += k * in[(y + t + 1) * w + x];
    s2 += k * in[(y + t + 2) * w + x];
    s3 += k * in[(y + t + 3) * w + x];
#endif
  }
  out[y * w + x] = s0;
  out[(y + 1) * w + x] = s1;
  out[(y + 2) * w + x] = s2;
  out[(y + 3) * w + x] = s3;
}
