// XXH32 of 128 bytes a work-item, the four accumulators in one uint4.
// clrewrite: launch global=524288 local=256 seed=7 in=64M out=2M
// small: launch global=64 local=16 seed=7 in=8K out=256
kernel void xxh32x4(global const uint4 *restrict in, global uint *restrict out,
                    uint seed) {
  const uint p1 = 2654435761u, p2 = 2246822519u, p3 = 3266489917u;
  int g = get_global_id(0);
  uint4 lane[8];
  for (int i = 0; i < 8; ++i)
    lane[i] = in[g * 8 + i];
  uint4 v = (uint4)(seed + p1 + p2, seed + p2, seed, seed - p1);
  for (int i = 0; i < 8; ++i)
    v = rotate(v + lane[i] * p2, (uint4)13u) * p1;
  v = rotate(v, (uint4)(1, 7, 12, 18));
  uint h = v.x + v.y + v.z + v.w + 128u;
  h = (h ^ (h >> 15)) * p2;
  h = (h ^ (h >> 13)) * p3;
  out[g] = h ^ (h >> 16);
}
