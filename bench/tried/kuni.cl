// Evaluates a polynomial whose coefficients a work-group of 64 shares.
// tried scalarise-uniform group: get_group_id(0) for get_global_id(0) >> 6
// tried scalarise-uniform first: the shifted id through readfirstlane
// clrewrite: launch global=256 local=64 n=256 coef=512 in=1K out=1K
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
kuni(global const float4 *coef, global const float *in, global float *out,
     int n) {
  int g = get_global_id(0);
#if defined(V_group)
  int group = get_group_id(0);
#elif defined(V_first) && defined(__AMDGCN__)
  int group = __builtin_amdgcn_readfirstlane(g >> 6);
#else
  int group = g >> 6;
#endif
  global const float4 *c = coef + group * 8;
  float x = in[g], s = 0, p = 1;
  for (int i = 0; i < 8; i++) {
    float4 q = c[i];
    s += p * (q.x + x * (q.y + x * (q.z + x * q.w)));
    p *= x * x;
  }
  out[g] = s;
}
