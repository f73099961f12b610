// Matrix product straight from global memory, 8x4 sums in float4 a work-item.
// clrewrite: launch global=256x256 local=16x8 n=1024 k=512 a=4M b=2M c=8M
// small: launch global=8x4 local=4x2 n=32 k=16 a=2K b=2K c=4K
kernel void gemm8x4(global const float4 *restrict a,
                    global const float4 *restrict b, global float4 *restrict c,
                    int n, int k) {
  int x = get_global_id(0), y = get_global_id(1) * 8;
  float4 sum[8];
  for (int i = 0; i < 8; ++i)
    sum[i] = 0;
  for (int t = 0; t < k / 4; ++t) {
    float4 b0 = b[(4 * t) * (n / 4) + x], b1 = b[(4 * t + 1) * (n / 4) + x];
    float4 b2 = b[(4 * t + 2) * (n / 4) + x], b3 = b[(4 * t + 3) * (n / 4) + x];
    for (int i = 0; i < 8; ++i) {
      float4 l = a[(y + i) * (k / 4) + t];
      sum[i] += l.x * b0 + l.y * b1 + l.z * b2 + l.w * b3;
    }
  }
  for (int i = 0; i < 8; ++i)
    c[(y + i) * (n / 4) + x] = sum[i];
}
