// The same in square work-groups.
// clrewrite: launch global=4096x4096 local=16x16 in=64M out=64M n=4096
__kernel void scale_square(__global const float *in, __global float *out, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * n + column] = 2.0f * in[row * n + column];
}
