// A row filter of 17 taps on floats that leaves out what lies outside.
// tried pad-buffer padded: the host pads by eight elements, the guard is gone
// tried pad-buffer bounds: for comparison, the guard as bounds of the loop
// clrewrite: launch global=64x4 local=64x1 width=64 pitch=80 at=8 in=2K out=1K w=68
kernel void blur_row17(global const float *restrict in,
                       global float *restrict out, constant float *w, int width,
                       int pitch, int at) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
#ifdef V_bounds
  for (int i = max(-8, -x); i <= min(8, width - 1 - x); i++)
#else
  for (int i = -8; i <= 8; i++)
#endif
#if !defined(V_padded) && !defined(V_bounds)
    if (x + i >= 0 && x + i < width)
#endif
      s += w[i + 8] * in[at + y * pitch + x + i];
  out[y * width + x] = s;
}
