// The mixing step of scrypt: eight rounds of Salsa20 over sixteen words of a
// work-item, which are added to the result and so live over the loop.
#define QUARTER(a, b, c, d)                                                    \
  b ^= rotate(a + d, 7u);                                                      \
  c ^= rotate(b + a, 9u);                                                      \
  d ^= rotate(c + b, 13u);                                                     \
  a ^= rotate(d + c, 18u);
// clrewrite: launch global=64 local=16 in=4K out=4K
kernel void salsa8(global const uint *restrict in, global uint *restrict out) {
  uint g = get_global_id(0);
  uint x[16], kept[16];
  for (int k = 0; k < 16; ++k)
    x[k] = kept[k] = in[g * 16 + k];
  for (int i = 0; i < 4; ++i) {
    QUARTER(x[0], x[4], x[8], x[12])
    QUARTER(x[5], x[9], x[13], x[1])
    QUARTER(x[10], x[14], x[2], x[6])
    QUARTER(x[15], x[3], x[7], x[11])
    QUARTER(x[0], x[1], x[2], x[3])
    QUARTER(x[5], x[6], x[7], x[4])
    QUARTER(x[10], x[11], x[8], x[9])
    QUARTER(x[15], x[12], x[13], x[14])
  }
  for (int k = 0; k < 16; ++k)
    out[g * 16 + k] = x[k] + kept[k];
}
