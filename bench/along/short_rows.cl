// Rows of eleven elements.
// clrewrite: launch global=1048576 local=256 n=11 pitch=12 in=48M weights=64 out=4M
kernel void short_rows(global const float *in, global const float *weights, global float *out, int n, int pitch) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[i * pitch + k] * weights[k];
  out[i] = sum;
}
