// Depthwise 3x3 convolution, channels last: the nine weights of a work-item's
// channels stay in registers while it walks down a column.
// tried reload plain: the weights are read again for each row
// tried reload zero: the same, at an index that holds an opaque 0
// tried bump-pointer bump: the rows are reached by pointers that move
// clrewrite: launch global=8x4 local=8x1 rows=8 width=6 groups=8 in=9K weights=1152 out=4K
kernel void depthwise_rows(global const float4 *restrict in,
                           global const float4 *restrict weights,
                           global float4 *restrict out,
                           int rows, int width, int groups) {
  int c = get_global_id(0), x = get_global_id(1);
#if !defined(V_plain) && !defined(V_zero)
  float4 w[9];
  for (int k = 0; k < 9; ++k)
    w[k] = weights[k * groups + c];
#define w(k) w[k]
#endif
#if defined(V_bump)
  global const float4 *r0 = in + x * groups + c;
  global float4 *o = out + x * groups + c;
#endif
  for (int y = 0; y < rows; ++y) {
#if defined(V_zero)
    int zero = y & (int)(get_work_dim() >> 2);
#define w(k) (weights + zero)[(k) * groups + c]
#elif defined(V_plain)
#define w(k) weights[(k) * groups + c]
#endif
    float4 sum = 0;
#if defined(V_bump)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        sum += r0[(j * width + i) * groups] * w(j * 3 + i);
    *o = sum;
    r0 += width * groups;
    o += (width - 2) * groups;
#else
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        sum += in[((y + j) * width + x + i) * groups + c] * w(j * 3 + i);
    out[(y * (width - 2) + x) * groups + c] = sum;
#endif
  }
}
