// The products of all pairs of rows, in double.
// clrewrite: launch global=512x512 local=32x8 n=512 a=2M out=2M
kernel void gram(global const double *a, global double *out, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * a[j * n + k];
  out[j * n + i] = sum;
}
