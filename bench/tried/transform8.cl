// Forward 8x8 integer transform by butterflies, one block a work-item.
// tried scope-array out: rows go through the block's own place in out
// tried scope-array rolled: the same, both loops kept rolled
// tried scope-array hint: no other place, both loops kept rolled
#if defined(V_rolled) || defined(V_hint)
#define HINT __attribute__((opencl_unroll_hint(1)))
#else
#define HINT
#endif
void butterfly(int *r) {
  int a = r[0] + r[7], b = r[1] + r[6], c = r[2] + r[5], d = r[3] + r[4];
  int e = r[0] - r[7], f = r[1] - r[6], g = r[2] - r[5], h = r[3] - r[4];
  r[0] = a + b + c + d;
  r[4] = a - b - c + d;
  r[2] = a + (b >> 1) - (c >> 1) - d;
  r[6] = (a >> 1) - b + c - (d >> 1);
  r[1] = e + f + (e >> 1) + h;
  r[3] = e - h - (h >> 1) - g;
  r[5] = e + h - (f >> 1) - f;
  r[7] = f - g + (g >> 1) + h;
}
// clrewrite: launch global=8x4 local=4x4 pitch=64 in=8K out=8K
kernel void transform8(global const int *restrict in, global int *restrict out,
                       int pitch) {
  int bx = get_global_id(0) * 8, by = get_global_id(1) * 8;
#if defined(V_out) || defined(V_rolled)
#define M(j, i) out[(by + j) * pitch + bx + i]
#else
  int m[8][8];
#define M(j, i) m[j][i]
#endif
  HINT
  for (int j = 0; j < 8; j++) {
    int r[8];
    for (int i = 0; i < 8; i++)
      r[i] = in[(by + j) * pitch + bx + i];
    butterfly(r);
    for (int i = 0; i < 8; i++)
      M(j, i) = r[i];
  }
  HINT
  for (int i = 0; i < 8; i++) {
    int c[8];
    for (int j = 0; j < 8; j++)
      c[j] = M(j, i);
    butterfly(c);
    for (int j = 0; j < 8; j++)
      out[(by + j) * pitch + bx + i] = c[j];
  }
}
