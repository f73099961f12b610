// One step of heat conduction in a box whose outside counts as 0.
// tried pad-buffer padded: the host pads by one element, the guards are gone
// clrewrite: launch global=16x8x4 local=16x4x1 nx=16 ny=8 nz=4 px=18 py=10 at=199 k=0.1 a=5K b=5K
kernel void heat3d(global const float *restrict a, global float *restrict b,
                   int nx, int ny, int nz, int px, int py, int at, float k) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int c = at + (z * py + y) * px + x;
#ifdef V_padded
#define INSIDE(test, value) (value)
#else
#define INSIDE(test, value) ((test) ? (value) : 0.0f)
#endif
  float s = INSIDE(x > 0, a[c - 1]) + INSIDE(x < nx - 1, a[c + 1]) +
            INSIDE(y > 0, a[c - px]) + INSIDE(y < ny - 1, a[c + px]) +
            INSIDE(z > 0, a[c - px * py]) + INSIDE(z < nz - 1, a[c + px * py]);
  b[c] = a[c] + k * (s - 6 * a[c]);
}
