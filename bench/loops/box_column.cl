// A box filter of 31 rows of 16-bit pixels, with the sums in a buffer of their own.
// clrewrite: launch global=4096x1024 local=64x4 pitch=4096 radius=15 in=16M sums=16M
kernel void box_column(global const ushort *in, global uint *sums, int pitch, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  sums[y * pitch + x] = 0;
  for (int r = -radius; r <= radius; r++)
    sums[y * pitch + x] += in[(y + radius + r) * pitch + x];
}
