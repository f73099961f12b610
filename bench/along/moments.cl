// Mean and variance of each series: the same row is read twice.
// clrewrite: launch global=32768 local=128 n=512 series=64M mean=128K variance=128K
kernel void moments(global const float *series, global float *mean, global float *variance, int n) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int t = 0; t < n; t++)
    sum += series[i * n + t];
  float m = sum / n, squares = 0;
  for (int t = 0; t < n; t++) {
    float d = series[i * n + t] - m;
    squares += d * d;
  }
  mean[i] = m;
  variance[i] = squares / (n - 1);
}
