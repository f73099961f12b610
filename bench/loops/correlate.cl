// Products of the columns of one matrix, each with the next hundred.
// clrewrite: launch global=1024x128 local=64x2 rows=1024 columns=1152 data=5M sums=1M
kernel void correlate(global float *data, global float *sums, int rows, int columns) {
  int i = get_global_id(0), j = get_global_id(1);
  sums[j * 1024 + i] = 0;
  for (int r = 0; r < rows; r++)
    sums[j * 1024 + i] += data[r * columns + i] * data[r * columns + i + j];
}
