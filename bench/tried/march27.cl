// 27-point stencil that goes up through the planes, with sums of three planes.
// tried bump-pointer bump: pointers that move by a plane
// tried bump-pointer offset: one 32-bit index that moves by a plane
// tried bump-pointer wide: an index of 64 bits instead
#if defined(V_offset)
#define INDEX uint
#elif defined(V_wide)
#define INDEX long
#endif
// clrewrite: launch global=16x8 local=8x4 nx=18 ny=10 nz=8 a=0.5 b=0.1 c=0.05 d=0.02 in=8K out=8K
kernel void march27(global const float *restrict in, global float *restrict out,
                    int nx, int ny, int nz, float a, float b, float c,
                    float d) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  float below = 0, middle = 0;
#if defined(V_bump)
  global const float *p = in + y * nx + x;
  global float *q = out + y * nx + x - nx * ny;
#elif defined(INDEX)
  INDEX at = y * nx + x;
#endif
  for (int z = 0; z < nz; ++z) {
#if defined(V_bump)
#define I(j, i) p[(j) * nx + (i)]
#elif defined(INDEX)
#define I(j, i) in[at + (j) * nx + (i)]
#else
#define I(j, i) in[(z * ny + y + (j)) * nx + x + (i)]
#endif
    float centre = I(0, 0);
    float edges = I(-1, 0) + I(1, 0) + I(0, -1) + I(0, 1);
    float corners = I(-1, -1) + I(-1, 1) + I(1, -1) + I(1, 1);
    float above = b * centre + c * edges + d * corners;
    float done = middle + above;
    middle = below + a * centre + b * edges + c * corners;
    below = above;
    if (z > 0)
#if defined(V_bump)
      *q = done;
    p += nx * ny;
    q += nx * ny;
#elif defined(INDEX)
      out[at - nx * ny] = done;
    at += nx * ny;
#else
      out[((z - 1) * ny + y) * nx + x] = done;
#endif
  }
}
