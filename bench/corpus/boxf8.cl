// Box filter over an integral image of floats, eight sums a work-item.
// clrewrite: launch global=512x2048 local=64x4 stride=4112 w=9 h=9 inv=0.0125 integ=34M out=33M
// small: launch global=8x16 local=4x4 stride=80 w=9 h=9 inv=0.0125 integ=8000 out=5120
__kernel void boxf8(const __global float *integ, __global float *out,
                    int stride, int w, int h, float inv) {
  size_t x = get_global_id(0), y = get_global_id(1);
  const __global float *p0 = integ + y * stride, *p1 = integ + (y + h) * stride;
  float8 s =
      vload8(x, p1 + w) - vload8(x, p1) - vload8(x, p0 + w) + vload8(x, p0);
  vstore8(s * inv, x, out + y * stride);
}
