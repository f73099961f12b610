// A checksum of 1 KiB for each work-item: each step needs the one before.
// clrewrite: launch global=65536 local=64 words=256 data=64M sums=256K
kernel void checksum(global const uint *data, global uint *sums, int words) {
  int i = get_global_id(0);
  sums[i] = 5381;
  for (int k = 0; k < words; k++)
    sums[i] = sums[i] * 33 ^ data[k * 65536 + i];
}
