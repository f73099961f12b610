// MurmurHash3 (128 bits, for 32-bit machines) of 128 bytes a work-item.
// clrewrite: launch global=524288 local=256 seed=7 in=64M out=8M
// small: launch global=64 local=16 seed=7 in=8K out=1K
kernel void murmur3x4(global const uint *restrict in,
                      global uint4 *restrict out, uint seed) {
  const uint c1 = 0x239b961bu, c2 = 0xab0e9789u, c3 = 0x38b34ae5u,
             c4 = 0xa1e38b93u;
  int g = get_global_id(0);
  uint16 lo = vload16(2 * g, in), hi = vload16(2 * g + 1, in);
  uint4 block[8] = {lo.s0123, lo.s4567, lo.s89ab, lo.scdef,
                    hi.s0123, hi.s4567, hi.s89ab, hi.scdef};
  uint h1 = seed, h2 = seed, h3 = seed, h4 = seed;
  for (int i = 0; i < 8; ++i) {
    uint4 k = block[i];
    h1 ^= rotate(k.x * c1, 15u) * c2;
    h1 = (rotate(h1, 19u) + h2) * 5 + 0x561ccd1bu;
    h2 ^= rotate(k.y * c2, 16u) * c3;
    h2 = (rotate(h2, 17u) + h3) * 5 + 0x0bcaa747u;
    h3 ^= rotate(k.z * c3, 17u) * c4;
    h3 = (rotate(h3, 15u) + h4) * 5 + 0x96cd1c35u;
    h4 ^= rotate(k.w * c4, 18u) * c1;
    h4 = (rotate(h4, 13u) + h1) * 5 + 0x32ac3b17u;
  }
  uint4 h = (uint4)(h1, h2, h3, h4) ^ 128u;
  h.x += h.y + h.z + h.w;
  h.yzw += h.x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  h ^= h >> 16u;
  h.x += h.y + h.z + h.w;
  h.yzw += h.x;
  out[g] = h;
}
