// Shrinks an RGBA image with bilinear interpolation, four pixels a work-item.
// clrewrite: launch global=512x2048 local=64x4 w=4096 h=4096 ow=2048 sx=1.9 sy=1.9 in=64M out=16M
// small: launch global=4x16 local=4x4 w=32 h=32 ow=16 sx=1.9 sy=1.9 in=4K out=1K
kernel void resize_bilinear(global const uchar4 *restrict in,
                            global uchar4 *restrict out, int w, int h, int ow,
                            float sx, float sy) {
  int x = get_global_id(0) * 4, y = get_global_id(1);
  float4 fx =
      (convert_float4((int4)(x, x + 1, x + 2, x + 3)) + 0.5f) * sx - 0.5f;
  float fy = (y + 0.5f) * sy - 0.5f;
  int4 ix = clamp(convert_int4(floor(fx)), 0, w - 2);
  int iy = clamp(convert_int(floor(fy)), 0, h - 2);
  float4 ax = fx - convert_float4(ix);
  float ay = fy - iy;
  global const uchar4 *r0 = in + iy * w, *r1 = r0 + w;
  float4 t0 = mix(convert_float4(r0[ix.x]), convert_float4(r0[ix.x + 1]), ax.x);
  float4 t1 = mix(convert_float4(r0[ix.y]), convert_float4(r0[ix.y + 1]), ax.y);
  float4 t2 = mix(convert_float4(r0[ix.z]), convert_float4(r0[ix.z + 1]), ax.z);
  float4 t3 = mix(convert_float4(r0[ix.w]), convert_float4(r0[ix.w + 1]), ax.w);
  float4 b0 = mix(convert_float4(r1[ix.x]), convert_float4(r1[ix.x + 1]), ax.x);
  float4 b1 = mix(convert_float4(r1[ix.y]), convert_float4(r1[ix.y + 1]), ax.y);
  float4 b2 = mix(convert_float4(r1[ix.z]), convert_float4(r1[ix.z + 1]), ax.z);
  float4 b3 = mix(convert_float4(r1[ix.w]), convert_float4(r1[ix.w + 1]), ax.w);
  global uchar4 *o = out + y * ow + x;
  o[0] = convert_uchar4_sat_rte(mix(t0, b0, ay));
  o[1] = convert_uchar4_sat_rte(mix(t1, b1, ay));
  o[2] = convert_uchar4_sat_rte(mix(t2, b2, ay));
  o[3] = convert_uchar4_sat_rte(mix(t3, b3, ay));
}
