// conv5 with its weights in global memory.
// clrewrite: launch global=4096x4096 local=16x16 width=4096 height=4096 in=16M out=16M w=100
__kernel void conv5(const __global uchar *in, __global uchar *out,
                    __global const float *restrict w, int width, int height) {
  size_t gx = get_global_id(0), gy = get_global_id(1);
  int x = gx, y = gy;
  float s = 0;
  for (char j = -2; j <= 2; j++)
    for (char i = -2; i <= 2; i++) {
      int yy = y + j, xx = x + i;
      if (yy >= 0 && yy < height && xx >= 0 && xx < width)
        s += w[(j + 2) * 5 + i + 2] * in[yy * width + xx];
    }
  out[gy * width + gx] = convert_uchar_sat(s);
}
