// A blur along columns, whose lanes lie along rows: a row of 64 words is no obstacle.
// clrewrite: launch global=4096x1024 local=64x4 in=16M out=16M w=4096
__kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void blur_columns(__global const float *in, __global float *out, int w) {
  __local float tile[8][64];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 64 + x, row = get_group_id(1) * 4;
  for (int i = 0; i < 8; i += 4)
    tile[y + i][x] = in[min(row + y + i, 1023) * w + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += tile[y + k][x];
  out[(row + y) * w + column] = sum * 0.2f;
}
