// ChaCha20 key stream, one block of 64 bytes a work-item.
#define QUARTER(a, b, c, d)                                                    \
  a += b;                                                                      \
  d = rotate(d ^ a, 16u);                                                      \
  c += d;                                                                      \
  b = rotate(b ^ c, 12u);                                                      \
  a += b;                                                                      \
  d = rotate(d ^ a, 8u);                                                       \
  c += d;                                                                      \
  b = rotate(b ^ c, 7u);
// clrewrite: launch global=1048576 local=256 nonce=1/2/3/0 key=32 out=64M
// small: launch global=64 local=16 nonce=1/2/3/0 key=32 out=4K
kernel void chacha20(global const uint *restrict key, global uint *restrict out,
                     uint4 nonce) {
  int g = get_global_id(0);
  uint x0 = 0x61707865u, x1 = 0x3320646eu, x2 = 0x79622d32u, x3 = 0x6b206574u;
  uint x4 = key[0], x5 = key[1], x6 = key[2], x7 = key[3], x8 = key[4],
       x9 = key[5], x10 = key[6], x11 = key[7];
  uint x12 = g, x13 = nonce.x, x14 = nonce.y, x15 = nonce.z;
  for (int i = 0; i < 10; ++i) {
    QUARTER(x0, x4, x8, x12)
    QUARTER(x1, x5, x9, x13)
    QUARTER(x2, x6, x10, x14)
    QUARTER(x3, x7, x11, x15)
    QUARTER(x0, x5, x10, x15)
    QUARTER(x1, x6, x11, x12)
    QUARTER(x2, x7, x8, x13)
    QUARTER(x3, x4, x9, x14)
  }
  global uint *o = out + g * 16;
  o[0] = x0 + 0x61707865u;
  o[1] = x1 + 0x3320646eu;
  o[2] = x2 + 0x79622d32u;
  o[3] = x3 + 0x6b206574u;
  o[4] = x4 + key[0];
  o[5] = x5 + key[1];
  o[6] = x6 + key[2];
  o[7] = x7 + key[3];
  o[8] = x8 + key[4];
  o[9] = x9 + key[5];
  o[10] = x10 + key[6];
  o[11] = x11 + key[7];
  o[12] = x12 + (uint)g;
  o[13] = x13 + nonce.x;
  o[14] = x14 + nonce.y;
  o[15] = x15 + nonce.z;
}
