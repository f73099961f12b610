// One pass of a radix-8 FFT with twiddles, eight points a work-item.
float2 times(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
float2 turned(float2 a) { return (float2)(a.y, -a.x); }
void fft4(float2 *a, float2 *b, float2 *c, float2 *d) {
  float2 s = *a + *c, t = *a - *c, u = *b + *d, v = turned(*b - *d);
  *a = s + u;
  *c = s - u;
  *b = t + v;
  *d = t - v;
}
// clrewrite: launch global=1048576 local=256 n=8388608 p=4096 in=64M out=64M
// small: launch global=64 local=16 n=512 p=8 in=4K out=4K
kernel void fft8(global const float2 *restrict in, global float2 *restrict out,
                 int n, int p) {
  int i = get_global_id(0), step = n / 8;
  int k = i & (p - 1);
  float angle = -6.2831853f * k / (8 * p);
  float2 x[8];
  for (int r = 0; r < 8; ++r) {
    float c, s = sincos(r * angle, &c);
    x[r] = times(in[i + r * step], (float2)(c, s));
  }
  const float h = 0.70710678f;
  fft4(&x[0], &x[2], &x[4], &x[6]);
  fft4(&x[1], &x[3], &x[5], &x[7]);
  x[3] = times(x[3], (float2)(h, -h));
  x[5] = turned(x[5]);
  x[7] = times(x[7], (float2)(-h, -h));
  global float2 *o = out + (i - k) * 8 + k;
  o[0] = x[0] + x[1];
  o[p] = x[2] + x[3];
  o[2 * p] = x[4] + x[5];
  o[3 * p] = x[6] + x[7];
  o[4 * p] = x[0] - x[1];
  o[5 * p] = x[2] - x[3];
  o[6 * p] = x[4] - x[5];
  o[7 * p] = x[6] - x[7];
}
