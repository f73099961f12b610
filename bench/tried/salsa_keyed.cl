// Thirty-two double rounds of Salsa20 on the words of a work-item; after each,
// sixteen words of a key of its own are added, which live over the loop.
// tried reload zero: the added words are read again at an opaque index
// tried reload plain: they are read again where they are added
#define QUARTER(a, b, c, d)                                                    \
  b ^= rotate(a + d, 7u);                                                      \
  c ^= rotate(b + a, 9u);                                                      \
  d ^= rotate(c + b, 13u);                                                     \
  a ^= rotate(d + c, 18u);
// clrewrite: launch global=64 local=16 key=4K data=4K
kernel void salsa_keyed(global const uint *restrict key,
                            global uint *restrict data) {
  uint g = get_global_id(0);
  uint x[16], kept[16];
  for (int k = 0; k < 16; ++k) {
    x[k] = data[g * 16 + k];
    kept[k] = key[g * 16 + k];
  }
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 32; ++i) {
    QUARTER(x[0], x[4], x[8], x[12])
    QUARTER(x[5], x[9], x[13], x[1])
    QUARTER(x[10], x[14], x[2], x[6])
    QUARTER(x[15], x[3], x[7], x[11])
    QUARTER(x[0], x[1], x[2], x[3])
    QUARTER(x[5], x[6], x[7], x[4])
    QUARTER(x[10], x[11], x[8], x[9])
    QUARTER(x[15], x[12], x[13], x[14])
#if defined(V_zero)
    uint zero = i & (get_work_dim() >> 2);
    for (int k = 0; k < 16; ++k)
      x[k] += (key + zero)[g * 16 + k];
#elif defined(V_plain)
    for (int k = 0; k < 16; ++k)
      x[k] += key[g * 16 + k];
#else
    for (int k = 0; k < 16; ++k)
      x[k] += kept[k];
#endif
  }
  for (int k = 0; k < 16; ++k)
    data[g * 16 + k] = x[k];
}
