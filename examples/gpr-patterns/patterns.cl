// Seven small kernels that show what AMD's VLIW GPUs spend registers on.
__kernel void nothing(void) {}

__kernel void unused_pointer(__global float *plane) {}

__kernel void one_store(__global float *plane) {
  plane[get_global_id(0)] = get_global_id(0);
}

__kernel void three_stores_char(__global float *x, __global float *y,
                                __global char *tag) {
  x[get_global_id(0)] = get_global_id(0);
  y[get_global_id(0)] = get_global_id(0);
  tag[get_global_id(0)] = get_global_id(0);
}

__kernel void three_stores_int(__global float *x, __global float *y,
                               __global int *tag) {
  x[get_global_id(0)] = get_global_id(0);
  y[get_global_id(0)] = get_global_id(0);
  tag[get_global_id(0)] = get_global_id(0);
}

__kernel void mark_larger_if(__global int *left, __global int *right) {
  int i = get_global_id(0);
  if (left[i] > right[i])
    left[i] = i;
  else
    right[i] = i;
}

__kernel void mark_larger_select(__global int *left, __global int *right) {
  int i = get_global_id(0);
  bool isLeft = left[i] > right[i];
  left[i] = isLeft ? i : left[i];
  right[i] = isLeft ? right[i] : i;
}
