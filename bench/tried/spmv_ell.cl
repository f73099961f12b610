// Sparse matrix in ELLPACK format times four vectors at once.
// tried bump-pointer bump: pointers into both arrays, moved by a column
// clrewrite: launch global=64 local=16 rows=64 width=8 n=64 col=2K val=2K x=1K y=1K
kernel void spmv_ell(global const uint *restrict col,
                     global const float *restrict val,
                     global const float4 *restrict x, global float4 *restrict y,
                     uint rows, int width, uint n) {
  uint row = get_global_id(0);
  float4 sum = 0;
#if defined(V_bump)
  col += row;
  val += row;
#endif
  for (int k = 0; k < width; ++k) {
#if defined(V_bump)
    sum += *val * x[min(*col, n - 1)];
    col += rows;
    val += rows;
#else
    uint at = k * rows + row;
    sum += val[at] * x[min(col[at], n - 1)];
#endif
  }
  y[row] = sum;
}
