// Motion search: the sums of absolute differences of a 16x16 block at sixteen
// horizontal offsets, the best of them kept.
// clrewrite: launch global=256x2048 local=64x4 pitch=4160 now=33M ref=33M best=4M
// small: launch global=4x8 local=4x4 pitch=96 now=2560 ref=2560 best=256
kernel void sad16(global const uchar *restrict now,
                  global const uchar *restrict ref, global uint2 *restrict best,
                  int pitch) {
  int x = get_global_id(0) * 16, y = get_global_id(1);
  uint16 sad = 0;
  for (int j = 0; j < 16; ++j) {
    uchar16 a = vload16(0, now + (y + j) * pitch + x);
    global const uchar *r = ref + (y + j) * pitch + x;
    uchar16 b = vload16(0, r), c = vload16(1, r);
    uchar pixel[16], window[32];
    vstore16(a, 0, pixel);
    vstore16(b, 0, window);
    vstore16(c, 1, window);
    for (int i = 0; i < 16; ++i) {
      uchar16 w = vload16(0, window + i);
      sad += convert_uint16(abs_diff(w, (uchar16)pixel[i]));
    }
  }
  uint sums[16];
  vstore16(sad, 0, sums);
  uint2 least = (uint2)(sums[0], 0);
  for (uint i = 1; i < 16; ++i)
    least = sums[i] < least.x ? (uint2)(sums[i], i) : least;
  best[y * get_global_size(0) + get_global_id(0)] = least;
}
