// Sums of absolute differences of a block at four places beside each other.
// tried bump-pointer bump: pointers that move by a row
// tried bump-pointer offset: 32-bit indices that move by a row
// tried bump-pointer wide: indices of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=8x4 local=8x1 pitch=128 rows=8 cur=8K ref=8K out=128
kernel void sad_search(global const uchar *restrict cur,
                       global const uchar *restrict ref,
                       global uint4 *restrict out, int pitch, int rows) {
  int x = get_global_id(0) * 8, y = get_global_id(1) * rows;
  ushort8 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#if defined(V_bump)
  global const uchar *p = cur + y * pitch + x, *q = ref + y * pitch + x;
#elif defined(INDEX)
  INDEX at = y * pitch + x;
#endif
  for (int j = 0; j < rows; ++j) {
#if defined(V_bump)
#define P p
#define Q q
#elif defined(INDEX)
#define P (cur + at)
#define Q (ref + at)
#else
#define P (cur + (y + j) * pitch + x)
#define Q (ref + (y + j) * pitch + x)
#endif
    uchar8 c = vload8(0, P);
    s0 += convert_ushort8(abs_diff(c, vload8(0, Q)));
    s1 += convert_ushort8(abs_diff(c, vload8(0, Q + 1)));
    s2 += convert_ushort8(abs_diff(c, vload8(0, Q + 2)));
    s3 += convert_ushort8(abs_diff(c, vload8(0, Q + 3)));
#if defined(V_bump)
    p += pitch;
    q += pitch;
#elif defined(INDEX)
    at += pitch;
#endif
  }
  ushort4 t0 = s0.lo + s0.hi, t1 = s1.lo + s1.hi;
  ushort4 t2 = s2.lo + s2.hi, t3 = s3.lo + s3.hi;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
      (uint4)(t0.x + t0.y + t0.z + t0.w, t1.x + t1.y + t1.z + t1.w,
              t2.x + t2.y + t2.z + t2.w, t3.x + t3.y + t3.z + t3.w);
}
