// The bits of each bitmap that are set in a word of 64 bits and not in the one before.
// clrewrite: launch global=131072 local=128 words=64 maps=64M count=512K
kernel void scan_bits(global const ulong *maps, global uint *count, int words) {
  int i = get_global_id(0);
  uint sum = 0;
  ulong last = 0;
  for (int w = 0; w < words; w++) {
    ulong map = maps[i * words + w];
    sum += (uint)popcount(map & ~last);
    last = map;
  }
  count[i] = sum;
}
