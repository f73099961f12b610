// Seven-point stencil in three dimensions.
typedef size_t I;
// clrewrite: launch global=256x256x256 local=64x4x1 nx=256 ny=256 nz=256 c0=0.5 c1=0.08 in=64M out=64M
// small: launch global=16x8x8 local=8x4x1 nx=16 ny=8 nz=8 c0=0.5 c1=0.08 in=4K out=4K
__kernel void stencil7(const __global float *in, __global float *out, int nx,
                       int ny, int nz, float c0, float c1) {
  I x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x > 0 && x < (I)nx - 1 && y > 0 && y < (I)ny - 1 && z > 0 &&
      z < (I)nz - 1) {
    float s = in[(z * ny + y) * nx + x - 1] + in[(z * ny + y) * nx + x + 1] +
              in[(z * ny + y - 1) * nx + x] + in[(z * ny + y + 1) * nx + x] +
              in[((z - 1) * ny + y) * nx + x] + in[((z + 1) * ny + y) * nx + x];
    out[(z * ny + y) * nx + x] = c0 * in[(z * ny + y) * nx + x] + c1 * s;
  }
}
