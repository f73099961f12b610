// A product of a matrix and a vector: a work-item for each row, whose elements lie apart.
// clrewrite: launch global=4096 local=256 n=4096 a=64M x=16K y=16K
kernel void matvec_rows(global float *a, global float *x, global float *y, int n) {
  int i = get_global_id(0);
  global float *row = a + i * n;
  for (int j = 0; j < n; j++)
    y[i] += row[j] * x[j];
}
