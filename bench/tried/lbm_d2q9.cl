// Lattice Boltzmann in two dimensions with nine velocities; the lattice wraps
// around.
// tried block-cse zero: the stores' index is computed again, with an opaque 0
// tried reload again: the nine values are read again for the result
// clrewrite: launch global=32x8 local=8x4 nx=32 ny=8 omega=1.2 f=9K g=9K
kernel void lbm_d2q9(global const float *restrict f, global float *restrict g,
                     int nx, int ny, float omega) {
  int x = get_global_id(0), y = get_global_id(1), n = nx * ny;
  int w = x ? x - 1 : nx - 1, e = x + 1 < nx ? x + 1 : 0;
  int s = (y ? y - 1 : ny - 1) * nx, t = (y + 1 < ny ? y + 1 : 0) * nx;
  int c = y * nx;
  float f0 = f[c + x], f1 = f[n + c + w], f2 = f[2 * n + s + x],
        f3 = f[3 * n + c + e], f4 = f[4 * n + t + x], f5 = f[5 * n + s + w],
        f6 = f[6 * n + s + e], f7 = f[7 * n + t + e], f8 = f[8 * n + t + w];
  float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
  float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho;
  float v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
  float base = 1 - 1.5f * (u * u + v * v);
  float rest = 1 - omega, r0 = omega * rho * 4 / 9, r1 = r0 / 4, r2 = r1 / 4;
  float p = u + v, q = v - u;
#if defined(V_zero) || defined(V_again)
  c += get_work_dim() >> 2;
#if defined(V_again)
  f += get_work_dim() >> 2;
#define f0 f[c + x]
#define f1 f[n + c + w]
#define f2 f[2 * n + s + x]
#define f3 f[3 * n + c + e]
#define f4 f[4 * n + t + x]
#define f5 f[5 * n + s + w]
#define f6 f[6 * n + s + e]
#define f7 f[7 * n + t + e]
#define f8 f[8 * n + t + w]
#endif
#endif
  int at = c + x;
  g[at] = rest * f0 + r0 * base;
  g[n + at] = rest * f1 + r1 * (base + 3 * u + 4.5f * u * u);
  g[2 * n + at] = rest * f2 + r1 * (base + 3 * v + 4.5f * v * v);
  g[3 * n + at] = rest * f3 + r1 * (base - 3 * u + 4.5f * u * u);
  g[4 * n + at] = rest * f4 + r1 * (base - 3 * v + 4.5f * v * v);
  g[5 * n + at] = rest * f5 + r2 * (base + 3 * p + 4.5f * p * p);
  g[6 * n + at] = rest * f6 + r2 * (base + 3 * q + 4.5f * q * q);
  g[7 * n + at] = rest * f7 + r2 * (base - 3 * p + 4.5f * p * p);
  g[8 * n + at] = rest * f8 + r2 * (base - 3 * q + 4.5f * q * q);
}
