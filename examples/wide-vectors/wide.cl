// Image kernels that do sixteen pixels, or eight, a work-item.

// The gradient's strength: |dx| + |dy| by 3x3 differences, saturated.
__kernel void gradient(__global const uchar *restrict pixels,
                       __global uchar *restrict strength, int pitch,
                       int height) {
  int row = get_global_id(1) + 1;
  if (row >= height - 1)
    return;
  int at = row * pitch + 16 * ((int)get_global_id(0) + 1);
  __global const uchar *above = pixels + at - pitch;
  __global const uchar *here = pixels + at;
  __global const uchar *below = pixels + at + pitch;
  short16 nw = convert_short16(vload16(0, above - 1));
  short16 n = convert_short16(vload16(0, above));
  short16 ne = convert_short16(vload16(0, above + 1));
  short16 w = convert_short16(vload16(0, here - 1));
  short16 e = convert_short16(vload16(0, here + 1));
  short16 sw = convert_short16(vload16(0, below - 1));
  short16 s = convert_short16(vload16(0, below));
  short16 se = convert_short16(vload16(0, below + 1));
  short16 dx = (ne - nw) + (short16)(2) * (e - w) + (se - sw);
  short16 dy = (sw - nw) + (short16)(2) * (s - n) + (se - ne);
  vstore16(convert_uchar16_sat(abs(dx) + abs(dy)), 0, strength + at);
}

// Luma and chroma planes to planes of red, green and blue, in 8.8 fixed point.
__kernel void to_rgb(__global const uchar *luma, __global const uchar *cb,
                     __global const uchar *cr, __global uchar *red,
                     __global uchar *green, __global uchar *blue) {
  size_t i = get_global_id(0);
  int16 y = (convert_int16(vload16(i, luma)) - 16) * 298 + 128;
  int16 u = convert_int16(vload16(i, cb)) - 128;
  int16 v = convert_int16(vload16(i, cr)) - 128;
  vstore16(convert_uchar16_sat((y + 409 * v) >> 8), i, red);
  vstore16(convert_uchar16_sat((y - 100 * u - 208 * v) >> 8), i, green);
  vstore16(convert_uchar16_sat((y + 516 * u) >> 8), i, blue);
}

// Two exposures blended, the brighter one pressed down.
__kernel void blend(__global const float *restrict dark,
                    __global const float *restrict bright,
                    __global float *restrict out, float k) {
  size_t i = get_global_id(0);
  float16 low = vload16(i, dark), high = vload16(i, bright);
  float16 share = exp(-k * high * high);
  vstore16(low * share + high * (1.0f - share), i, out);
}

// Means of windows, from an integral image.
__kernel void means(__global const float *restrict integral,
                    __global float *restrict out, int pitch, int width,
                    int height, float scale) {
  int x = get_global_id(0), y = get_global_id(1);
  __global const float *top = integral + y * pitch;
  __global const float *bottom = top + height * pitch;
  float8 sum = vload8(x, bottom + width) - vload8(x, bottom) -
               vload8(x, top + width) + vload8(x, top);
  vstore8(sum * scale, x, out + y * pitch);
}
