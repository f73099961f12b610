// Keeps sixteen values alive through a long loop in which each depends on its
// neighbour, so that none can be dropped or recomputed: with as many values as
// a device has registers to spare, it must spill or run fewer waves.

#define NEXT(to, from) to += (from) << 1; to ^= (from) >> 3;

__kernel void live_values(__global int *values, int rounds) {
  int base = (int)get_global_id(0) * 16;
  int v0 = values[base], v1 = values[base + 1], v2 = values[base + 2],
      v3 = values[base + 3], v4 = values[base + 4], v5 = values[base + 5],
      v6 = values[base + 6], v7 = values[base + 7], v8 = values[base + 8],
      v9 = values[base + 9], v10 = values[base + 10], v11 = values[base + 11],
      v12 = values[base + 12], v13 = values[base + 13], v14 = values[base + 14],
      v15 = values[base + 15];
  for (int r = 0; r < rounds; ++r) {
    NEXT(v1, v0) NEXT(v2, v1) NEXT(v3, v2) NEXT(v4, v3)
    NEXT(v5, v4) NEXT(v6, v5) NEXT(v7, v6) NEXT(v8, v7)
    NEXT(v9, v8) NEXT(v10, v9) NEXT(v11, v10) NEXT(v12, v11)
    NEXT(v13, v12) NEXT(v14, v13) NEXT(v15, v14) NEXT(v0, v15)
  }
  values[base] = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9 + v10 + v11 +
                 v12 + v13 + v14 + v15;
}
