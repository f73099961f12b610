// Two filters of 17 taps over the same eight pixels of four floats.
// tried fission filters: a loop for each filter
// tried fission halves: both filters, for four pixels after the other four
// clrewrite: launch global=64 local=64 in=16K a=128 b=128 out=16K
#define PIXELS 8
kernel void two_filters(global const float4 *restrict in, constant float *a,
                        constant float *b, global float4 *restrict out) {
  int x = get_global_id(0) * PIXELS;
  float4 s[PIXELS], t[PIXELS];
  for (int p = 0; p < PIXELS; ++p)
    s[p] = t[p] = 0;
#if defined(V_filters)
  for (int k = 0; k < 17; ++k)
    for (int p = 0; p < PIXELS; ++p)
      s[p] += a[k] * in[x + p + k];
  for (int p = 0; p < PIXELS; ++p)
    out[2 * (x + p)] = s[p];
  for (int k = 0; k < 17; ++k)
    for (int p = 0; p < PIXELS; ++p)
      t[p] += b[k] * in[x + p + k];
  for (int p = 0; p < PIXELS; ++p)
    out[2 * (x + p) + 1] = t[p];
#elif defined(V_halves)
  for (int h = 0; h < PIXELS; h += PIXELS / 2) {
    for (int k = 0; k < 17; ++k)
      for (int p = 0; p < PIXELS / 2; ++p) {
        s[p] = (k ? s[p] : 0) + a[k] * in[x + h + p + k];
        t[p] = (k ? t[p] : 0) + b[k] * in[x + h + p + k];
      }
    for (int p = 0; p < PIXELS / 2; ++p) {
      out[2 * (x + h + p)] = s[p];
      out[2 * (x + h + p) + 1] = t[p];
    }
  }
#else
  for (int k = 0; k < 17; ++k)
    for (int p = 0; p < PIXELS; ++p) {
      s[p] += a[k] * in[x + p + k];
      t[p] += b[k] * in[x + p + k];
    }
  for (int p = 0; p < PIXELS; ++p) {
    out[2 * (x + p)] = s[p];
    out[2 * (x + p) + 1] = t[p];
  }
#endif
}
