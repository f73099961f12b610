// A checksum of each packet.
// clrewrite: launch global=131072 local=64 size=256 packets=32M sums=512K
kernel void adler(global const uchar *packets, global uint *sums, uint size) {
  uint p = get_global_id(0);
  uint a = 1, b = 0;
  for (uint k = 0; k < size; k++) {
    a += packets[p * size + k];
    b += a;
  }
  sums[p] = b % 65521 << 16 | a % 65521;
}
