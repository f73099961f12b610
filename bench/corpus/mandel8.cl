// Mandelbrot set, eight points a work-item.
typedef float8 T;
typedef int8 TI;
// clrewrite: launch global=512x4096 local=16x16 x0=-2 y0=-1.25 sx=0.0007 sy=0.0006 w=4096 maxit=64 out=64M
// small: launch global=8x16 local=4x4 x0=-2 y0=-1.25 sx=0.04 sy=0.15 w=64 maxit=32 out=4K
__kernel void mandel8(__global int *out, float x0, float y0, float sx, float sy,
                      int w, int maxit) {
  int gx = get_global_id(0), gy = get_global_id(1);
  {
    T cx = x0 + sx * (convert_float8((int8)(0, 1, 2, 3, 4, 5, 6, 7)) +
                      (float)(gx * 8));
    T cy = (T)(y0 + sy * gy), zx = cx, zy = cy;
    TI n = 0;
    for (int i = 0; i < maxit; i++) {
      T x2 = zx * zx, y2 = zy * zy;
      TI in = ((x2 + y2) <= 4.f);
      if (!any(in))
        break;
      n -= in;
      T t = x2 - y2 + cx;
      zy = 2 * zx * zy + cy;
      zx = t;
    }
    vstore8(n, gx, out + gy * w);
  }
}
