// Gradient noise of four octaves, four neighbouring pixels a work-item.
uint4 scramble(uint4 v) {
  v = (v ^ (v >> 16u)) * 0x7feb352du;
  v = (v ^ (v >> 15u)) * 0x846ca68bu;
  return v ^ (v >> 16u);
}
float4 slope(int4 x, int4 y, float4 dx, float4 dy) {
  uint4 h = scramble(as_uint4(x) * 73856093u ^ as_uint4(y) * 19349663u);
  float4 gx = convert_float4(h & 255u) / 127.5f - 1;
  float4 gy = convert_float4((h >> 8u) & 255u) / 127.5f - 1;
  return gx * dx + gy * dy;
}
// clrewrite: launch global=1024x4096 local=64x4 scale=0.01 out=64M
// small: launch global=8x8 local=4x4 scale=0.05 out=1K
kernel void noise4(global float4 *restrict out, float scale) {
  int gx = get_global_id(0), gy = get_global_id(1);
  float4 x = (convert_float4((int4)(0, 1, 2, 3)) + 4.0f * gx) * scale;
  float4 y = gy * scale;
  float4 sum = 0;
  float height = 0.5f;
  for (int octave = 0; octave < 4; ++octave) {
    float4 bx = floor(x), by = floor(y), dx = x - bx, dy = y - by;
    int4 ix = convert_int4(bx), iy = convert_int4(by);
    float4 u = dx * dx * (3 - 2 * dx), v = dy * dy * (3 - 2 * dy);
    float4 top = mix(slope(ix, iy, dx, dy), slope(ix + 1, iy, dx - 1, dy), u);
    float4 low = mix(slope(ix, iy + 1, dx, dy - 1),
                     slope(ix + 1, iy + 1, dx - 1, dy - 1), u);
    sum += height * mix(top, low, v);
    x *= 2;
    y *= 2;
    height *= 0.5f;
  }
  out[gy * get_global_size(0) + gx] = sum;
}
