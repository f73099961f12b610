// Sum of absolute differences of 16x16 blocks at the same place, one block a
// work-item, rows as uchar16.
// clrewrite: launch global=256x256 local=16x16 pitch=4096 a=16M b=16M out=256K
// small: launch global=4x4 local=4x4 pitch=64 a=4K b=4K out=64
kernel void sad_rows(global const uchar *restrict a,
                     global const uchar *restrict b, global uint *restrict out,
                     int pitch) {
  int x = get_global_id(0), y = get_global_id(1) * 16;
  ushort16 sum = 0;
  for (int j = 0; j < 16; ++j) {
    uchar16 p = vload16(x, a + (y + j) * pitch);
    uchar16 q = vload16(x, b + (y + j) * pitch);
    sum += convert_ushort16(abs_diff(p, q));
  }
  uint8 s = convert_uint8(sum.lo) + convert_uint8(sum.hi);
  uint4 t = s.lo + s.hi;
  out[get_global_id(1) * get_global_size(0) + x] = t.x + t.y + t.z + t.w;
}
