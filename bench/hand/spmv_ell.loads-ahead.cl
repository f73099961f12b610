// spmv_ell with the next column's index and value loaded one iteration ahead.
// clrewrite: launch global=524288 local=256 rows=524288 width=16 n=524288 col=32M val=32M x=8M y=8M
kernel void spmv_ell(global const uint *restrict col,
                     global const float *restrict val,
                     global const float4 *restrict x, global float4 *restrict y,
                     uint rows, int width, uint n) {
  uint row = get_global_id(0);
  float4 sum = 0;
  uint c = width > 0 ? col[row] : 0;
  float v = width > 0 ? val[row] : 0;
  for (int k = 0; k < width; ++k) {
    uint now = c;
    float value = v;
    if (k + 1 < width) {
      uint at = (k + 1) * rows + row;
      c = col[at];
      v = val[at];
    }
    sum += value * x[min(now, n - 1)];
  }
  y[row] = sum;
}
