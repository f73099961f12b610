// Half-pixel interpolation in both directions with the six taps of H.264,
// eight pixels a work-item.
int8 six(int8 a, int8 b, int8 c, int8 d, int8 e, int8 f) {
  return a + f - 5 * (b + e) + 20 * (c + d);
}
// clrewrite: launch global=512x4096 local=64x4 pitch=4128 in=17M out=16M
// small: launch global=4x8 local=4x4 pitch=64 in=1K out=512
kernel void interp6(global const uchar *restrict in, global uchar *restrict out,
                    int pitch) {
  int x = get_global_id(0) * 8, y = get_global_id(1);
  int8 row[6];
  for (int j = 0; j < 6; ++j) {
    global const uchar *p = in + (y + j) * pitch + x;
    row[j] =
        six(convert_int8(vload8(0, p)), convert_int8(vload8(0, p + 1)),
            convert_int8(vload8(0, p + 2)), convert_int8(vload8(0, p + 3)),
            convert_int8(vload8(0, p + 4)), convert_int8(vload8(0, p + 5)));
  }
  int8 v = six(row[0], row[1], row[2], row[3], row[4], row[5]);
  vstore8(convert_uchar8_sat((v + 512) >> 10), 0, out + y * (pitch - 32) + x);
}
