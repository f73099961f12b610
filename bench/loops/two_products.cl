// Two matrices and one vector, in one loop.
// clrewrite: launch global=4096 local=256 n=4096 a=64M b=64M x=16K y=16K z=16K
kernel void two_products(global float *a, global float *b, global float *x, global float *y,
                         global float *z, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++) {
    y[i] += a[j * n + i] * x[j];
    z[i] += b[j * n + i] * x[j];
  }
}
