// Planar YUV 4:4:4 to planar RGB, sixteen pixels a work-item.
typedef int16 VI;
// clrewrite: launch global=2097152 local=256 y=32M u=32M v=32M r=32M g=32M b=32M
// small: launch global=64 local=16 y=1K u=1K v=1K r=1K g=1K b=1K
__kernel void yuv2rgb16(const __global uchar *y, const __global uchar *u,
                        const __global uchar *v, __global uchar *r,
                        __global uchar *g, __global uchar *b) {
  size_t i = get_global_id(0);
  {
    VI Y = (convert_int16(vload16(i, y)) - 16) * 298,
       U = convert_int16(vload16(i, u)) - 128,
       V = convert_int16(vload16(i, v)) - 128;
    VI R = (Y + 409 * V + 128) >> 8;
    VI G = (Y - 100 * U - 208 * V + 128) >> 8;
    VI BB = (Y + 516 * U + 128) >> 8;
    vstore16(convert_uchar16_sat(R), i, r);
    vstore16(convert_uchar16_sat(G), i, g);
    vstore16(convert_uchar16_sat(BB), i, b);
  }
}
