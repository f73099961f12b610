// As matvec_columns, with work-items for the whole GPU.
// clrewrite: launch global=524288 local=256 n=256 pitch=524288 a=512M x=16K y=2M
kernel void matvec_wide(global float *a, global float *x, global float *y, int n, int pitch) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++)
    y[i] += a[j * pitch + i] * x[j];
}
