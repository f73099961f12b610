// Matrix product straight from global memory, 8x4 sums in float4 a work-item;
// the 64 of a row read the same elements of a.
// tried bump-pointer bump: pointers that move through a and b
// tried bump-pointer wide: indices of 64 bits that move through a and b
// tried scalarise-uniform first: get_global_id(1) through readfirstlane
// tried scalarise-uniform size: reqd_work_group_size alone
#if defined(V_first) && defined(__AMDGCN__)
#define UNIFORM(i) __builtin_amdgcn_readfirstlane(i)
#else
#define UNIFORM(i) (i)
#endif
#if defined(V_size)
#define SIZE __attribute__((reqd_work_group_size(64, 4, 1)))
#else
#define SIZE
#endif
// clrewrite: launch global=64x4 local=64x4 n=256 k=16 a=2K b=16K c=32K
kernel SIZE void gemm8x4(global const float4 *restrict a,
                         global const float4 *restrict b,
                         global float4 *restrict c, int n, int k) {
  int x = get_global_id(0), y = UNIFORM((int)get_global_id(1)) * 8;
  float4 sum[8];
  for (int i = 0; i < 8; ++i)
    sum[i] = 0;
#if defined(V_bump)
  global const float4 *row = a + y * (k / 4), *column = b + x;
#elif defined(V_wide)
  long row = y * (k / 4), column = x;
#endif
  for (int t = 0; t < k / 4; ++t) {
#if defined(V_bump)
    float4 b0 = column[0], b1 = column[n / 4];
    float4 b2 = column[2 * (n / 4)], b3 = column[3 * (n / 4)];
#elif defined(V_wide)
    float4 b0 = b[column], b1 = b[column + n / 4];
    float4 b2 = b[column + 2 * (n / 4)], b3 = b[column + 3 * (n / 4)];
#else
    float4 b0 = b[(4 * t) * (n / 4) + x], b1 = b[(4 * t + 1) * (n / 4) + x];
    float4 b2 = b[(4 * t + 2) * (n / 4) + x], b3 = b[(4 * t + 3) * (n / 4) + x];
#endif
    for (int i = 0; i < 8; ++i) {
#if defined(V_bump)
      float4 l = row[i * (k / 4)];
#elif defined(V_wide)
      float4 l = a[row + i * (k / 4)];
#else
      float4 l = a[(y + i) * (k / 4) + t];
#endif
      sum[i] += l.x * b0 + l.y * b1 + l.z * b2 + l.w * b3;
    }
#if defined(V_bump) || defined(V_wide)
    ++row;
    column += 4 * (n / 4);
#endif
  }
  for (int i = 0; i < 8; ++i)
    c[(y + i) * (n / 4) + x] = sum[i];
}
