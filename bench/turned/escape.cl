// A fractal, whose work is arithmetic: one store at the end is all there is to gain.
// clrewrite: launch global=1024x1024 local=16x16 out=4M w=1024 h=1024
__kernel void escape(__global int *out, int w, int h) {
  int y = get_global_id(0), x = get_global_id(1);
  float a = 3.0f * x / w - 2, b = 2.0f * y / h - 1, re = 0, im = 0;
  int n = 0;
  for (; n < 200 && re * re + im * im < 4; ++n) {
    float t = re * re - im * im + a;
    im = 2 * re * im + b;
    re = t;
  }
  out[y * w + x] = n;
}
