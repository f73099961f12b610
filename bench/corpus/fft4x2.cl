// One pass of a radix-4 FFT on two interleaved signals (float4: two complex
// numbers), twiddles from a table.
float4 times2(float4 a, float2 w) {
  return (float4)(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x,
                  a.z * w.x - a.w * w.y, a.z * w.y + a.w * w.x);
}
// clrewrite: launch global=1048576 local=256 n=4194304 p=1024 in=64M out=64M w=32K
// small: launch global=64 local=16 n=256 p=4 in=4K out=4K w=128
kernel void fft4x2(global const float4 *in, global float4 *out,
                   global const float2 *w, int n, int p) {
  int i = get_global_id(0), step = n / 4, k = i & (p - 1);
  float4 a = in[i];
  float4 b = times2(in[i + step], w[k]);
  float4 c = times2(in[i + 2 * step], w[k + p]);
  float4 d = times2(in[i + 3 * step], w[k + 2 * p]);
  float4 s = a + c, t = a - c, u = b + d, v = b - d;
  v = (float4)(v.y, -v.x, v.w, -v.z);
  int o = (i - k) * 4 + k;
  out[o] = s + u;
  out[o + p] = t + v;
  out[o + 2 * p] = s - u;
  out[o + 3 * p] = t - v;
}
