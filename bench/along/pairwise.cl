// A potential of all pairs: the coordinates are in arrays of their own.
// clrewrite: launch global=32768 local=256 n=4096 x=128K y=128K z=128K q=128K potential=128K
kernel void pairwise(global const float *x, global const float *y, global const float *z, global const float *q, global float *potential, int n) {
  int i = get_global_id(0);
  float px = x[i], py = y[i], pz = z[i], sum = 0;
  for (int j = 0; j < n; j++) {
    float dx = px - x[j], dy = py - y[j], dz = pz - z[j];
    sum += q[j] * rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
  }
  potential[i] = sum;
}
