// Evaluates a polynomial whose coefficients a work-group shares.
// clrewrite: launch global=8388608 local=64 n=8388608 coef=16M in=32M out=32M
// small: launch global=256 local=64 n=256 coef=512 in=1K out=1K
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
kuni(const __global float4 *coef, const __global float *in, __global float *out,
     int n) {
  int g = get_global_id(0);
  int grp = g >> 6;
  const __global float4 *c = coef + grp * 8;
  float x = in[g], s = 0, p = 1;
  for (int i = 0; i < 8; i++) {
    float4 q = c[i];
    s += p * (q.x + x * (q.y + x * (q.z + x * q.w)));
    p *= x * x;
  }
  out[g] = s;
}
