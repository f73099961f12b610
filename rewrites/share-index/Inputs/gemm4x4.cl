// Matrix product straight from global memory, 4x4 sums a work-item, all of a's
// and b's accesses by index.
// clrewrite: launch global=16x16 local=16x4 n=64 k=16 a=4K b=4K c=16K
kernel void gemm4x4(global const float *restrict a,
                    global const float4 *restrict b, global float4 *restrict c,
                    int n, int k) {
  int x = get_global_id(0), y = get_global_id(1) * 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int t = 0; t < k; ++t) {
    float4 r = b[t * (n / 4) + x];
    s0 += a[y * k + t] * r;
    s1 += a[(y + 1) * k + t] * r;
    s2 += a[(y + 2) * k + t] * r;
    s3 += a[(y + 3) * k + t] * r;
  }
  c[y * (n / 4) + x] = s0;
  c[(y + 1) * (n / 4) + x] = s1;
  c[(y + 2) * (n / 4) + x] = s2;
  c[(y + 3) * (n / 4) + x] = s3;
}
