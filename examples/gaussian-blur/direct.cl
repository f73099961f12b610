// A Gaussian blur as it is defined: every pixel is the sum of the 31 x 31
// pixels around it, each times its weight. Beyond the image all is zero.

enum { RADIUS = 15, TAPS = 2 * RADIUS + 1 };

// The copy is what every step is held against: nothing can be faster.
__kernel void copy(__global const float *in, __global float *out, int width,
                   int height) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  out[y * width + x] = in[y * width + x];
}

__kernel void direct(__global const float *in, __global float *out, int width,
                     int height, __constant float *weights) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  float sum = 0.0f;
  for (int j = 0; j < TAPS; ++j) {
    int row = y + j - RADIUS;
    for (int i = 0; i < TAPS; ++i) {
      int column = x + i - RADIUS;
      if (row >= 0 && row < height && column >= 0 && column < width)
        sum += weights[j * TAPS + i] * in[row * width + column];
    }
  }
  out[y * width + x] = sum;
}
