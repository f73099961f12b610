// Sums float8 vectors, a tree in local memory at the end.
typedef size_t SZ;
// clrewrite: launch global=262144 local=256 n=2097152 in=64M out=4K l=8K
// small: launch global=256 local=64 n=1024 in=32K out=16 l=2K
__kernel void reduce(const __global float8 *in, __global float *out,
                     __local float8 *l, uint n) {
  SZ g = get_global_id(0), t = get_local_id(0);
  float8 s = 0;
  for (SZ i = g; i < n; i += get_global_size(0))
    s += in[i];
  l[t] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_size(0) / 2; k; k >>= 1) {
    if (t < k)
      l[t] += l[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) {
    float8 v = l[0];
    out[get_group_id(0)] =
        v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7;
  }
}
