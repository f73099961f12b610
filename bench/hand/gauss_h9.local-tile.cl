// gauss_h9 with the work-group's pixels of each row and eight more in local memory.
float4 tap(uchar4 p) { return convert_float4(p); }
// clrewrite: launch global=1024x4096 local=64x4 pitch=4112 in=65M out=64M w=20
kernel void gauss_h9(global const uchar4 *restrict in,
                     global uchar4 *restrict out, constant float *w,
                     int pitch) {
  local uchar4 tile[4][264];
  int x = get_global_id(0) * 4, y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  global const uchar4 *row = in + y * pitch + x - lx * 4;
  for (int i = lx; i < 264; i += 64)
    tile[ly][i] = row[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 p[12];
  for (int i = 0; i < 12; ++i)
    p[i] = tap(tile[ly][lx * 4 + i]);
  for (int k = 0; k < 4; ++k) {
    float4 s = p[k + 4] * w[0];
    s += (p[k + 3] + p[k + 5]) * w[1];
    s += (p[k + 2] + p[k + 6]) * w[2];
    s += (p[k + 1] + p[k + 7]) * w[3];
    s += (p[k] + p[k + 8]) * w[4];
    out[y * (pitch - 16) + x + k] = convert_uchar4_sat_rte(s);
  }
}
