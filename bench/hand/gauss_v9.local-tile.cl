// gauss_v9 with the work-group's sixteen rows in local memory.
// clrewrite: launch global=2048x1024 local=64x4 width=2048 in=65M out=64M
kernel void gauss_v9(global const float4 *restrict in,
                     global float4 *restrict out, int width) {
  local float4 tile[16][64];
  const float w[9] = {0.0076f, 0.0361f, 0.1096f, 0.2134f, 0.2666f,
                      0.2134f, 0.1096f, 0.0361f, 0.0076f};
  int x = get_global_id(0), y = get_global_id(1) * 2;
  int lx = get_local_id(0), ly = get_local_id(1);
  for (int j = ly; j < 16; j += 4)
    tile[j][lx] = in[(y - ly * 2 + j) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 upper = 0, lower = 0;
  for (int j = 0; j < 9; ++j) {
    upper += w[j] * tile[ly * 2 + j][lx];
    lower += w[j] * tile[ly * 2 + j + 1][lx];
  }
  out[y * width + x] = upper;
  out[(y + 1) * width + x] = lower;
}
