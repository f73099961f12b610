// Matrix product in tiles of 64x64, 4x4 sums a work-item.
typedef size_t SZ;
// clrewrite: launch global=512x512 local=16x16 M=2048 N=2048 K=256 A=2M B=2M C=16M
// small: launch global=16x16 local=16x16 M=64 N=64 K=32 A=8K B=8K C=16K
__kernel void sgemm4(int M, int N, int K, const __global float *A,
                     const __global float *B, __global float *C) {
  SZ tidm = get_local_id(0), tidn = get_local_id(1),
     offm = 64 * get_group_id(0), offn = 64 * get_group_id(1);
  __local float As[16][64], Bs[64][16 + 2];
  float a[4], acc[4][4];
  float b;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      acc[i][j] = 0;
  int nt = K / 16;
  for (int t = 0; t < nt; t++) {
    for (int la = 0; la < 4; la++) {
      int tid = tidn * 16 + tidm;
      int id = la * 256 + tid;
      int row = id % 64, col = id / 64;
      As[col][row] = A[(t * 16 + col) * M + offm + row];
      Bs[row][col] = B[(t * 16 + col) * N + offn + row];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) {
      for (int wn = 0; wn < 4; wn++)
        a[wn] = Bs[tidn + wn * 16][k];
      for (int wm = 0; wm < 4; wm++) {
        b = As[k][tidm + wm * 16];
        for (int wn = 0; wn < 4; wn++)
          acc[wm][wn] += b * a[wn];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int wm = 0; wm < 4; wm++)
    for (int wn = 0; wn < 4; wn++)
      C[(offn + tidn + wn * 16) * M + offm + tidm + wm * 16] = acc[wm][wn];
}
