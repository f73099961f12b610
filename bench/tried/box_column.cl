// Running box filter down the columns of RGBA pixels: one row comes in, one
// goes.
// tried bump-pointer bump: pointers that move by a row
// tried bump-pointer offset: one 32-bit index that moves by a row
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=64 local=16 w=64 h=16 r=3 scale=0.125 in=8K out=4K
kernel void box_column(global const uchar4 *in, global uchar4 *out, int w,
                       int h, int r, float scale) {
  int x = get_global_id(0);
  float4 sum = 0;
  for (int y = 0; y < 2 * r; ++y)
    sum += convert_float4(in[y * w + x]);
#if defined(V_bump)
  global const uchar4 *lower = in + 2 * r * w + x, *upper = in + x;
  global uchar4 *to = out + x;
#elif defined(INDEX)
  INDEX at = x;
#endif
  for (int y = 0; y < h; ++y) {
#if defined(V_bump)
    sum += convert_float4(*lower);
    *to = convert_uchar4_sat(sum * scale);
    sum -= convert_float4(*upper);
    lower += w;
    upper += w;
    to += w;
#elif defined(INDEX)
    sum += convert_float4(in[at + 2 * r * w]);
    out[at] = convert_uchar4_sat(sum * scale);
    sum -= convert_float4(in[at]);
    at += w;
#else
    sum += convert_float4(in[(y + 2 * r) * w + x]);
    out[y * w + x] = convert_uchar4_sat(sum * scale);
    sum -= convert_float4(in[y * w + x]);
#endif
  }
}
