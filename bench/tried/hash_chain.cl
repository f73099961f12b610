// A short hash of a block a work-item, chained from a state of its own that is
// added at the end: eight words of state, sixteen of message.
// tried reload plain: the state is read again at the end
// tried reload zero: the same, at an index that holds an opaque 0
#define STEP(a, b, c, d, e, f, g, h, w)                                        \
  h += rotate(e, 26u) + (g ^ (e & (f ^ g))) + (w) + 0x428a2f98u;               \
  d += h;                                                                      \
  h += rotate(a, 30u) + ((a & b) | (c & (a | b)));
// clrewrite: launch global=64 local=16 state=2K in=4K out=2K
kernel void hash_chain(global const uint *restrict state,
                       global const uint *restrict in,
                       global uint *restrict out) {
  uint i = get_global_id(0);
  uint a0 = state[i * 8], b0 = state[i * 8 + 1], c0 = state[i * 8 + 2],
       d0 = state[i * 8 + 3], e0 = state[i * 8 + 4], f0 = state[i * 8 + 5],
       g0 = state[i * 8 + 6], h0 = state[i * 8 + 7];
  uint a = a0, b = b0, c = c0, d = d0, e = e0, f = f0, g = g0, h = h0;
  uint w[16];
  for (int k = 0; k < 16; ++k)
    w[k] = in[i * 16 + k];
  for (int round = 0; round < 4; ++round) {
    STEP(a, b, c, d, e, f, g, h, w[0])
    STEP(h, a, b, c, d, e, f, g, w[1])
    STEP(g, h, a, b, c, d, e, f, w[2])
    STEP(f, g, h, a, b, c, d, e, w[3])
    STEP(e, f, g, h, a, b, c, d, w[4])
    STEP(d, e, f, g, h, a, b, c, w[5])
    STEP(c, d, e, f, g, h, a, b, w[6])
    STEP(b, c, d, e, f, g, h, a, w[7])
    STEP(a, b, c, d, e, f, g, h, w[8])
    STEP(h, a, b, c, d, e, f, g, w[9])
    STEP(g, h, a, b, c, d, e, f, w[10])
    STEP(f, g, h, a, b, c, d, e, w[11])
    STEP(e, f, g, h, a, b, c, d, w[12])
    STEP(d, e, f, g, h, a, b, c, w[13])
    STEP(c, d, e, f, g, h, a, b, w[14])
    STEP(b, c, d, e, f, g, h, a, w[15])
    for (int k = 0; k < 16; ++k)
      w[k] += rotate(w[(k + 1) & 15], 25u) ^ w[(k + 9) & 15];
  }
#if defined(V_zero)
  state += get_work_dim() >> 2;
#endif
#if defined(V_plain) || defined(V_zero)
#define a0 state[i * 8]
#define b0 state[i * 8 + 1]
#define c0 state[i * 8 + 2]
#define d0 state[i * 8 + 3]
#define e0 state[i * 8 + 4]
#define f0 state[i * 8 + 5]
#define g0 state[i * 8 + 6]
#define h0 state[i * 8 + 7]
#endif
  out[i * 8] = a + a0;
  out[i * 8 + 1] = b + b0;
  out[i * 8 + 2] = c + c0;
  out[i * 8 + 3] = d + d0;
  out[i * 8 + 4] = e + e0;
  out[i * 8 + 5] = f + f0;
  out[i * 8 + 6] = g + g0;
  out[i * 8 + 7] = h + h0;
}
