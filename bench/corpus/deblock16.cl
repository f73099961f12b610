// Strong deblocking of a horizontal edge as in H.264, sixteen columns a
// work-item.
// clrewrite: launch global=256x256 local=64x4 pitch=4096 alpha=40 beta=10 frame=16M
// small: launch global=4x2 local=4x2 pitch=64 alpha=40 beta=10 frame=2K
kernel void deblock16(global uchar *frame, int pitch, short alpha, short beta) {
  global uchar *f =
      frame + (get_global_id(1) * 16 + 4) * pitch + get_global_id(0) * 16;
  short16 p3 = convert_short16(vload16(0, f));
  short16 p2 = convert_short16(vload16(0, f + pitch));
  short16 p1 = convert_short16(vload16(0, f + 2 * pitch));
  short16 p0 = convert_short16(vload16(0, f + 3 * pitch));
  short16 q0 = convert_short16(vload16(0, f + 4 * pitch));
  short16 q1 = convert_short16(vload16(0, f + 5 * pitch));
  short16 q2 = convert_short16(vload16(0, f + 6 * pitch));
  short16 q3 = convert_short16(vload16(0, f + 7 * pitch));
  short16 d = as_short16(abs_diff(p0, q0));
  short16 on = d < alpha && as_short16(abs_diff(p1, p0)) < beta &&
               as_short16(abs_diff(q1, q0)) < beta;
  short16 near = d < (short)((alpha >> 2) + 2);
  short16 ps = on && near && as_short16(abs_diff(p2, p0)) < beta;
  short16 qs = on && near && as_short16(abs_diff(q2, q0)) < beta;
  short16 middle = p0 + q0;
  short16 p0s = (p2 + (p1 + middle) * (short)2 + q1 + (short)4) >> (short)3;
  short16 q0s = (q2 + (q1 + middle) * (short)2 + p1 + (short)4) >> (short)3;
  short16 p0w = (p1 * (short)2 + p0 + q1 + (short)2) >> (short)2;
  short16 q0w = (q1 * (short)2 + q0 + p1 + (short)2) >> (short)2;
  short16 p1s = (p2 + p1 + middle + (short)2) >> (short)2;
  short16 q1s = (q2 + q1 + middle + (short)2) >> (short)2;
  short16 p2s =
      (p3 * (short)2 + p2 * (short)3 + p1 + middle + (short)4) >> (short)3;
  short16 q2s =
      (q3 * (short)2 + q2 * (short)3 + q1 + middle + (short)4) >> (short)3;
  vstore16(convert_uchar16(select(p2, p2s, ps)), 0, f + pitch);
  vstore16(convert_uchar16(select(p1, p1s, ps)), 0, f + 2 * pitch);
  vstore16(convert_uchar16(select(select(p0, p0w, on), p0s, ps)), 0,
           f + 3 * pitch);
  vstore16(convert_uchar16(select(select(q0, q0w, on), q0s, qs)), 0,
           f + 4 * pitch);
  vstore16(convert_uchar16(select(q1, q1s, qs)), 0, f + 5 * pitch);
  vstore16(convert_uchar16(select(q2, q2s, qs)), 0, f + 6 * pitch);
}
