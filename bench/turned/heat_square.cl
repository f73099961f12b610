// A step of the heat equation on the inner points of a grid of odd sizes.
// clrewrite: launch global=2048x2048 local=16x8 now=32M next=32M w=2041 h=2043
__kernel void heat_square(__global const float *now, __global float *next, int w, int h) {
  int i = get_global_id(0) + 1, j = get_global_id(1) + 1;
  if (i >= h - 1 || j >= w - 1)
    return;
  int at = i * w + j;
  next[at] = now[at] + 0.1f * (now[at - 1] + now[at + 1] + now[at - w] + now[at + w] - 4 * now[at]);
}
