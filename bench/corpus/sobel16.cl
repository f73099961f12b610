// Sobel edges of a grey image, sixteen pixels a work-item.
typedef size_t SZ;
typedef short16 VI;
// clrewrite: launch global=256x4096 local=64x4 pitch=4128 h=4096 in=17M out=17M
// small: launch global=4x16 local=4x4 pitch=96 h=16 in=1536 out=1536
__kernel void sobel16(const __global uchar *in, __global uchar *out, int pitch,
                      int h) {
  SZ x = get_global_id(0) * 16 + 16, y = get_global_id(1) + 1;
  if (y >= h - 1)
    return;
  const __global uchar *p = in + y * pitch + x;
  __global uchar *o = out + y * pitch + x;
  {
    VI a = convert_short16(vload16(0, p - pitch - 1)),
       b = convert_short16(vload16(0, p - pitch)),
       c = convert_short16(vload16(0, p - pitch + 1)),
       d = convert_short16(vload16(0, p - 1)),
       f = convert_short16(vload16(0, p + 1)),
       g = convert_short16(vload16(0, p + pitch - 1)),
       hh = convert_short16(vload16(0, p + pitch)),
       i = convert_short16(vload16(0, p + pitch + 1));
    VI gx = c - a + (VI)2 * (f - d) + i - g,
       gy = g - a + (VI)2 * (hh - b) + i - c;
    vstore16(convert_uchar16_sat(abs(gx) + abs(gy)), 0, o);
  }
}
