// Nine-point stencil in two dimensions, four rows of four cells a work-item.
// clrewrite: launch global=1024x1024 local=32x8 pitch=4104 in=65M out=65M a=0.5 b=0.1 c=0.025
// small: launch global=8x4 local=4x4 pitch=40 in=3040 out=3040 a=0.5 b=0.1 c=0.025
kernel void stencil9x4(global const float *restrict in,
                       global float *restrict out, int pitch, float a, float b,
                       float c) {
  int x = get_global_id(0) * 4 + 1, y = get_global_id(1) * 4 + 1;
  float4 row[3][6];
  for (int j = 0; j < 6; ++j) {
    global const float *p = in + (y + j - 1) * pitch + x;
    row[0][j] = vload4(0, p - 1);
    row[1][j] = vload4(0, p);
    row[2][j] = vload4(0, p + 1);
  }
  for (int j = 1; j <= 4; ++j) {
    float4 edges = row[1][j - 1] + row[1][j + 1] + row[0][j] + row[2][j];
    float4 corners =
        row[0][j - 1] + row[2][j - 1] + row[0][j + 1] + row[2][j + 1];
    vstore4(a * row[1][j] + b * edges + c * corners, 0,
            out + (y + j - 1) * pitch + x);
  }
}
