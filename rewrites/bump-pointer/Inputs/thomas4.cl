// Tridiagonal systems, four a work-item, one below the other in memory: forth
// and back again.
// clrewrite: launch global=64 local=16 n=64 rows=16 low=16K diag=16K up=16K rhs=16K x=16K
kernel void thomas4(global const float4 *low, global const float4 *diag,
                    global float4 *up, global float4 *rhs, global float4 *x,
                    int n, int rows) {
  int g = get_global_id(0);
  float4 c = up[g] / diag[g], d = rhs[g] / diag[g];
  up[g] = c;
  rhs[g] = d;
  for (int k = 1; k < rows; ++k) {
    float4 w = 1.0f / (diag[k * n + g] - low[k * n + g] * c);
    c = up[k * n + g] * w;
    d = (rhs[k * n + g] - low[k * n + g] * d) * w;
    up[k * n + g] = c;
    rhs[k * n + g] = d;
  }
  x[(rows - 1) * n + g] = d;
  for (int k = rows - 2; k >= 0; --k) {
    d = rhs[k * n + g] - up[k * n + g] * d;
    x[k * n + g] = d;
  }
}
