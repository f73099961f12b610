// Luminance of four pixels of three bytes each.
// tried pack-loads words: three 32-bit loads for twelve bytes
// clrewrite: launch global=256 local=64 rgb=3K y=1K
kernel void luma4(global const uchar *restrict rgb, global uchar *restrict y) {
  int g = get_global_id(0);
  uchar p[12];
#ifdef V_words
  global const uint *words = (global const uint *)(rgb + 12 * g);
  for (int i = 0; i < 3; ++i)
    vstore4(as_uchar4(words[i]), i, p);
#else
  for (int i = 0; i < 12; ++i)
    p[i] = rgb[12 * g + i];
#endif
  for (int i = 0; i < 4; ++i)
    y[4 * g + i] =
        (77 * p[3 * i] + 150 * p[3 * i + 1] + 29 * p[3 * i + 2]) >> 8;
}
