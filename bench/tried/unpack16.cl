// Weighted sums of sixteen bytes a work-item.
// tried pack-loads words: one load of four words, taken apart by shifts
// tried pack-loads vector: one load of sixteen bytes
// clrewrite: launch global=128 local=64 in=2K w=64 out=512
kernel void unpack16(global const uchar *restrict in, constant float *w,
                     global float *restrict out) {
  int g = get_global_id(0);
  float s = 0;
#if defined(V_words)
  uint4 v = ((global const uint4 *)in)[g];
  uint k[4] = {v.x, v.y, v.z, v.w};
  for (int i = 0; i < 16; ++i)
    s += w[i] * (float)(k[i / 4] >> 8 * (i % 4) & 255);
#elif defined(V_vector)
  uchar16 v = ((global const uchar16 *)in)[g];
  uchar p[16];
  vstore16(v, 0, p);
  for (int i = 0; i < 16; ++i)
    s += w[i] * (float)p[i];
#else
  for (int i = 0; i < 16; ++i)
    s += w[i] * (float)in[16 * g + i];
#endif
  out[g] = s;
}
