// Matrix product straight from global memory, 4 rows of two float4 a work-item,
// four elements of a at a time.
// clrewrite: launch global=8x16 local=8x4 n=64 k=16 a=4K b=4K c=16K
kernel void gemm4x8(global const float4 *restrict a,
                    global const float4 *restrict b, global float4 *restrict c,
                    int n, int k) {
  int x = get_global_id(0) * 2, y = get_global_id(1) * 4;
  int n4 = n / 4, k4 = k / 4;
  float4 s[8];
  for (int i = 0; i < 8; ++i)
    s[i] = 0;
  for (int t = 0; t < k4; ++t) {
    float4 l[4], r[8];
    for (int i = 0; i < 4; ++i) {
      l[i] = a[(y + i) * k4 + t];
      r[2 * i] = b[(4 * t + i) * n4 + x];
      r[2 * i + 1] = b[(4 * t + i) * n4 + x + 1];
    }
    for (int i = 0; i < 4; ++i) {
      s[2 * i] += l[i].x * r[0] + l[i].y * r[2] + l[i].z * r[4] + l[i].w * r[6];
      s[2 * i + 1] +=
          l[i].x * r[1] + l[i].y * r[3] + l[i].z * r[5] + l[i].w * r[7];
    }
  }
  for (int i = 0; i < 4; ++i) {
    c[(y + i) * n4 + x] = s[2 * i];
    c[(y + i) * n4 + x + 1] = s[2 * i + 1];
  }
}
