// Three kernels that bound what a device does with an image: a copy (memory
// alone), chains of multiply-add (arithmetic alone), and a horizontal blur that
// is in between.

__kernel void copy(__global const float4 *in, __global float4 *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

__kernel void multiply_add(__global const float4 *in, __global float4 *out,
                           float a, float b) {
  size_t i = get_global_id(0);
  float4 x = in[i], y = x + 1.0f, z = x + 2.0f, w = x + 3.0f;
  for (int k = 0; k < 64; ++k) {
    x = mad(x, a, b);
    y = mad(y, a, b);
    z = mad(z, a, b);
    w = mad(w, a, b);
  }
  out[i] = x + y + z + w;
}

__kernel void blur(__global const float *in, __global float4 *out, int row) {
  int x = (int)get_global_id(0);
  __global const float *at = in + (int)get_global_id(1) * row;
  float4 sum = vload4(x, at) + vload4(x, at + 1) + vload4(x, at + 2) +
               vload4(x, at + 3) + vload4(x, at + 4);
  out[(int)get_global_id(1) * (row >> 2) + x] = sum * 0.2f;
}
