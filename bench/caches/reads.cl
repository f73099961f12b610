// All warps read the same memory, each from another place on: 16 MiB, which the L2 has, and
// 1 GiB, which it has not.
inline float4 sumOf(__global const float4 *in, int n, uint step, uint last) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[(get_global_id(0) + i * step) & last];
  return sum;
}

// clrewrite: launch global=1081344 local=256 in=16M out=16896K n=64
__kernel void near(__global const float4 *in, __global float4 *out, int n) {
  out[get_global_id(0)] = sumOf(in, n, 65536, 1048575);
}

// clrewrite: launch global=1081344 local=256 in=1G out=16896K n=64
__kernel void far(__global const float4 *in, __global float4 *out, int n) {
  out[get_global_id(0)] = sumOf(in, n, 1048576, 67108863);
}
