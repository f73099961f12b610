// 3x3 box blur of a grey image, sixteen pixels a work-item.
// clrewrite: launch global=256x4096 local=64x4 pitch=4128 in=17M out=17M
// small: launch global=4x16 local=4x4 pitch=96 in=1760 out=1760
kernel void box_u8x16(global const uchar *restrict in,
                      global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1);
  global const uchar *p = in + y * pitch + x;
  ushort16 sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += convert_ushort16(vload16(0, p + j * pitch + i));
  // A ninth, rounded: 7282 / 65536.
  ushort16 mean =
      convert_ushort16((convert_uint16(sum) * 7282u + 32768u) >> 16);
  vstore16(convert_uchar16(mean), 0, out + y * pitch + x);
}
