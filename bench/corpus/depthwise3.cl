// Depthwise 3x3 convolution of half precision in memory and single in
// registers, four channels by four columns a work-item.
// clrewrite: launch global=256x1024x4 local=64x4x1 w=1024 h=1024 in=34M weights=288 out=32M
// small: launch global=4x8x2 local=4x4x1 w=16 h=8 in=3K weights=144 out=2K
kernel void depthwise3(global const half *restrict in,
                       global const half *restrict weights,
                       global half *restrict out, int w, int h) {
  int x = get_global_id(0) * 4, y = get_global_id(1), c = get_global_id(2);
  int pitch = w + 2;
  global const half *plane = in + c * (h + 2) * pitch * 4;
  float4 sum[4] = {0, 0, 0, 0};
  for (int j = 0; j < 3; ++j) {
    float4 v[6], k[3];
    for (int i = 0; i < 6; ++i)
      v[i] = vload_half4((y + j) * pitch + x + i, plane);
    for (int i = 0; i < 3; ++i)
      k[i] = vload_half4(c * 9 + j * 3 + i, weights);
    for (int i = 0; i < 4; ++i)
      sum[i] += v[i] * k[0] + v[i + 1] * k[1] + v[i + 2] * k[2];
  }
  for (int i = 0; i < 4; ++i)
    vstore_half4(clamp(sum[i], 0.0f, 6.0f), (c * h + y) * w + x + i, out);
}
