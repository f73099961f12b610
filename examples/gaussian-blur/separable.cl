// The weights of a Gaussian are products of a weight for the row and one for
// the column, so that two passes of 31 taps do what 31 x 31 taps did.

enum { RADIUS = 15, TAPS = 2 * RADIUS + 1 };

__kernel void blur_rows(__global const float *in, __global float *out,
                        int width, int height, __constant float *weights) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < TAPS; ++i) {
    int column = x + i - RADIUS;
    if (column >= 0 && column < width)
      sum += weights[i] * in[y * width + column];
  }
  out[y * width + x] = sum;
}

__kernel void blur_columns(__global const float *in, __global float *out,
                           int width, int height, __constant float *weights) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  float sum = 0.0f;
  for (int j = 0; j < TAPS; ++j) {
    int row = y + j - RADIUS;
    if (row >= 0 && row < height)
      sum += weights[j] * in[row * width + x];
  }
  out[y * width + x] = sum;
}
