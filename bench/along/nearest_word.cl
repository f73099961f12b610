// The code word that is nearest to each vector of bytes.
// clrewrite: launch global=65536 local=64 width=64 words=32 in=4M book=2K nearest=256K
kernel void nearest_word(global const uchar *in, constant uchar *book, global uint *nearest, uint width, uint words) {
  size_t i = get_global_id(0);
  uint best = 0, least = UINT_MAX;
  for (uint w = 0; w < words; w++) {
    uint sum = 0;
    for (uint k = 0; k < width; k++) {
      int d = (int)in[i * width + k] - (int)book[w * width + k];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = w;
    }
  }
  nearest[i] = best;
}
