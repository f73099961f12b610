// Product of two matrices of signed bytes, 2x4 sums a work-item, sixteen steps
// of the inner dimension at a time.
int dot16(char16 a, char16 b) {
  int16 p = convert_int16(convert_short16(a) * convert_short16(b));
  int8 q = p.lo + p.hi;
  int4 r = q.lo + q.hi;
  return r.x + r.y + r.z + r.w;
}
// clrewrite: launch global=256x512 local=16x8 n=1024 k=256 a=256K b=256K c=4M
// small: launch global=8x4 local=4x2 n=32 k=32 a=256 b=1K c=1K
kernel void int8_dot(global const char *restrict a,
                     global const char *restrict b, global int *restrict c,
                     int n, int k) {
  int x = get_global_id(0) * 4, y = get_global_id(1) * 2;
  int sum[2][4];
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 4; ++i)
      sum[j][i] = 0;
  for (int t = 0; t < k / 16; ++t) {
    char16 l[2], r[4];
    for (int j = 0; j < 2; ++j)
      l[j] = vload16(t, a + (y + j) * k);
    for (int i = 0; i < 4; ++i)
      r[i] = vload16(t, b + (x + i) * k);
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i)
        sum[j][i] += dot16(l[j], r[i]);
  }
  for (int j = 0; j < 2; ++j)
    vstore4((int4)(sum[j][0], sum[j][1], sum[j][2], sum[j][3]), 0,
            c + (y + j) * n + x);
}
