// RGB to planar YUV 4:2:0, a quad of pixels a work-item.
typedef size_t SZ;
typedef uchar PX;
// clrewrite: launch global=2048x2048 local=16x16 w=4096 h=4096 rgb=48M yp=16M up=4M vp=4M
// small: launch global=16x16 local=8x4 w=32 h=32 rgb=3K yp=1K up=256 vp=256
__kernel void rgb2yuv(const __global PX *rgb, __global PX *yp, __global PX *up,
                      __global PX *vp, int w, int h) {
  SZ x = get_global_id(0) * 2, y = get_global_id(1) * 2;
  int us = 0, vs = 0;
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++) {
      SZ o = ((y + j) * w + x + i) * 3;
      PX r = rgb[o], g = rgb[o + 1], b = rgb[o + 2];
      yp[(y + j) * w + x + i] = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
      us += -38 * r - 74 * g + 112 * b;
      vs += 112 * r - 94 * g - 18 * b;
    }
  up[(y >> 1) * (w >> 1) + (x >> 1)] = (us >> 10) + 128;
  vp[(y >> 1) * (w >> 1) + (x >> 1)] = (vs >> 10) + 128;
}
