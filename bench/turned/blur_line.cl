// A blur of nine taps along the rows, with the edges clamped.
// clrewrite: launch global=2048x4096 local=128x1 in=32M out=32M w=4096 h=2048
__kernel void blur_line(__global const float *in, __global float *out, int w, int h) {
  const size_t y = get_global_id(0), x = get_global_id(1);
  float sum = 0;
  for (int k = -4; k <= 4; ++k)
    sum += in[y * w + clamp((int)x + k, 0, w - 1)];
  out[y * w + x] = sum / 9;
}
