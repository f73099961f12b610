// Rows whose length is odd: three of four begin between vectors.
// clrewrite: launch global=65536 local=256 pitch=1001 columns=1000 in=263M most=256K
kernel void odd_rows(global const float *in, global float *most, int pitch, int columns) {
  int y = get_global_id(0);
  float value = -INFINITY;
  for (int x = 0; x < columns; x++)
    value = fmax(value, in[y * pitch + x]);
  most[y] = value;
}
