// A convolution whose work-items find out which taps lie within the input: the
// first and the last by loops of their own, all others by a plain one.

__kernel void convolve_cases(__global const int *in, __global const int *taps,
                             __global int *out, int n, int count) {
  int i = (int)get_global_id(0);
  int half_count = count / 2;
  int group = (int)get_group_id(0);
  int last = (int)get_num_groups(0) - 1;
  int sum = 0;
  if (group == 0 || group == last) {
    if (i < half_count) {
      for (int j = half_count - i, k = 0; j < count; ++j, ++k)
        sum += in[k] * taps[j];
    } else if (i + half_count >= n) {
      for (int j = 0, k = i - half_count; j < half_count + n - i; ++j, ++k)
        sum += in[k] * taps[j];
    } else {
      for (int j = 0, k = i - half_count; j < count; ++j, ++k)
        sum += in[k] * taps[j];
    }
  } else {
    for (int j = 0, k = i - half_count; j < count; ++j, ++k)
      sum += in[k] * taps[j];
  }
  out[i] = sum;
}
