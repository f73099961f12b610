// A box of 7 by 7 over bytes, eight pixels a work-item.
// tried interchange columns: columns outside, rows within
// tried interchange rolled: columns outside, and both loops kept rolled
// clrewrite: launch global=8x8 local=8x8 w=80 in=8K out=4K
kernel void box7(global const uchar *restrict in, global ushort *restrict out,
                 int w) {
  int x = get_global_id(0) * 8, y = get_global_id(1);
  ushort8 s = 0;
#if defined(V_columns)
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 7; ++i)
      s += convert_ushort8(vload8(0, in + (y + i) * w + x + j));
#elif defined(V_rolled)
  __attribute__((opencl_unroll_hint(1)))
  for (int j = 0; j < 7; ++j)
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 0; i < 7; ++i)
      s += convert_ushort8(vload8(0, in + (y + i) * w + x + j));
#else
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      s += convert_ushort8(vload8(0, in + (y + i) * w + x + j));
#endif
  vstore8(s, 0, out + (y * 8 + get_global_id(0)) * 8);
}
