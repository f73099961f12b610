// MD5 of candidates of one block, 256 variants each. The sixteen words are
// loaded before the loop. The compiler keeps them, and 64 sums of a word and a
// constant as well.
// tried reload volatile: each use reads its word again, through volatile
// tried reload zero: read again in the loop, at an index that holds an opaque 0
// tried reload memory: read again in the loop, behind asm that may write memory
// tried reload pin: not read again: the words pass an opaque 0, so no sums stay
#define F0(x, y, z) (z ^ (x & (y ^ z)))
#define F1(x, y, z) (y ^ (z & (x ^ y)))
#define F2(x, y, z) (x ^ y ^ z)
#define F3(x, y, z) (y ^ (x | ~z))
#define R(a, b, c, d, f, w, k, s)                                              \
  a += f(b, c, d) + (w) + k;                                                   \
  a = rotate(a, (uint)s) + b;
// clrewrite: launch global=64 local=32 pw=4K out=256 tgt=16
kernel void md5x(global const uint *pw, global uint *out,
                 global const uint *tgt) {
  uint g = get_global_id(0);
#if defined(V_volatile)
#define W(i) (((global const volatile uint *)pw)[g * 16 + i])
#elif defined(V_zero)
  uint zero = get_work_dim() >> 2;
#define W(i) (pw + (il & zero))[g * 16 + i]
#elif defined(V_memory)
#define W(i) pw[g * 16 + i]
#elif defined(V_pin)
  uint zero = get_work_dim() >> 2;
#define W(i) (w##i ^ (il & zero))
#else
#define W(i) w##i
#endif
  uint w0 = pw[g * 16], w1 = pw[g * 16 + 1], w2 = pw[g * 16 + 2],
       w3 = pw[g * 16 + 3], w4 = pw[g * 16 + 4], w5 = pw[g * 16 + 5],
       w6 = pw[g * 16 + 6], w7 = pw[g * 16 + 7], w8 = pw[g * 16 + 8],
       w9 = pw[g * 16 + 9], w10 = pw[g * 16 + 10], w11 = pw[g * 16 + 11],
       w12 = pw[g * 16 + 12], w13 = pw[g * 16 + 13], w14 = pw[g * 16 + 14],
       w15 = pw[g * 16 + 15];
  uint nearest = UINT_MAX;
  for (uint il = 0; il < 256; il++) {
#if defined(V_memory)
    __asm__ volatile("" ::: "memory");
#endif
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    uint s0 = W(0) ^ il;
    R(a, b, c, d, F0, s0, 0xd76aa478u, 7)
    R(d, a, b, c, F0, W(1), 0xe8c7b756u, 12)
    R(c, d, a, b, F0, W(2), 0x242070dbu, 17)
    R(b, c, d, a, F0, W(3), 0xc1bdceeeu, 22)
    R(a, b, c, d, F0, W(4), 0xf57c0fafu, 7)
    R(d, a, b, c, F0, W(5), 0x4787c62au, 12)
    R(c, d, a, b, F0, W(6), 0xa8304613u, 17)
    R(b, c, d, a, F0, W(7), 0xfd469501u, 22)
    R(a, b, c, d, F0, W(8), 0x698098d8u, 7)
    R(d, a, b, c, F0, W(9), 0x8b44f7afu, 12)
    R(c, d, a, b, F0, W(10), 0xffff5bb1u, 17)
    R(b, c, d, a, F0, W(11), 0x895cd7beu, 22)
    R(a, b, c, d, F0, W(12), 0x6b901122u, 7)
    R(d, a, b, c, F0, W(13), 0xfd987193u, 12)
    R(c, d, a, b, F0, W(14), 0xa679438eu, 17)
    R(b, c, d, a, F0, W(15), 0x49b40821u, 22)
    R(a, b, c, d, F1, W(1), 0xf61e2562u, 5)
    R(d, a, b, c, F1, W(6), 0xc040b340u, 9)
    R(c, d, a, b, F1, W(11), 0x265e5a51u, 14)
    R(b, c, d, a, F1, s0, 0xe9b6c7aau, 20)
    R(a, b, c, d, F1, W(5), 0xd62f105du, 5)
    R(d, a, b, c, F1, W(10), 0x02441453u, 9)
    R(c, d, a, b, F1, W(15), 0xd8a1e681u, 14)
    R(b, c, d, a, F1, W(4), 0xe7d3fbc8u, 20)
    R(a, b, c, d, F1, W(9), 0x21e1cde6u, 5)
    R(d, a, b, c, F1, W(14), 0xc33707d6u, 9)
    R(c, d, a, b, F1, W(3), 0xf4d50d87u, 14)
    R(b, c, d, a, F1, W(8), 0x455a14edu, 20)
    R(a, b, c, d, F1, W(13), 0xa9e3e905u, 5)
    R(d, a, b, c, F1, W(2), 0xfcefa3f8u, 9)
    R(c, d, a, b, F1, W(7), 0x676f02d9u, 14)
    R(b, c, d, a, F1, W(12), 0x8d2a4c8au, 20)
    R(a, b, c, d, F2, W(5), 0xfffa3942u, 4)
    R(d, a, b, c, F2, W(8), 0x8771f681u, 11)
    R(c, d, a, b, F2, W(11), 0x6d9d6122u, 16)
    R(b, c, d, a, F2, W(14), 0xfde5380cu, 23)
    R(a, b, c, d, F2, W(1), 0xa4beea44u, 4)
    R(d, a, b, c, F2, W(4), 0x4bdecfa9u, 11)
    R(c, d, a, b, F2, W(7), 0xf6bb4b60u, 16)
    R(b, c, d, a, F2, W(10), 0xbebfbc70u, 23)
    R(a, b, c, d, F2, W(13), 0x289b7ec6u, 4)
    R(d, a, b, c, F2, s0, 0xeaa127fau, 11)
    R(c, d, a, b, F2, W(3), 0xd4ef3085u, 16)
    R(b, c, d, a, F2, W(6), 0x04881d05u, 23)
    R(a, b, c, d, F2, W(9), 0xd9d4d039u, 4)
    R(d, a, b, c, F2, W(12), 0xe6db99e5u, 11)
    R(c, d, a, b, F2, W(15), 0x1fa27cf8u, 16)
    R(b, c, d, a, F2, W(2), 0xc4ac5665u, 23)
    R(a, b, c, d, F3, s0, 0xf4292244u, 6)
    R(d, a, b, c, F3, W(7), 0x432aff97u, 10)
    R(c, d, a, b, F3, W(14), 0xab9423a7u, 15)
    R(b, c, d, a, F3, W(5), 0xfc93a039u, 21)
    R(a, b, c, d, F3, W(12), 0x655b59c3u, 6)
    R(d, a, b, c, F3, W(3), 0x8f0ccc92u, 10)
    R(c, d, a, b, F3, W(10), 0xffeff47du, 15)
    R(b, c, d, a, F3, W(1), 0x85845dd1u, 21)
    R(a, b, c, d, F3, W(8), 0x6fa87e4fu, 6)
    R(d, a, b, c, F3, W(15), 0xfe2ce6e0u, 10)
    R(c, d, a, b, F3, W(6), 0xa3014314u, 15)
    R(b, c, d, a, F3, W(13), 0x4e0811a1u, 21)
    R(a, b, c, d, F3, W(4), 0xf7537e82u, 6)
    R(d, a, b, c, F3, W(11), 0xbd3af235u, 10)
    R(c, d, a, b, F3, W(2), 0x2ad7d2bbu, 15)
    R(b, c, d, a, F3, W(9), 0xeb86d391u, 21)
    nearest =
        min(nearest, (a ^ tgt[0]) | (b ^ tgt[1]) | (c ^ tgt[2]) | (d ^ tgt[3]));
  }
  out[g] = nearest;
}
