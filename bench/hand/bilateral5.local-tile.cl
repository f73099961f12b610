// bilateral5 with the work-group's pixels and two around them in local memory.
// clrewrite: launch global=2048x1024 local=32x8 w=2048 h=1024 sc=8 sd=0.1 in=32M out=32M
kernel void bilateral5(global const float4 *restrict in,
                       global float4 *restrict out, int w, int h, float sc,
                       float sd) {
  local float4 tile[12][36];
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  for (int k = ly * 32 + lx; k < 12 * 36; k += 256)
    tile[k / 36][k % 36] = in[clamp(y - ly - 2 + k / 36, 0, h - 1) * w +
                              clamp(x - lx - 2 + k % 36, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 centre = tile[ly + 2][lx + 2];
  float4 sum = 0, weights = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      float4 p = tile[ly + 2 + j][lx + 2 + i];
      float4 d = p - centre;
      float4 t = exp(-sc * d * d - sd * (float)(i * i + j * j));
      sum += t * p;
      weights += t;
    }
  out[y * w + x] = sum / weights;
}
