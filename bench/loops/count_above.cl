// How many of 64 bytes down a column are above a limit.
// clrewrite: launch global=2048x512 local=32x8 pitch=2048 turns=64 in=16M counts=4M
kernel void count_above(global const uchar *in, global int *counts, int pitch, int turns) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int k = 0; k < turns; k++)
    counts[y * pitch + x] += in[(y + k) * pitch + x] > 50;
}
