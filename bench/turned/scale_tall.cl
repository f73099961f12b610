// The host has made the work-groups so that their lanes lie along the rows: nothing is to be gained.
// clrewrite: launch global=4096x4096 local=1x256 in=64M out=64M n=4096
__kernel void scale_tall(__global const float *in, __global float *out, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * n + column] = 2.0f * in[row * n + column];
}
