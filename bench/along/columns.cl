// The lanes of a wave go along a row: their loads are one line already.
// clrewrite: launch global=65536 local=256 rows=1024 in=256M x=4K out=256K
kernel void columns(global const float *in, global const float *x, global float *out, int rows) {
  int i = get_global_id(0), pitch = get_global_size(0);
  float sum = 0;
  for (int r = 0; r < rows; r++)
    sum += in[r * pitch + i] * x[r];
  out[i] = sum;
}
