// Tridiagonal systems, four a work-item, one below the other in memory: forth
// and back again.
// tried bump-pointer bump: pointers that move by a row
// tried bump-pointer offset: one 32-bit index that moves by a row
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=64 local=16 n=64 rows=16 low=16K diag=16K up=16K rhs=16K x=16K
kernel void thomas4(global const float4 *low, global const float4 *diag,
                    global float4 *up, global float4 *rhs, global float4 *x,
                    int n, int rows) {
  int g = get_global_id(0);
  float4 c = up[g] / diag[g], d = rhs[g] / diag[g];
  up[g] = c;
  rhs[g] = d;
#if defined(V_bump)
  global const float4 *l = low + n + g, *m = diag + n + g;
  global float4 *u = up + n + g, *r = rhs + n + g;
#elif defined(INDEX)
  INDEX at = n + g;
#endif
  for (int k = 1; k < rows; ++k) {
#if defined(V_bump)
    float4 w = 1.0f / (*m - *l * c);
    c = *u * w;
    d = (*r - *l * d) * w;
    *u = c;
    *r = d;
    l += n;
    m += n;
    u += n;
    r += n;
#elif defined(INDEX)
    float4 w = 1.0f / (diag[at] - low[at] * c);
    c = up[at] * w;
    d = (rhs[at] - low[at] * d) * w;
    up[at] = c;
    rhs[at] = d;
    at += n;
#else
    float4 w = 1.0f / (diag[k * n + g] - low[k * n + g] * c);
    c = up[k * n + g] * w;
    d = (rhs[k * n + g] - low[k * n + g] * d) * w;
    up[k * n + g] = c;
    rhs[k * n + g] = d;
#endif
  }
  x[(rows - 1) * n + g] = d;
#if defined(V_bump)
  u = up + (rows - 2) * n + g;
  r = rhs + (rows - 2) * n + g;
  global float4 *to = x + (rows - 2) * n + g;
#elif defined(INDEX)
  at = (rows - 2) * n + g;
#endif
  for (int k = rows - 2; k >= 0; --k) {
#if defined(V_bump)
    d = *r - *u * d;
    *to = d;
    u -= n;
    r -= n;
    to -= n;
#elif defined(INDEX)
    d = rhs[at] - up[at] * d;
    x[at] = d;
    at -= n;
#else
    d = rhs[k * n + g] - up[k * n + g] * d;
    x[k * n + g] = d;
#endif
  }
}
