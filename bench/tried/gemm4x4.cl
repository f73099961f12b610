// Matrix product straight from global memory, 4x4 sums a work-item, all of a's
// and b's accesses by index.
// tried bump-pointer bump: pointers that move through a and b
// tried bump-pointer offset: 32-bit indices that move through a and b
// tried bump-pointer wide: indices of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=16x16 local=16x4 n=64 k=16 a=4K b=4K c=16K
kernel void gemm4x4(global const float *restrict a,
                    global const float4 *restrict b, global float4 *restrict c,
                    int n, int k) {
  int x = get_global_id(0), y = get_global_id(1) * 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#if defined(V_bump)
  global const float *row = a + y * k;
  global const float4 *column = b + x;
#elif defined(INDEX)
  INDEX row = y * k, column = x;
#endif
  for (int t = 0; t < k; ++t) {
#if defined(V_bump)
    float4 r = *column;
    s0 += row[0] * r;
    s1 += row[k] * r;
    s2 += row[2 * k] * r;
    s3 += row[3 * k] * r;
    ++row;
    column += n / 4;
#elif defined(INDEX)
    float4 r = b[column];
    s0 += a[row] * r;
    s1 += a[row + k] * r;
    s2 += a[row + 2 * k] * r;
    s3 += a[row + 3 * k] * r;
    ++row;
    column += n / 4;
#else
    float4 r = b[t * (n / 4) + x];
    s0 += a[y * k + t] * r;
    s1 += a[(y + 1) * k + t] * r;
    s2 += a[(y + 2) * k + t] * r;
    s3 += a[(y + 3) * k + t] * r;
#endif
  }
  c[y * (n / 4) + x] = s0;
  c[(y + 1) * (n / 4) + x] = s1;
  c[(y + 2) * (n / 4) + x] = s2;
  c[(y + 3) * (n / 4) + x] = s3;
}
