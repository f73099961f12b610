// Each work-item evaluates one polynomial, whose coefficients all share.
// clrewrite: launch global=1048576 local=256 degree=31 c=1K x=4M y=4M
kernel void polynomials(constant float *c, global const float *x, global float *y, int degree) {
  int i = get_global_id(0);
  float sum = 0, power = 1;
  for (int k = 0; k <= degree; k++) {
    sum += c[k] * power;
    power *= x[i];
  }
  y[i] = sum;
}
