// The same convolution, with a guard at every tap.

__kernel void convolve_guarded(__global const int *in, __global const int *taps,
                               __global int *out, int n, int count) {
  int i = (int)get_global_id(0);
  int half_count = count / 2;
  int sum = 0;
  for (int j = 0; j < count; ++j) {
    int k = i + j - half_count;
    if (k >= 0 && k < n)
      sum += in[k] * taps[j];
  }
  out[i] = sum;
}
