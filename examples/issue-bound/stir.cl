// Sums a window as ../box-sum does, then stirs the sum for 24 rounds: most of
// its time goes into issuing instructions.

__kernel void stir(__global const ushort *integral, __global ushort8 *out,
                   int bottom_right, int top_left, int top_right,
                   int bottom_left) {
  int i = (int)get_global_id(0);
  ushort8 s = vload8(i, integral + bottom_right) +
              vload8(i, integral + top_left) -
              vload8(i, integral + top_right) -
              vload8(i, integral + bottom_left);
  for (int r = 0; r < 24; ++r)
    s = rotate(s * (ushort)40503, (ushort8)(5)) ^ (s >> (ushort)7);
  out[i] = s;
}
