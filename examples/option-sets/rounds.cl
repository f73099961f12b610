// The kernel of ../issue-bound; how often the sum is stirred is the host's to
// say.

__kernel void stir(__global const ushort *integral, __global ushort8 *out,
                   int bottom_right, int top_left, int top_right,
                   int bottom_left) {
  int i = (int)get_global_id(0);
  ushort8 s = vload8(i, integral + bottom_right) +
              vload8(i, integral + top_left) -
              vload8(i, integral + top_right) -
              vload8(i, integral + bottom_left);
#ifdef DEBUG_ONLY
  s = (ushort8)(0);
#endif
  for (int r = 0; r < ROUNDS; ++r)
    s = rotate(s * (ushort)40503, (ushort8)(5)) ^ (s >> (ushort)7);
  out[i] = s;
}
