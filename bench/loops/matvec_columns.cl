// A product of a transposed matrix and a vector: a work-item for each column, few in all.
// clrewrite: launch global=4096 local=256 n=4096 a=64M x=16K y=16K
kernel void matvec_columns(global float *a, global float *x, global float *y, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++)
    y[i] += a[j * n + i] * x[j];
}
