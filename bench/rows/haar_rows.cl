// One level of the Haar transform along both sides of a tile of 16 bits.
// clrewrite: launch global=4096x512 local=32x4 in=32M out=32M w=4096
__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void haar_rows(__global const short *in, __global short *out, int w) {
  __local short tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 4)
    tile[y + i][x] = in[(row + y + i) * w + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 16; i += 4) {
    short a = tile[x][2 * (y + i)], b = tile[x][2 * (y + i) + 1];
    tile[x][2 * (y + i)] = a + b;
    tile[x][2 * (y + i) + 1] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 4)
    out[(row + y + i) * w + column + x] = tile[y + i][x];
}
