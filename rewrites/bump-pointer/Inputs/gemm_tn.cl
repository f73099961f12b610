// Matrix product of a transposed a: both are read along their rows, 8x8 sums a
// work-item.
// clrewrite: launch global=8x8 local=8x8 m=64 n=64 k=16 a=4K b=4K c=16K
kernel void gemm_tn(global const float4 *restrict a,
                    global const float4 *restrict b, global float4 *restrict c,
                    int m, int n, int k) {
  int x = get_global_id(0) * 2, y = get_global_id(1) * 2;
  float4 sum[16];
  for (int i = 0; i < 16; ++i)
    sum[i] = 0;
  for (int t = 0; t < k; ++t) {
    float4 l0 = a[t * (m / 4) + y], l1 = a[t * (m / 4) + y + 1];
    float4 r0 = b[t * (n / 4) + x], r1 = b[t * (n / 4) + x + 1];
    float l[8] = {l0.x, l0.y, l0.z, l0.w, l1.x, l1.y, l1.z, l1.w};
    for (int i = 0; i < 8; ++i) {
      sum[2 * i] += l[i] * r0;
      sum[2 * i + 1] += l[i] * r1;
    }
  }
  for (int i = 0; i < 8; ++i) {
    c[(y * 4 + i) * (n / 4) + x] = sum[2 * i];
    c[(y * 4 + i) * (n / 4) + x + 1] = sum[2 * i + 1];
  }
}
