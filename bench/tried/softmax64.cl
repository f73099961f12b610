// Softmax of rows of 64 numbers, one row a work-item, held in registers.
// tried scope-array out: the powers go through the row's own place in out
// tried reload plain: the numbers are read again for their powers
// tried reload zero: the same, at an index that holds an opaque 0
// clrewrite: launch global=16 local=8 in=4K out=4K
kernel void softmax64(global const float *restrict in,
                      global float *restrict out) {
  size_t g = get_global_id(0);
  float16 a = vload16(g * 4, in), b = vload16(g * 4 + 1, in);
  float16 c = vload16(g * 4 + 2, in), d = vload16(g * 4 + 3, in);
  float16 m16 = fmax(fmax(a, b), fmax(c, d));
  float8 m8 = fmax(m16.lo, m16.hi);
  float4 m4 = fmax(m8.lo, m8.hi);
  float m = fmax(fmax(m4.x, m4.y), fmax(m4.z, m4.w));
#if defined(V_zero)
  g += get_work_dim() >> 2;
#endif
#if defined(V_zero) || defined(V_plain)
  a = vload16(g * 4, in);
  b = vload16(g * 4 + 1, in);
  c = vload16(g * 4 + 2, in);
  d = vload16(g * 4 + 3, in);
#endif
  a = exp(a - m);
  b = exp(b - m);
  c = exp(c - m);
  d = exp(d - m);
  float16 s16 = a + b + c + d;
#if defined(V_out)
  vstore16(a, g * 4, out);
  vstore16(b, g * 4 + 1, out);
  vstore16(c, g * 4 + 2, out);
  vstore16(d, g * 4 + 3, out);
#endif
  float8 s8 = s16.lo + s16.hi;
  float4 s4 = s8.lo + s8.hi;
  float scale = 1 / (s4.x + s4.y + s4.z + s4.w);
#if defined(V_out)
  a = vload16(g * 4, out);
  b = vload16(g * 4 + 1, out);
  c = vload16(g * 4 + 2, out);
  d = vload16(g * 4 + 3, out);
#endif
  vstore16(a * scale, g * 4, out);
  vstore16(b * scale, g * 4 + 1, out);
  vstore16(c * scale, g * 4 + 2, out);
  vstore16(d * scale, g * 4 + 3, out);
}
