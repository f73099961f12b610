// Sums in memory: each warp writes the same 128 bytes again and again, 512 of them, and 32
// sectors of 32 bytes of which it writes four bytes each.

// clrewrite: launch global=1081344 local=256 out=8M in=1M n=256
__kernel void floats(__global float *out, __global const float *in, int n) {
  for (int i = 0; i < n; i++)
    out[get_global_id(0)] += in[i];
}

// clrewrite: launch global=270336 local=256 out=8M in=1M n=256
__kernel void vectors(__global float4 *out, __global const float4 *in, int n) {
  for (int i = 0; i < n; i++)
    out[get_global_id(0)] += in[i];
}

// clrewrite: launch global=1081344 local=256 out=64M in=1M n=256
__kernel void apart(__global float *out, __global const float *in, int n) {
  for (int i = 0; i < n; i++)
    out[get_global_id(0) * 8] += in[i];
}
