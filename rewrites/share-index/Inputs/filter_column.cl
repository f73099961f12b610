// Vertical filter of any length on four rows of float4 pixels.
// clrewrite: launch global=16x4 local=16x1 w=16 taps=7 in=8K weights=64 out=4K
kernel void filter_column(global const float4 *restrict in,
                          constant float *weights, global float4 *restrict out,
                          int w, int taps) {
  int x = get_global_id(0), y = get_global_id(1) * 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int t = 0; t < taps; ++t) {
    float k = weights[t];
    s0 += k * in[(y + t) * w + x];
    s1 += k * in[(y + t + 1) * w + x];
    s2 += k * in[(y + t + 2) * w + x];
    s3 += k * in[(y + t + 3) * w + x];
  }
  out[y * w + x] = s0;
  out[(y + 1) * w + x] = s1;
  out[(y + 2) * w + x] = s2;
  out[(y + 3) * w + x] = s3;
}
