// Four blocks of a cipher like Speck a work-item, in counter mode: the data are
// loaded first, and met by the key stream after the rounds.
#define ROUND(x, y, k)                                                         \
  x = (rotate(x, 24u) + y) ^ (k);                                              \
  y = rotate(y, 3u) ^ x;
// clrewrite: launch global=64 local=16 data=4K out=4K k0=1 k1=2 k2=3
kernel void speck_keys(global const uint *restrict data,
                       global uint *restrict out, uint k0, uint k1, uint k2) {
  uint g = get_global_id(0);
  uint8 low = vload8(2 * g, data), high = vload8(2 * g + 1, data);
  uint x[8], y[8];
  for (int i = 0; i < 8; ++i) {
    x[i] = g * 8 + i;
    y[i] = k0 ^ i;
  }
  for (int r = 0; r < 27; ++r) {
    uint key = k1;
    for (int i = 0; i < 8; ++i) {
      ROUND(x[i], y[i], key)
    }
    ROUND(k2, k1, (uint)r)
  }
  vstore8(low ^ (uint8)(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]), 2 * g,
          out);
  vstore8(high ^ (uint8)(y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]),
          2 * g + 1, out);
}
