// Each row is mixed with a weight of its own and a curve of the columns.
// clrewrite: launch global=4096x4096 local=128x1 in=64M weight=16K curve=16K out=64M w=4096
__kernel void mix_rows(__global const float *in, __global const float *weight, __global const float *curve, __global float *out, uint w) {
  uint y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] * weight[y] + curve[x];
}
