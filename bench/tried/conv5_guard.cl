// Convolution with 5x5 weights that leaves out what lies outside; `at` is the
// place of the first pixel in its buffer, which a host can pad.
// tried pad-buffer padded: the host pads by two pixels, the guard is gone
// tried pad-buffer bounds: for comparison, the guard as bounds of the loops
// clrewrite: launch global=32x16 local=16x4 width=32 height=16 pitch=40 at=82 in=1K out=512 w=100
kernel void conv5_guard(global const uchar *in, global uchar *out,
                        constant float *w, int width, int height, int pitch,
                        int at) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
#ifdef V_bounds
  for (int j = max(-2, -y); j <= min(2, height - 1 - y); j++)
    for (int i = max(-2, -x); i <= min(2, width - 1 - x); i++)
#else
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++)
#endif
#if !defined(V_padded) && !defined(V_bounds)
      if (y + j >= 0 && y + j < height && x + i >= 0 && x + i < width)
#endif
        s += w[(j + 2) * 5 + i + 2] * in[at + (y + j) * pitch + x + i];
  out[y * width + x] = convert_uchar_sat(s);
}
