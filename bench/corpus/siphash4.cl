// SipHash-2-4 of four messages of 64 bytes a work-item, one a lane.
#define SIPROUND                                                               \
  a += b;                                                                      \
  b = rotate(b, (ulong4)13ul) ^ a;                                             \
  a = rotate(a, (ulong4)32ul);                                                 \
  c += d;                                                                      \
  d = rotate(d, (ulong4)16ul) ^ c;                                             \
  a += d;                                                                      \
  d = rotate(d, (ulong4)21ul) ^ a;                                             \
  c += b;                                                                      \
  b = rotate(b, (ulong4)17ul) ^ c;                                             \
  c = rotate(c, (ulong4)32ul);
// clrewrite: launch global=262144 local=256 k0=1234567 k1=7654321 in=64M out=8M
// small: launch global=64 local=16 k0=1234567 k1=7654321 in=16K out=2K
kernel void siphash4(global const ulong4 *restrict in,
                     global ulong4 *restrict out, ulong k0, ulong k1) {
  int g = get_global_id(0);
  ulong4 a = k0 ^ 0x736f6d6570736575ul, b = k1 ^ 0x646f72616e646f6dul;
  ulong4 c = k0 ^ 0x6c7967656e657261ul, d = k1 ^ 0x7465646279746573ul;
  for (int i = 0; i < 8; ++i) {
    ulong4 m = in[g * 8 + i];
    d ^= m;
    SIPROUND
    SIPROUND
    a ^= m;
  }
  ulong4 length = 64ul << 56;
  d ^= length;
  SIPROUND
  SIPROUND
  a ^= length;
  c ^= 0xfful;
  SIPROUND
  SIPROUND
  SIPROUND
  SIPROUND
  out[g] = a ^ b ^ c ^ d;
}
