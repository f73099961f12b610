// Two filters of grey images, as they are often written: everything by hand.

// Nine taps down each column, eight columns a work-item.
// clrewrite: launch global=240x1080 local=16x4 pitch=1920
__kernel void gauss(__global const uchar *restrict in,
                    __global uchar *restrict out, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  __global const uchar *p = in + y * pitch;
  ushort8 s = convert_ushort8(vload8(x, p));
  s += convert_ushort8(vload8(x, p + pitch)) * (ushort)8;
  s += convert_ushort8(vload8(x, p + 2 * pitch)) * (ushort)28;
  s += convert_ushort8(vload8(x, p + 3 * pitch)) * (ushort)56;
  s += convert_ushort8(vload8(x, p + 4 * pitch)) * (ushort)70;
  s += convert_ushort8(vload8(x, p + 5 * pitch)) * (ushort)56;
  s += convert_ushort8(vload8(x, p + 6 * pitch)) * (ushort)28;
  s += convert_ushort8(vload8(x, p + 7 * pitch)) * (ushort)8;
  s += convert_ushort8(vload8(x, p + 8 * pitch));
  vstore8(convert_uchar8((s + (ushort)128) >> (ushort)8), x, out + y * pitch);
}

// A blur of 3x3 pixels, sixteen a work-item.
// clrewrite: launch global=120x1080 local=8x4 pitch=1952
__kernel void soften(__global const uchar *restrict in,
                     __global uchar *restrict out, int pitch) {
  int x = 16 * get_global_id(0) + 1, y = get_global_id(1) + 1;
  __global const uchar *p = in + y * pitch + x;
  short16 nw = convert_short16(vload16(0, p - pitch - 1));
  short16 n = convert_short16(vload16(0, p - pitch));
  short16 ne = convert_short16(vload16(0, p - pitch + 1));
  short16 w = convert_short16(vload16(0, p - 1));
  short16 c = convert_short16(vload16(0, p));
  short16 e = convert_short16(vload16(0, p + 1));
  short16 sw = convert_short16(vload16(0, p + pitch - 1));
  short16 s = convert_short16(vload16(0, p + pitch));
  short16 se = convert_short16(vload16(0, p + pitch + 1));
  short16 sum =
      nw + ne + sw + se + (n + w + e + s) * (short)2 + c * (short)4;
  vstore16(convert_uchar16(sum >> (short)4), 0, out + y * pitch + x);
}
