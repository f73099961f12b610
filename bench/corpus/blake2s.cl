// BLAKE2s of one block a work-item: sixteen words of state and sixteen of
// message stay in registers.
#define MIX(a, b, c, d, x, y)                                                  \
  a += b + m[x];                                                               \
  d = rotate(d ^ a, 16u);                                                      \
  c += d;                                                                      \
  b = rotate(b ^ c, 20u);                                                      \
  a += b + m[y];                                                               \
  d = rotate(d ^ a, 24u);                                                      \
  c += d;                                                                      \
  b = rotate(b ^ c, 25u);
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, \
              s15)                                                             \
  MIX(v[0], v[4], v[8], v[12], s0, s1)                                         \
  MIX(v[1], v[5], v[9], v[13], s2, s3)                                         \
  MIX(v[2], v[6], v[10], v[14], s4, s5)                                        \
  MIX(v[3], v[7], v[11], v[15], s6, s7)                                        \
  MIX(v[0], v[5], v[10], v[15], s8, s9)                                        \
  MIX(v[1], v[6], v[11], v[12], s10, s11)                                      \
  MIX(v[2], v[7], v[8], v[13], s12, s13)                                       \
  MIX(v[3], v[4], v[9], v[14], s14, s15)
// clrewrite: launch global=524288 local=256 in=32M out=16M
// small: launch global=64 local=16 in=4K out=2K
kernel void blake2s(global const uint *restrict in, global uint *restrict out) {
  const uint iv[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  int g = get_global_id(0);
  uint m[16], v[16];
  for (int i = 0; i < 16; ++i)
    m[i] = in[g * 16 + i];
  for (int i = 0; i < 8; ++i)
    v[i] = v[i + 8] = iv[i];
  v[0] ^= 0x01010020u;
  v[12] ^= 64u;
  v[14] = ~v[14];
  ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
  ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
  ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
  ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
  ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
  ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
  ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
  ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
  ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
  for (int i = 0; i < 8; ++i)
    out[g * 8 + i] = (i == 0 ? iv[0] ^ 0x01010020u : iv[i]) ^ v[i] ^ v[i + 8];
}
