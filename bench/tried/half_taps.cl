// Seven taps on 16-bit samples, eight results a work-item.
// tried pack-loads words: the samples are loaded as seven words
// clrewrite: launch global=64 local=64 in=1200 out=1K
kernel void half_taps(global const short *restrict in,
                      global int *restrict out) {
  int g = get_global_id(0);
  int p[14];
#ifdef V_words
  global const int *words = (global const int *)(in + 8 * g);
  for (int i = 0; i < 7; ++i) {
    p[2 * i] = (short)words[i];
    p[2 * i + 1] = words[i] >> 16;
  }
#else
  for (int i = 0; i < 14; ++i)
    p[i] = in[8 * g + i];
#endif
  for (int i = 0; i < 8; ++i)
    out[4 * g + i % 4] =
        (i > 3 ? out[4 * g + i % 4] : 0) + p[i] - 6 * p[i + 1] +
        15 * p[i + 2] + 20 * p[i + 3] + 15 * p[i + 4] - 6 * p[i + 5] + p[i + 6];
}
