// A transposition: the loads lie side by side as it stands, the stores would otherwise.
// clrewrite: launch global=4096x4096 local=32x8 in=64M out=64M n=4096
__kernel void flip_axes(__global const float *in, __global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
