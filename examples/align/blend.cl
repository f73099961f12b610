// Blends two images, sixteen pixels a work-item. Rows are as far apart as the
// host says.
__kernel void blend(__global const uchar *from, __global const uchar *to,
                    __global uchar *out, int stride, int weight) {
  int x = (int)get_global_id(0);
  int row = (int)get_global_id(1) * stride;
  int16 a = convert_int16(vload16(x, from + row));
  int16 b = convert_int16(vload16(x, to + row));
  vstore16(convert_uchar16_sat((a * (256 - weight) + b * weight + 128) >> 8), x,
           out + row);
}
