// Depthwise 3x3 convolution of half precision in memory and single in
// registers; all work-items of a work-group share a channel.
// tried scalarise-uniform first: get_global_id(2) through readfirstlane
// tried scalarise-uniform rows: get_global_id(1) as well
// tried scalarise-uniform size: reqd_work_group_size alone
#if (defined(V_first) || defined(V_rows)) && defined(__AMDGCN__)
#define UNIFORM(i) __builtin_amdgcn_readfirstlane(i)
#else
#define UNIFORM(i) (i)
#endif
#if defined(V_rows)
#define ROW(i) UNIFORM(i)
#else
#define ROW(i) (i)
#endif
#if defined(V_size)
#define SIZE __attribute__((reqd_work_group_size(64, 4, 1)))
#else
#define SIZE
#endif
// clrewrite: launch global=64x4x2 local=64x4x1 w=256 h=4 in=25K weights=144 out=16K
kernel SIZE void depthwise3(global const half *restrict in,
                            global const half *restrict weights,
                            global half *restrict out, int w, int h) {
  int x = get_global_id(0) * 4, y = ROW((int)get_global_id(1)),
      c = UNIFORM((int)get_global_id(2));
  int pitch = w + 2;
  global const half *plane = in + c * (h + 2) * pitch * 4;
  float4 sum[4] = {0, 0, 0, 0};
  for (int j = 0; j < 3; ++j) {
    float4 v[6], k[3];
    for (int i = 0; i < 6; ++i)
      v[i] = vload_half4((y + j) * pitch + x + i, plane);
    for (int i = 0; i < 3; ++i)
      k[i] = vload_half4(c * 9 + j * 3 + i, weights);
    for (int i = 0; i < 4; ++i)
      sum[i] += v[i] * k[0] + v[i + 1] * k[1] + v[i + 2] * k[2];
  }
  for (int i = 0; i < 4; ++i)
    vstore_half4(clamp(sum[i], 0.0f, 6.0f), (c * h + y) * w + x + i, out);
}
