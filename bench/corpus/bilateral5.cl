// Bilateral filter of 5x5 float4 pixels, weighted by colour and distance.
// clrewrite: launch global=2048x1024 local=32x8 w=2048 h=1024 sc=8 sd=0.1 in=32M out=32M
// small: launch global=32x8 local=8x4 w=32 h=8 sc=8 sd=0.1 in=4K out=4K
kernel void bilateral5(global const float4 *restrict in,
                       global float4 *restrict out, int w, int h, float sc,
                       float sd) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 centre = in[y * w + x];
  float4 sum = 0, weights = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      int xx = clamp(x + i, 0, w - 1), yy = clamp(y + j, 0, h - 1);
      float4 p = in[yy * w + xx];
      float4 d = p - centre;
      float4 t = exp(-sc * d * d - sd * (float)(i * i + j * j));
      sum += t * p;
      weights += t;
    }
  out[y * w + x] = sum / weights;
}
