// Pixels of four floats: a lane's own access fills half a sector.
// clrewrite: launch global=2048x2048 local=32x4 in=64M out=64M w=2048 gain=1.5
__kernel void gain_pixels(__global const float4 *in, __global float4 *out, int w, float gain) {
  int y = get_global_id(0), x = get_global_id(1);
  float4 p = in[y * w + x];
  p.xyz *= gain;
  out[y * w + x] = p;
}
