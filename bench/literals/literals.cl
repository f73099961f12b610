// Kernels with literals of type double, and what narrow-double makes of them.

// clrewrite: launch global=4194304 local=128 in=16M out=16M gain=0.5
kernel void shade(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0 - x) * 0.5 + gain * 0.3;
  out[i] = sqrt(y * y + 1.0);
}

// clrewrite: launch global=4194304 local=128 in=16M out=16M gain=0.5
kernel void shade_narrow(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0f - x) * 0.5f + gain * 0.3f;
  out[i] = sqrt(y * y + 1.0f);
}

// clrewrite: launch global=4194304 local=128 in=16M out=4M
kernel void grey(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(p.x * 0.299 + p.y * 0.587 + p.z * 0.114 + 0.5);
}

// clrewrite: launch global=4194304 local=128 in=16M out=4M
kernel void grey_narrow(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(p.x * 0.299f + p.y * 0.587f + p.z * 0.114f + 0.5f);
}

// A logistic map for each work-item.
// clrewrite: launch global=1048576 local=128 p=4M rate=3.7 steps=200
kernel void chaos(global float *p, float rate, int steps) {
  int i = get_global_id(0);
  float x = p[i];
  for (int k = 0; k < steps; k++)
    x = rate * x * (1.0 - x) + 1e-7;
  p[i] = x;
}

// clrewrite: launch global=1048576 local=128 p=4M rate=3.7 steps=200
kernel void chaos_narrow(global float *p, float rate, int steps) {
  int i = get_global_id(0);
  float x = p[i];
  for (int k = 0; k < steps; k++)
    x = rate * x * (1.0f - x) + 1e-7f;
  p[i] = x;
}

// The Gaussian error linear unit of neural networks, by its tanh.
// clrewrite: launch global=4194304 local=128 in=16M out=16M
kernel void gelu(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  out[i] = 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

// clrewrite: launch global=4194304 local=128 in=16M out=16M
kernel void gelu_narrow(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  out[i] = 0.5f * x * (1.0f + tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}
