// Sum, sum of squares, least and largest of a column, eight columns a work-item.
// tried fission two: sums in one loop, least and largest in another
// tried fission four: a loop each
// clrewrite: launch global=64 local=64 w=64 rows=16 in=32K out=8K
kernel void moments8(global const float8 *restrict in,
                     global float8 *restrict out, int w, int rows) {
  int x = get_global_id(0);
  float8 sum = 0, square = 0, least = in[x], largest = in[x];
#if defined(V_two)
  for (int y = 0; y < rows; ++y) {
    float8 v = in[y * w + x];
    sum += v;
    square += v * v;
  }
  for (int y = 0; y < rows; ++y) {
    float8 v = in[y * w + x];
    least = min(least, v);
    largest = max(largest, v);
  }
#elif defined(V_four)
  for (int y = 0; y < rows; ++y)
    sum += in[y * w + x];
  for (int y = 0; y < rows; ++y)
    square += in[y * w + x] * in[y * w + x];
  for (int y = 0; y < rows; ++y)
    least = min(least, in[y * w + x]);
  for (int y = 0; y < rows; ++y)
    largest = max(largest, in[y * w + x]);
#else
  for (int y = 0; y < rows; ++y) {
    float8 v = in[y * w + x];
    sum += v;
    square += v * v;
    least = min(least, v);
    largest = max(largest, v);
  }
#endif
  out[4 * x] = sum;
  out[4 * x + 1] = square;
  out[4 * x + 2] = least;
  out[4 * x + 3] = largest;
}
