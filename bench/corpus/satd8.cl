// Sum of absolute transformed differences (Hadamard) of 8x8 blocks, one block
// a work-item.
void hadamard(short8 *r) {
  for (int step = 4; step; step >>= 1)
    for (int i = 0; i < 8; ++i)
      if (!(i & step)) {
        short8 a = r[i], b = r[i + step];
        r[i] = a + b;
        r[i + step] = a - b;
      }
}
short8 lanes(short8 v) {
  short8 a = (short8)(v.lo + v.hi, v.lo - v.hi);
  short8 b =
      (short8)(a.s01 + a.s23, a.s01 - a.s23, a.s45 + a.s67, a.s45 - a.s67);
  return (short8)(b.s0 + b.s1, b.s0 - b.s1, b.s2 + b.s3, b.s2 - b.s3,
                  b.s4 + b.s5, b.s4 - b.s5, b.s6 + b.s7, b.s6 - b.s7);
}
// clrewrite: launch global=512x512 local=16x16 pitch=4096 a=16M b=16M out=1M
// small: launch global=4x4 local=4x4 pitch=32 a=1K b=1K out=64
kernel void satd8(global const uchar *restrict a,
                  global const uchar *restrict b, global uint *restrict out,
                  int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  short8 r[8];
  for (int i = 0; i < 8; ++i)
    r[i] = convert_short8(vload8(x, a + (y * 8 + i) * pitch)) -
           convert_short8(vload8(x, b + (y * 8 + i) * pitch));
  hadamard(r);
  uint8 sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += convert_uint8(abs(lanes(r[i])));
  uint4 s = sum.lo + sum.hi;
  out[y * get_global_size(0) + x] = (s.x + s.y + s.z + s.w + 2) >> 2;
}
