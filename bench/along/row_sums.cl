// Each work-item sums a row of its own.
// clrewrite: launch global=65536 local=256 pitch=1024 columns=1024 in=256M sums=256K
kernel void row_sums(global const float *in, global float *sums, int pitch, int columns) {
  int y = get_global_id(0);
  float sum = 0;
  for (int x = 0; x < columns; x++)
    sum += in[y * pitch + x];
  sums[y] = sum;
}
