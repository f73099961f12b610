// Recursive filter of second order down and up the columns of float4 pixels,
// the way down in a buffer of its own.
// clrewrite: launch global=64 local=16 w=64 h=16 a0=0.1 a1=0.1 a2=0.1 a3=0.1 b1=-0.5 b2=0.1 in=16K down=16K out=16K
kernel void deriche(global const float4 *in, global float4 *down,
                    global float4 *out, int w, int h, float a0, float a1,
                    float a2, float a3, float b1, float b2) {
  int x = get_global_id(0);
  float4 x1 = 0, y1 = 0, y2 = 0;
  for (int y = 0; y < h; ++y) {
    float4 v = in[y * w + x];
    float4 r = a0 * v + a1 * x1 - b1 * y1 - b2 * y2;
    down[y * w + x] = r;
    x1 = v;
    y2 = y1;
    y1 = r;
  }
  float4 x2 = 0;
  x1 = 0;
  y1 = 0;
  y2 = 0;
  for (int y = h - 1; y >= 0; --y) {
    float4 r = a2 * x1 + a3 * x2 - b1 * y1 - b2 * y2;
    x2 = x1;
    x1 = in[y * w + x];
    out[y * w + x] = down[y * w + x] + r;
    y2 = y1;
    y1 = r;
  }
}
