// A linear layer: each work-item has an output, and its row of weights.
// clrewrite: launch global=4096x16 local=128x1 inputs=1024 weights=16M bias=16K in=64K out=256K
kernel void scores(global const float *weights, global const float *bias, global const float *in, global float *out, int inputs) {
  int o = get_global_id(0), batch = get_global_id(1);
  global const float *row = weights + (size_t)o * inputs;
  float sum = bias[o];
  for (int i = 0; i < inputs; ++i)
    sum = mad(row[i], in[batch * inputs + i], sum);
  out[batch * get_global_size(0) + o] = fmax(sum, 0.0f);
}
