// conv5 with the work-group's pixels and two around them in local memory.
// clrewrite: launch global=4096x4096 local=16x16 width=4096 height=4096 in=16M out=16M w=100
__kernel void conv5(const __global uchar *restrict in,
                    __global uchar *restrict out,
                    __constant float *w, int width, int height) {
  __local uchar tile[20][20];
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  int left = x - lx - 2, top = y - ly - 2;
  for (int k = ly * 16 + lx; k < 400; k += 256) {
    int xx = left + k % 20, yy = top + k / 20;
    tile[k / 20][k % 20] =
        xx >= 0 && xx < width && yy >= 0 && yy < height ? in[yy * width + xx] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int yy = y + j, xx = x + i;
      if (yy >= 0 && yy < height && xx >= 0 && xx < width)
        s += w[(j + 2) * 5 + i + 2] * tile[ly + j + 2][lx + i + 2];
    }
  out[y * width + x] = convert_uchar_sat(s);
}
