// Convolves a grey image with 5x5 weights, leaving out what lies outside.
typedef uchar PX;
typedef char CI;
typedef size_t SZ;
// clrewrite: launch global=4096x4096 local=16x16 width=4096 height=4096 in=16M out=16M w=100
// small: launch global=64x32 local=16x4 width=64 height=32 in=2K out=2K w=100
__kernel void conv5(const __global PX *in, __global PX *out,
                    __constant float *w, int width, int height) {
  SZ gx = get_global_id(0), gy = get_global_id(1);
  int x = gx, y = gy;
  float s = 0;
  for (CI j = -2; j <= 2; j++)
    for (CI i = -2; i <= 2; i++) {
      int yy = y + j, xx = x + i;
      if (yy >= 0 && yy < height && xx >= 0 && xx < width)
        s += w[(j + 2) * 5 + i + 2] * in[yy * width + xx];
    }
  out[gy * width + gx] = convert_uchar_sat(s);
}
