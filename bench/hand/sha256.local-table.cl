// sha256 with its table copied to local memory.
__constant uint table[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// clrewrite: launch global=262144 local=256 nblk=4 in=64M out=8M
__kernel void sha256(const __global uint *in, __global uint *out, uint nblk) {
  __local uint K[64];
  if (get_local_id(0) < 64)
    K[get_local_id(0)] = table[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t g = get_global_id(0);
  uint s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint b = 0; b < nblk; b++) {
    uint w[64];
#pragma unroll
    for (int i = 0; i < 16; i++)
      w[i] = in[(g * nblk + b) * 16 + i];

#pragma unroll
    for (int i = 16; i < 64; i++)
      w[i] = w[i - 16] +
             (rotate((uint)(w[i - 15]), (uint)(32 - (7))) ^
              rotate((uint)(w[i - 15]), (uint)(32 - (18))) ^ (w[i - 15] >> 3)) +
             w[i - 7] +
             (rotate((uint)(w[i - 2]), (uint)(32 - (17))) ^
              rotate((uint)(w[i - 2]), (uint)(32 - (19))) ^ (w[i - 2] >> 10));
    uint a = s[0], bb = s[1], c = s[2], d = s[3], e = s[4], f = s[5], gg = s[6],
         h = s[7];

#pragma unroll
    for (int i = 0; i < 64; i++) {
      uint t1 = h +
                (rotate((uint)(e), (uint)(32 - (6))) ^
                 rotate((uint)(e), (uint)(32 - (11))) ^
                 rotate((uint)(e), (uint)(32 - (25)))) +
                (((e) & (f)) ^ (~(e) & (gg))) + K[i] + w[i];
      uint t2 = (rotate((uint)(a), (uint)(32 - (2))) ^
                 rotate((uint)(a), (uint)(32 - (13))) ^
                 rotate((uint)(a), (uint)(32 - (22)))) +
                (((a) & (bb)) ^ ((a) & (c)) ^ ((bb) & (c)));
      h = gg;
      gg = f;
      f = e;
      e = d + t1;
      d = c;
      c = bb;
      bb = a;
      a = t1 + t2;
    }
    s[0] += a;
    s[1] += bb;
    s[2] += c;
    s[3] += d;
    s[4] += e;
    s[5] += f;
    s[6] += gg;
    s[7] += h;
  }
  for (int i = 0; i < 8; i++)
    out[g * 8 + i] = s[i];
}
