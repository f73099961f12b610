// Sums of bins that a buffer chooses, of 8, 16, 32 and 64 bins: SplitArray.md
// says what each alternative makes of them.

kernel void bins8(global const float4 *in, global const int *bin,
                  global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum[8];
  for (int k = 0; k < 8; ++k)
    sum[k] = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 7] += v;
  }
  for (int k = 0; k < 8; ++k)
    out[i * 8 + k] = sum[k];
}

kernel void bins16(global const float4 *in, global const int *bin,
                   global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum[16];
  for (int k = 0; k < 16; ++k)
    sum[k] = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 15] += v;
  }
  for (int k = 0; k < 16; ++k)
    out[i * 16 + k] = sum[k];
}

kernel void bins32(global const float4 *in, global const int *bin,
                   global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum[32];
  for (int k = 0; k < 32; ++k)
    sum[k] = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 31] += v;
  }
  for (int k = 0; k < 32; ++k)
    out[i * 32 + k] = sum[k];
}

kernel void bins64(global const float4 *in, global const int *bin,
                   global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum[64];
  for (int k = 0; k < 64; ++k)
    sum[k] = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 63] += v;
  }
  for (int k = 0; k < 64; ++k)
    out[i * 64 + k] = sum[k];
}
