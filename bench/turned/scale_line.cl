// Every element is scaled; the work-groups are lines along dimension 0, which goes down the columns.
// clrewrite: launch global=4096x4096 local=256x1 in=64M out=64M n=4096
__kernel void scale_line(__global const float *in, __global float *out, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * n + column] = 2.0f * in[row * n + column];
}
