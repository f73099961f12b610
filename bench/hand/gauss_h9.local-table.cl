// gauss_h9 with its weights copied to local memory.
float4 tap(uchar4 p) { return convert_float4(p); }
// clrewrite: launch global=1024x4096 local=64x4 pitch=4112 in=65M out=64M w=20
kernel void gauss_h9(global const uchar4 *restrict in,
                     global uchar4 *restrict out, constant float *w,
                     int pitch) {
  local float t[5];
  if (get_local_id(1) == 0 && get_local_id(0) < 5)
    t[get_local_id(0)] = w[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0) * 4, y = get_global_id(1);
  global const uchar4 *row = in + y * pitch + x;
  float4 p[12];
  for (int i = 0; i < 12; ++i)
    p[i] = tap(row[i]);
  for (int k = 0; k < 4; ++k) {
    float4 s = p[k + 4] * t[0];
    s += (p[k + 3] + p[k + 5]) * t[1];
    s += (p[k + 2] + p[k + 6]) * t[2];
    s += (p[k + 1] + p[k + 7]) * t[3];
    s += (p[k] + p[k + 8]) * t[4];
    out[y * (pitch - 16) + x + k] = convert_uchar4_sat_rte(s);
  }
}
