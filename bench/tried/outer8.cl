// An 8 by 4 tile of integer products, the sum over k outside.
// tried interchange rows: a row of the tile at a time, the sum over k within
// tried interchange elements: an element at a time
// clrewrite: launch global=16 local=16 n=64 k=16 a=64K b=64K c=64K
kernel void outer8(global const int *restrict a, global const int *restrict b,
                   global int *restrict c, int n, int k) {
  int g = get_global_id(0);
  int row = g * 8, column = g * 4;
#if defined(V_rows)
  for (int i = 0; i < 8; ++i) {
    int s[4] = {0};
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < 4; ++j)
        s[j] += a[(row + i) * k + l] * b[l * n + column + j];
    for (int j = 0; j < 4; ++j)
      c[(row + i) * 4 + j] = s[j];
  }
#elif defined(V_elements)
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) {
      int s = 0;
      for (int l = 0; l < k; ++l)
        s += a[(row + i) * k + l] * b[l * n + column + j];
      c[(row + i) * 4 + j] = s;
    }
#else
  int s[8][4] = {{0}};
  for (int l = 0; l < k; ++l)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 4; ++j)
        s[i][j] += a[(row + i) * k + l] * b[l * n + column + j];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      c[(row + i) * 4 + j] = s[i][j];
#endif
}
