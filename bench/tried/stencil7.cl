// Seven-point stencil in three dimensions.
// tried bump-pointer base: neighbours from a pointer to the cell
// tried block-cse each: each access calls get_global_id for itself
// tried block-cse zero: the store's index is computed again, with an opaque 0
// clrewrite: launch global=16x8x8 local=8x4x1 nx=16 ny=8 nz=8 c0=0.5 c1=0.08 in=4K out=4K
kernel void stencil7(global const float *in, global float *out, int nx, int ny,
                     int nz, float c0, float c1) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x > 0 && x < (size_t)nx - 1 && y > 0 && y < (size_t)ny - 1 && z > 0 &&
      z < (size_t)nz - 1) {
#if defined(V_base)
    global const float *p = in + (z * ny + y) * nx + x;
    float s = p[-1] + p[1] + p[-nx] + p[nx] + p[-(size_t)ny * nx] +
              p[(size_t)ny * nx];
    out[(z * ny + y) * nx + x] = c0 * *p + c1 * s;
#else
#if defined(V_each)
#define x get_global_id(0)
#define y get_global_id(1)
#define z get_global_id(2)
#endif
    float s = in[(z * ny + y) * nx + x - 1] + in[(z * ny + y) * nx + x + 1] +
              in[(z * ny + y - 1) * nx + x] + in[(z * ny + y + 1) * nx + x] +
              in[((z - 1) * ny + y) * nx + x] + in[((z + 1) * ny + y) * nx + x];
    float r = c0 * in[(z * ny + y) * nx + x] + c1 * s;
#if defined(V_zero)
    z += get_work_dim() >> 2;
#endif
    out[(z * ny + y) * nx + x] = r;
#endif
  }
}
