// Sparse matrix in ELLPACK format times four vectors at once.
// clrewrite: launch global=524288 local=256 rows=524288 width=16 n=524288 col=32M val=32M x=8M y=8M
// small: launch global=64 local=16 rows=64 width=8 n=64 col=2K val=2K x=1K y=1K
kernel void spmv_ell(global const uint *restrict col,
                     global const float *restrict val,
                     global const float4 *restrict x, global float4 *restrict y,
                     uint rows, int width, uint n) {
  uint row = get_global_id(0);
  float4 sum = 0;
  for (int k = 0; k < width; ++k) {
    uint at = k * rows + row;
    sum += val[at] * x[min(col[at], n - 1)];
  }
  y[row] = sum;
}
