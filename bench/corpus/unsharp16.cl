// Unsharp mask of a grey image by a 3x3 binomial blur, sixteen pixels a
// work-item.
// clrewrite: launch global=256x4096 local=64x4 pitch=4128 amount=24 in=17M out=17M
// small: launch global=4x16 local=4x4 pitch=96 amount=24 in=1760 out=1760
kernel void unsharp16(global const uchar *restrict in,
                      global uchar *restrict out, int pitch, int amount) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1) + 1;
  global const uchar *p = in + y * pitch + x;
  short16 nw = convert_short16(vload16(0, p - pitch - 1));
  short16 n = convert_short16(vload16(0, p - pitch));
  short16 ne = convert_short16(vload16(0, p - pitch + 1));
  short16 w = convert_short16(vload16(0, p - 1));
  short16 c = convert_short16(vload16(0, p));
  short16 e = convert_short16(vload16(0, p + 1));
  short16 sw = convert_short16(vload16(0, p + pitch - 1));
  short16 s = convert_short16(vload16(0, p + pitch));
  short16 se = convert_short16(vload16(0, p + pitch + 1));
  short16 blur =
      (nw + ne + sw + se + (n + w + e + s) * (short)2 + c * (short)4) >>
      (short)4;
  int16 sharp = convert_int16(c) + ((convert_int16(c - blur) * amount) >> 4);
  vstore16(convert_uchar16_sat(sharp), 0, out + (y - 1) * pitch + x);
}
