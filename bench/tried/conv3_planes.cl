// 3x3 convolution over the planes of many channels, two rows of four pixels and
// two filters a work-item.
// tried bump-pointer bump: pointers that move by a plane and by a filter
// tried bump-pointer offset: 32-bit indices that move by a plane and a filter
// tried bump-pointer wide: indices of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=8x4x2 local=8x4x1 w=36 h=10 channels=4 in=8K weights=4K out=16K
kernel void conv3_planes(global const float *restrict in,
                         global const float *restrict weights,
                         global float *restrict out, int w, int h,
                         int channels) {
  int x = get_global_id(0) * 4, y = get_global_id(1) * 2, f = get_global_id(2);
  float4 a = 0, b = 0;
#if defined(V_bump)
  global const float *p = in + y * w + x, *k = weights + f * channels * 9;
#elif defined(INDEX)
  INDEX p = y * w + x, k = f * channels * 9;
#endif
  for (int c = 0; c < channels; ++c) {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
#if defined(V_bump)
        float t = k[j * 3 + i];
        a += t * vload4(0, p + j * w + i);
        b += t * vload4(0, p + (j + 1) * w + i);
#elif defined(INDEX)
        float t = weights[k + j * 3 + i];
        a += t * vload4(0, in + p + j * w + i);
        b += t * vload4(0, in + p + (j + 1) * w + i);
#else
        float t = weights[(f * channels + c) * 9 + j * 3 + i];
        a += t * vload4(0, in + (c * h + y + j) * w + x + i);
        b += t * vload4(0, in + (c * h + y + j + 1) * w + x + i);
#endif
      }
#if defined(V_bump) || defined(INDEX)
    p += h * w;
    k += 9;
#endif
  }
  int to = (f * (h - 2) + y) * (w - 4) + x;
  vstore4(a, 0, out + to);
  vstore4(b, 0, out + to + (w - 4));
}
