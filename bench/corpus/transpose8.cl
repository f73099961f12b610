// Transposes a matrix of floats in blocks of 8x8, one block a work-item.
// clrewrite: launch global=512x512 local=16x16 w=4096 h=4096 in=64M out=64M
// small: launch global=4x4 local=4x4 w=32 h=32 in=4K out=4K
kernel void transpose8(global const float *restrict in,
                       global float *restrict out, int w, int h) {
  int x = get_global_id(0) * 8, y = get_global_id(1) * 8;
  float8 a = vload8(0, in + y * w + x);
  float8 b = vload8(0, in + (y + 1) * w + x);
  float8 c = vload8(0, in + (y + 2) * w + x);
  float8 d = vload8(0, in + (y + 3) * w + x);
  float8 e = vload8(0, in + (y + 4) * w + x);
  float8 f = vload8(0, in + (y + 5) * w + x);
  float8 g = vload8(0, in + (y + 6) * w + x);
  float8 i = vload8(0, in + (y + 7) * w + x);
  global float *o = out + x * h + y;
  vstore8((float8)(a.s0, b.s0, c.s0, d.s0, e.s0, f.s0, g.s0, i.s0), 0, o);
  vstore8((float8)(a.s1, b.s1, c.s1, d.s1, e.s1, f.s1, g.s1, i.s1), 0, o + h);
  vstore8((float8)(a.s2, b.s2, c.s2, d.s2, e.s2, f.s2, g.s2, i.s2), 0,
          o + 2 * h);
  vstore8((float8)(a.s3, b.s3, c.s3, d.s3, e.s3, f.s3, g.s3, i.s3), 0,
          o + 3 * h);
  vstore8((float8)(a.s4, b.s4, c.s4, d.s4, e.s4, f.s4, g.s4, i.s4), 0,
          o + 4 * h);
  vstore8((float8)(a.s5, b.s5, c.s5, d.s5, e.s5, f.s5, g.s5, i.s5), 0,
          o + 5 * h);
  vstore8((float8)(a.s6, b.s6, c.s6, d.s6, e.s6, f.s6, g.s6, i.s6), 0,
          o + 6 * h);
  vstore8((float8)(a.s7, b.s7, c.s7, d.s7, e.s7, f.s7, g.s7, i.s7), 0,
          o + 7 * h);
}
