// Lays one picture over another by its alpha, planes of bytes, sixteen pixels a
// work-item.
ushort16 over(uchar16 top, uchar16 below, ushort16 alpha) {
  ushort16 sum = convert_ushort16(top) * alpha +
                 convert_ushort16(below) * ((ushort)255 - alpha) + (ushort)128;
  return (sum + (sum >> (ushort)8)) >> (ushort)8;
}
// clrewrite: launch global=2097152 local=256 top=96M alpha=32M out=96M plane=33554432
// small: launch global=32 local=16 top=1536 alpha=512 out=1536 plane=512
kernel void alpha_over16(global const uchar *restrict top,
                         global const uchar *restrict alpha,
                         global uchar *restrict out, int plane) {
  int g = get_global_id(0);
  ushort16 a = convert_ushort16(vload16(g, alpha));
  uchar16 r = convert_uchar16(over(vload16(g, top), vload16(g, out), a));
  uchar16 gr = convert_uchar16(
      over(vload16(g, top + plane), vload16(g, out + plane), a));
  uchar16 b = convert_uchar16(
      over(vload16(g, top + 2 * plane), vload16(g, out + 2 * plane), a));
  vstore16(r, g, out);
  vstore16(gr, g, out + plane);
  vstore16(b, g, out + 2 * plane);
}
