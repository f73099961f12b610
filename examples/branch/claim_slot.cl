// Each work-item replaces the larger one of a pair by its own number.

__kernel void claim_slot(__global int *left, __global int *right) {
  const int i = (int)get_global_id(0);
  if (left[i] > right[i]) {
    left[i] = i;
  } else {
    right[i] = i;
  }
}
