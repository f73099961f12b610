// Inverse 8x8 transform of H.264 on short8 rows, added to the prediction, one
// block a work-item.
void butterfly(int8 *r) {
  int8 a = r[0] + r[4], b = r[0] - r[4];
  int8 c = (r[2] >> 1) - r[6], d = r[2] + (r[6] >> 1);
  int8 e0 = a + d, e2 = b + c, e4 = b - c, e6 = a - d;
  int8 o1 = r[5] - r[3] - r[7] - (r[7] >> 1);
  int8 o3 = r[1] + r[7] - r[3] - (r[3] >> 1);
  int8 o5 = r[7] - r[1] + r[5] + (r[5] >> 1);
  int8 o7 = r[3] + r[5] + r[1] + (r[1] >> 1);
  int8 p1 = o1 + (o7 >> 2), p3 = o3 + (o5 >> 2), p5 = (o3 >> 2) - o5,
       p7 = o7 - (o1 >> 2);
  r[0] = e0 + p7;
  r[1] = e2 + p5;
  r[2] = e4 + p3;
  r[3] = e6 + p1;
  r[4] = e6 - p1;
  r[5] = e4 - p3;
  r[6] = e2 - p5;
  r[7] = e0 - p7;
}
void turn(int8 *r) {
  int m[64];
  for (int i = 0; i < 8; ++i)
    vstore8(r[i], i, m);
  for (int i = 0; i < 8; ++i)
    r[i] = (int8)(m[i], m[8 + i], m[16 + i], m[24 + i], m[32 + i], m[40 + i],
                  m[48 + i], m[56 + i]);
}
// clrewrite: launch global=512x512 local=16x16 pitch=4096 coef=32M pixels=16M
// small: launch global=4x4 local=4x4 pitch=32 coef=2K pixels=1K
kernel void idct8(global const short *restrict coef,
                  global uchar *restrict pixels, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  int block = y * get_global_size(0) + x;
  int8 r[8];
  for (int i = 0; i < 8; ++i)
    r[i] = convert_int8(vload8(block * 8 + i, coef));
  butterfly(r);
  turn(r);
  butterfly(r);
  turn(r);
  global uchar *p = pixels + y * 8 * pitch;
  for (int i = 0; i < 8; ++i) {
    int8 v = convert_int8(vload8(x, p + i * pitch)) + ((r[i] + 32) >> 6);
    vstore8(convert_uchar8_sat(v), x, p + i * pitch);
  }
}
