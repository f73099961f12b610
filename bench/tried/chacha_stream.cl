// A ChaCha block a work-item from a state of its own, which is added at the end
// and so lives over the rounds.
// tried reload plain: the state is read again after the rounds
// tried reload zero: the same, at an index that holds an opaque 0
#define QUARTER(a, b, c, d)                                                    \
  a += b;                                                                      \
  d = rotate(d ^ a, 16u);                                                      \
  c += d;                                                                      \
  b = rotate(b ^ c, 12u);                                                      \
  a += b;                                                                      \
  d = rotate(d ^ a, 8u);                                                       \
  c += d;                                                                      \
  b = rotate(b ^ c, 7u);
// clrewrite: launch global=64 local=16 state=4K out=4K
kernel void chacha_stream(global const uint *restrict state,
                          global uint *restrict out) {
  uint g = get_global_id(0) * 4;
  uint4 s0 = vload4(g, state), s1 = vload4(g + 1, state),
        s2 = vload4(g + 2, state), s3 = vload4(g + 3, state);
  uint4 a = s0, b = s1, c = s2, d = s3;
  for (int i = 0; i < 10; ++i) {
    QUARTER(a.x, b.x, c.x, d.x)
    QUARTER(a.y, b.y, c.y, d.y)
    QUARTER(a.z, b.z, c.z, d.z)
    QUARTER(a.w, b.w, c.w, d.w)
    QUARTER(a.x, b.y, c.z, d.w)
    QUARTER(a.y, b.z, c.w, d.x)
    QUARTER(a.z, b.w, c.x, d.y)
    QUARTER(a.w, b.x, c.y, d.z)
  }
#if defined(V_zero)
  state += get_work_dim() >> 2;
#endif
#if defined(V_plain) || defined(V_zero)
  s0 = vload4(g, state);
  s1 = vload4(g + 1, state);
  s2 = vload4(g + 2, state);
  s3 = vload4(g + 3, state);
#endif
  vstore4(a + s0, g, out);
  vstore4(b + s1, g + 1, out);
  vstore4(c + s2, g + 2, out);
  vstore4(d + s3, g + 3, out);
}
