// All warps read the same 1 GiB, which the L2 has not, each from another place on.
// clrewrite: launch global=1081344 local=256 in=1G out=16896K n=64 last=67108863
// small: launch global=512 local=256 in=16K out=8K n=3 last=1023
__kernel void far(__global const float4 *in, __global float4 *out, int n,
                   uint last) {
  uint at = get_global_id(0);
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[(at + i * 1048576) & last];
  out[get_global_id(0)] = sum;
}
