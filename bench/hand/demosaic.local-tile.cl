// demosaic with the work-group's 66x18 samples in local memory.
// clrewrite: launch global=2048x2048 local=32x8 pitch=4112 raw=33M out=129M
kernel void demosaic(global const ushort *restrict raw,
                     global ushort4 *restrict out, int pitch) {
  local ushort tile[18][66];
  int x = get_global_id(0) * 2, y = get_global_id(1) * 2;
  int lx = get_local_id(0), ly = get_local_id(1);
  for (int k = ly * 32 + lx; k < 18 * 66; k += 256)
    tile[k / 66][k % 66] =
        raw[(y - ly * 2 + k / 66) * pitch + x - lx * 2 + k % 66];
  barrier(CLK_LOCAL_MEM_FENCE);
  int p[4][4];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      p[j][i] = tile[ly * 2 + j][lx * 2 + i];
  ushort4 nw = (ushort4)(p[1][1], (p[0][1] + p[2][1] + p[1][0] + p[1][2]) >> 2,
                         (p[0][0] + p[0][2] + p[2][0] + p[2][2]) >> 2, 65535);
  ushort4 ne = (ushort4)((p[1][1] + p[1][3]) >> 1, p[1][2],
                         (p[0][2] + p[2][2]) >> 1, 65535);
  ushort4 sw = (ushort4)((p[1][1] + p[3][1]) >> 1, p[2][1],
                         (p[2][0] + p[2][2]) >> 1, 65535);
  ushort4 se =
      (ushort4)((p[1][1] + p[1][3] + p[3][1] + p[3][3]) >> 2,
                (p[1][2] + p[3][2] + p[2][1] + p[2][3]) >> 2, p[2][2], 65535);
  out[y * pitch + x] = nw;
  out[y * pitch + x + 1] = ne;
  out[(y + 1) * pitch + x] = sw;
  out[(y + 1) * pitch + x + 1] = se;
}
