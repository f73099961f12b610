// Convolution 1x1 of channels in groups of four: four pixels by four output
// channels a work-item; the 64 of a row share their weights.
// tried bump-pointer bump: pointers that move by a group of channels
// tried scalarise-uniform first: get_global_id(1) through readfirstlane
// tried scalarise-uniform size: reqd_work_group_size alone
// tried scalarise-uniform both: both
#if defined(V_first) || defined(V_both)
#define UNIFORM(i) __builtin_amdgcn_readfirstlane(i)
#else
#define UNIFORM(i) (i)
#endif
#if !defined(__AMDGCN__)
#undef UNIFORM
#define UNIFORM(i) (i)
#endif
#if defined(V_size) || defined(V_both)
#define SIZE __attribute__((reqd_work_group_size(64, 4, 1)))
#else
#define SIZE
#endif
// clrewrite: launch global=64x4 local=64x4 pixels=256 in_groups=4 in=16K weights=1K out=16K
kernel SIZE void conv1x1(global const float4 *restrict in,
                         global const float4 *restrict weights,
                         global float4 *restrict out, int pixels,
                         int in_groups) {
  int p = get_global_id(0) * 4, o = UNIFORM((int)get_global_id(1));
  float4 a0 = 0, a1 = 0, a2 = 0, a3 = 0;
#if defined(V_bump)
  global const float4 *i = in + p;
  global const float4 *w = weights + o * in_groups * 4;
#endif
  for (int g = 0; g < in_groups; ++g) {
#if !defined(V_bump)
    global const float4 *i = in + g * pixels + p;
    global const float4 *w = weights + (o * in_groups + g) * 4;
#endif
    float4 w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    float4 i0 = i[0], i1 = i[1], i2 = i[2], i3 = i[3];
    a0 += i0.x * w0 + i0.y * w1 + i0.z * w2 + i0.w * w3;
    a1 += i1.x * w0 + i1.y * w1 + i1.z * w2 + i1.w * w3;
    a2 += i2.x * w0 + i2.y * w1 + i2.z * w2 + i2.w * w3;
    a3 += i3.x * w0 + i3.y * w1 + i3.z * w2 + i3.w * w3;
#if defined(V_bump)
    i += pixels;
    w += 4;
#endif
  }
  global float4 *to = out + o * pixels + p;
  to[0] = fmax(a0, 0.0f);
  to[1] = fmax(a1, 0.0f);
  to[2] = fmax(a2, 0.0f);
  to[3] = fmax(a3, 0.0f);
}
