// Softmax of rows of 64 numbers, one row a work-item, held in registers.
// clrewrite: launch global=262144 local=64 in=64M out=64M
// small: launch global=16 local=8 in=4K out=4K
kernel void softmax64(global const float *in, global float *out) {
  size_t g = get_global_id(0);
  float16 a = vload16(g * 4, in), b = vload16(g * 4 + 1, in);
  float16 c = vload16(g * 4 + 2, in), d = vload16(g * 4 + 3, in);
  float16 m16 = fmax(fmax(a, b), fmax(c, d));
  float8 m8 = fmax(m16.lo, m16.hi);
  float4 m4 = fmax(m8.lo, m8.hi);
  float m = fmax(fmax(m4.x, m4.y), fmax(m4.z, m4.w));
  a = exp(a - m);
  b = exp(b - m);
  c = exp(c - m);
  d = exp(d - m);
  float16 s16 = a + b + c + d;
  float8 s8 = s16.lo + s16.hi;
  float4 s4 = s8.lo + s8.hi;
  float scale = 1 / (s4.x + s4.y + s4.z + s4.w);
  vstore16(a * scale, g * 4, out);
  vstore16(b * scale, g * 4 + 1, out);
  vstore16(c * scale, g * 4 + 2, out);
  vstore16(d * scale, g * 4 + 3, out);
}
