// MD5 of candidates of one block, 256 variants each: how near they
// come to a hash.
// clrewrite: launch global=65536 local=256 n=65536 len=64 pw=4M out=256K tgt=16
// small: launch global=64 local=32 n=64 len=64 pw=4K out=256 tgt=16
__kernel void md5x(const __global uint *pw, __global uint *out,
                   const __global uint *tgt, uint n, uint len) {
  size_t g = get_global_id(0);
  if (g >= n)
    return;
  uint w0 = pw[g * 16 + 0], w1 = pw[g * 16 + 1], w2 = pw[g * 16 + 2],
       w3 = pw[g * 16 + 3], w4 = pw[g * 16 + 4], w5 = pw[g * 16 + 5],
       w6 = pw[g * 16 + 6], w7 = pw[g * 16 + 7], w8 = pw[g * 16 + 8],
       w9 = pw[g * 16 + 9], w10 = pw[g * 16 + 10], w11 = pw[g * 16 + 11],
       w12 = pw[g * 16 + 12], w13 = pw[g * 16 + 13], w14 = pw[g * 16 + 14],
       w15 = pw[g * 16 + 15];
  uint nearest = UINT_MAX;
  for (uint il = 0; il < 256; il++) {
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    uint s0 = w0 ^ il;
    a += (d ^ (b & (c ^ d))) + (s0) + 0xd76aa478u;
    a = rotate(a, (uint)7) + b;
    d += (c ^ (a & (b ^ c))) + (w1) + 0xe8c7b756u;
    d = rotate(d, (uint)12) + a;
    c += (b ^ (d & (a ^ b))) + (w2) + 0x242070dbu;
    c = rotate(c, (uint)17) + d;
    b += (a ^ (c & (d ^ a))) + (w3) + 0xc1bdceeeu;
    b = rotate(b, (uint)22) + c;
    a += (d ^ (b & (c ^ d))) + (w4) + 0xf57c0fafu;
    a = rotate(a, (uint)7) + b;
    d += (c ^ (a & (b ^ c))) + (w5) + 0x4787c62au;
    d = rotate(d, (uint)12) + a;
    c += (b ^ (d & (a ^ b))) + (w6) + 0xa8304613u;
    c = rotate(c, (uint)17) + d;
    b += (a ^ (c & (d ^ a))) + (w7) + 0xfd469501u;
    b = rotate(b, (uint)22) + c;
    a += (d ^ (b & (c ^ d))) + (w8) + 0x698098d8u;
    a = rotate(a, (uint)7) + b;
    d += (c ^ (a & (b ^ c))) + (w9) + 0x8b44f7afu;
    d = rotate(d, (uint)12) + a;
    c += (b ^ (d & (a ^ b))) + (w10) + 0xffff5bb1u;
    c = rotate(c, (uint)17) + d;
    b += (a ^ (c & (d ^ a))) + (w11) + 0x895cd7beu;
    b = rotate(b, (uint)22) + c;
    a += (d ^ (b & (c ^ d))) + (w12) + 0x6b901122u;
    a = rotate(a, (uint)7) + b;
    d += (c ^ (a & (b ^ c))) + (w13) + 0xfd987193u;
    d = rotate(d, (uint)12) + a;
    c += (b ^ (d & (a ^ b))) + (w14) + 0xa679438eu;
    c = rotate(c, (uint)17) + d;
    b += (a ^ (c & (d ^ a))) + (w15) + 0x49b40821u;
    b = rotate(b, (uint)22) + c;
    a += (c ^ (d & (b ^ c))) + (w1) + 0xf61e2562u;
    a = rotate(a, (uint)5) + b;
    d += (b ^ (c & (a ^ b))) + (w6) + 0xc040b340u;
    d = rotate(d, (uint)9) + a;
    c += (a ^ (b & (d ^ a))) + (w11) + 0x265e5a51u;
    c = rotate(c, (uint)14) + d;
    b += (d ^ (a & (c ^ d))) + (s0) + 0xe9b6c7aau;
    b = rotate(b, (uint)20) + c;
    a += (c ^ (d & (b ^ c))) + (w5) + 0xd62f105du;
    a = rotate(a, (uint)5) + b;
    d += (b ^ (c & (a ^ b))) + (w10) + 0x02441453u;
    d = rotate(d, (uint)9) + a;
    c += (a ^ (b & (d ^ a))) + (w15) + 0xd8a1e681u;
    c = rotate(c, (uint)14) + d;
    b += (d ^ (a & (c ^ d))) + (w4) + 0xe7d3fbc8u;
    b = rotate(b, (uint)20) + c;
    a += (c ^ (d & (b ^ c))) + (w9) + 0x21e1cde6u;
    a = rotate(a, (uint)5) + b;
    d += (b ^ (c & (a ^ b))) + (w14) + 0xc33707d6u;
    d = rotate(d, (uint)9) + a;
    c += (a ^ (b & (d ^ a))) + (w3) + 0xf4d50d87u;
    c = rotate(c, (uint)14) + d;
    b += (d ^ (a & (c ^ d))) + (w8) + 0x455a14edu;
    b = rotate(b, (uint)20) + c;
    a += (c ^ (d & (b ^ c))) + (w13) + 0xa9e3e905u;
    a = rotate(a, (uint)5) + b;
    d += (b ^ (c & (a ^ b))) + (w2) + 0xfcefa3f8u;
    d = rotate(d, (uint)9) + a;
    c += (a ^ (b & (d ^ a))) + (w7) + 0x676f02d9u;
    c = rotate(c, (uint)14) + d;
    b += (d ^ (a & (c ^ d))) + (w12) + 0x8d2a4c8au;
    b = rotate(b, (uint)20) + c;
    a += (b ^ c ^ d) + (w5) + 0xfffa3942u;
    a = rotate(a, (uint)4) + b;
    d += (a ^ b ^ c) + (w8) + 0x8771f681u;
    d = rotate(d, (uint)11) + a;
    c += (d ^ a ^ b) + (w11) + 0x6d9d6122u;
    c = rotate(c, (uint)16) + d;
    b += (c ^ d ^ a) + (w14) + 0xfde5380cu;
    b = rotate(b, (uint)23) + c;
    a += (b ^ c ^ d) + (w1) + 0xa4beea44u;
    a = rotate(a, (uint)4) + b;
    d += (a ^ b ^ c) + (w4) + 0x4bdecfa9u;
    d = rotate(d, (uint)11) + a;
    c += (d ^ a ^ b) + (w7) + 0xf6bb4b60u;
    c = rotate(c, (uint)16) + d;
    b += (c ^ d ^ a) + (w10) + 0xbebfbc70u;
    b = rotate(b, (uint)23) + c;
    a += (b ^ c ^ d) + (w13) + 0x289b7ec6u;
    a = rotate(a, (uint)4) + b;
    d += (a ^ b ^ c) + (s0) + 0xeaa127fau;
    d = rotate(d, (uint)11) + a;
    c += (d ^ a ^ b) + (w3) + 0xd4ef3085u;
    c = rotate(c, (uint)16) + d;
    b += (c ^ d ^ a) + (w6) + 0x04881d05u;
    b = rotate(b, (uint)23) + c;
    a += (b ^ c ^ d) + (w9) + 0xd9d4d039u;
    a = rotate(a, (uint)4) + b;
    d += (a ^ b ^ c) + (w12) + 0xe6db99e5u;
    d = rotate(d, (uint)11) + a;
    c += (d ^ a ^ b) + (w15) + 0x1fa27cf8u;
    c = rotate(c, (uint)16) + d;
    b += (c ^ d ^ a) + (w2) + 0xc4ac5665u;
    b = rotate(b, (uint)23) + c;
    a += (c ^ (b | ~d)) + (s0) + 0xf4292244u;
    a = rotate(a, (uint)6) + b;
    d += (b ^ (a | ~c)) + (w7) + 0x432aff97u;
    d = rotate(d, (uint)10) + a;
    c += (a ^ (d | ~b)) + (w14) + 0xab9423a7u;
    c = rotate(c, (uint)15) + d;
    b += (d ^ (c | ~a)) + (w5) + 0xfc93a039u;
    b = rotate(b, (uint)21) + c;
    a += (c ^ (b | ~d)) + (w12) + 0x655b59c3u;
    a = rotate(a, (uint)6) + b;
    d += (b ^ (a | ~c)) + (w3) + 0x8f0ccc92u;
    d = rotate(d, (uint)10) + a;
    c += (a ^ (d | ~b)) + (w10) + 0xffeff47du;
    c = rotate(c, (uint)15) + d;
    b += (d ^ (c | ~a)) + (w1) + 0x85845dd1u;
    b = rotate(b, (uint)21) + c;
    a += (c ^ (b | ~d)) + (w8) + 0x6fa87e4fu;
    a = rotate(a, (uint)6) + b;
    d += (b ^ (a | ~c)) + (w15) + 0xfe2ce6e0u;
    d = rotate(d, (uint)10) + a;
    c += (a ^ (d | ~b)) + (w6) + 0xa3014314u;
    c = rotate(c, (uint)15) + d;
    b += (d ^ (c | ~a)) + (w13) + 0x4e0811a1u;
    b = rotate(b, (uint)21) + c;
    a += (c ^ (b | ~d)) + (w4) + 0xf7537e82u;
    a = rotate(a, (uint)6) + b;
    d += (b ^ (a | ~c)) + (w11) + 0xbd3af235u;
    d = rotate(d, (uint)10) + a;
    c += (a ^ (d | ~b)) + (w2) + 0x2ad7d2bbu;
    c = rotate(c, (uint)15) + d;
    b += (d ^ (c | ~a)) + (w9) + 0xeb86d391u;
    b = rotate(b, (uint)21) + c;
    nearest =
        min(nearest, (a ^ tgt[0]) | (b ^ tgt[1]) | (c ^ tgt[2]) | (d ^ tgt[3]));
  }
  out[g] = nearest;
}
