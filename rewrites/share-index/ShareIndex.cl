// share-index: which indices start from which, in which type, and what is
// declined.
//
// PAIR: before.cl after.cl
// A step to the wrong side is found to be wrong.
// WRONG: after.cl stencil7 at_a - nx] => at_a + nx]
//
// Nothing but a measurement can justify it: unnamed, it needs one.
// RUN: split-file %s %t
// RUN: not clrewrite --no-measure --verify=off %t/before.cl | not grep " share-index"

//--- before.cl
// In size_t, with a step that is a product of two ints.
kernel void stencil7(global const float *in, global float *out, int nx, int ny,
                     int nz) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    float s = in[(z * ny + y) * nx + x - 1] + in[(z * ny + y) * nx + x + 1] +
              in[(z * ny + y - 1) * nx + x] + in[(z * ny + y + 1) * nx + x] +
              in[((z - 1) * ny + y) * nx + x] + in[((z + 1) * ny + y) * nx + x];
    out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x] - s; // the middle
  }
}
// By a macro, in int: one int is added in int, more in long.
#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))
kernel void by_macro(global const float *in, global float *out, int nx, int ny,
                     int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  x = min(x, nx - 1);
  float s = 0;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1 && z > 0 && z < nz - 1) {
    s = in[AT(x - 1, y, z)] + in[AT(x + 1, y, z)];
    if (s > 1)
      s += in[AT(x, y - 1, z)] * in[AT(x, y + 1, z)];
    s += in[AT(x, y, z - 1)] + in[AT(x + 1, y + 1, z - 1)];
    out[AT(x, y, z)] = s;
  }
}
// In uint, from a variable that is there already; x is the block's own.
kernel void held(global const int *in, global int *out, uint w) {
  uint y = get_global_id(1);
  int s = 0;
  for (uint k = 0; k < 3; ++k) {
    uint x = get_global_id(0) + k;
    uint at = y * w + x;
    s += in[at] + in[(y + 1) * w + x] + in[(y + 2) * w + x - k];
  }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s;
}
// Two groups, since nothing short leads from one to the other; ulong and long;
// branches without braces; a loop's counter, which does not change in its body.
kernel void groups(global const short *in, global const int *w,
                   global int *out, ulong row, long plane, int n) {
  ulong g = get_global_id(0);
  long q = get_local_id(0), p = get_group_id(0);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    if (s > 4)
      s -= in[(g + 1) * row + k] - in[(g + 2) * row + k];
    else
      s ^= w[(q + 1) * plane + p] + 7;
    s += in[g * row + k] * w[q * plane + p];
  }
  out[g] = s;
}
// Local memory, in branches, since uint wraps; a private array's indices differ by
// two values that are products themselves.
kernel void tile(global const int *in, global int *out, local int *t) {
  uint x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);
  int own[8] = {0}, s = 0;
  own[(y * w + x) / 3 * w & 7] = own[((y * w + x) / 3 + 1) * w & 7] + 5;
  t[y * w + x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y > 0)
    s = t[(y - 1) * w + x];
  if (y + 1 < get_local_size(1))
    s -= 3 * t[(y + 1) * w + x];
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s + own[x & 7];
}
// A division is a value as well.
kernel void part(global const int *in, global int *out, uint w, uint d) {
  uint x = get_global_id(0), y = get_global_id(1);
  int s = in[y * w + x / (d | 1)];
  if (s > 0)
    s = in[(y + 1) * w + x / (d | 1)] - in[(y + 2) * w + x / (d | 1)];
  out[y * get_global_size(0) + x] = s;
}
// A pragma of a loop between the indices; what stands before them may leave.
// The loop's counter is no part of an index outside of it.
kernel void around(global const uint *in, global uint *out, uint w, uint n) {
  uint x = get_global_id(0), y = get_global_id(1), s = 0;
  if (y > n)
    return;
  if (n > 2) {
    s = in[y * w + x];
  }
#pragma unroll
  for (uint k = 0; k < 2; ++k)
    s += in[(y + 1) * w + x] * in[(y + k) * w + x];
  out[y * w + x] = s - in[(y + 1) * w + x];
}
//--- after.cl
// In size_t, with a step that is a product of two ints.
kernel void stencil7(global const float *in, global float *out, int nx, int ny,
                     int nz) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    size_t at_a = (z * ny + y) * nx + x;
    float s = in[at_a - 1] + in[at_a + 1] +
              in[at_a - nx] + in[at_a + nx] +
              in[at_a - (size_t)ny * nx] + in[at_a + (size_t)ny * nx];
    out[at_a] = in[at_a] - s; // the middle
  }
}
// By a macro, in int: one int is added in int, more in long.
#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))
kernel void by_macro(global const float *in, global float *out, int nx, int ny,
                     int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  x = min(x, nx - 1);
  float s = 0;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1 && z > 0 && z < nz - 1) {
    int at_a = AT(x, y, z);
    s = in[at_a - 1] + in[at_a + 1];
    if (s > 1)
      s += in[at_a - nx] * in[at_a + nx];
    s += in[at_a - (long)ny * nx] + in[(long)at_a - (long)ny * nx + nx + 1];
    out[at_a] = s;
  }
}
// In uint, from a variable that is there already; x is the block's own.
kernel void held(global const int *in, global int *out, uint w) {
  uint y = get_global_id(1);
  int s = 0;
  for (uint k = 0; k < 3; ++k) {
    uint x = get_global_id(0) + k;
    uint at = y * w + x;
    s += in[at] + in[at + w] + in[at + 2 * w - k];
  }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s;
}
// Two groups, since nothing short leads from one to the other; ulong and long;
// branches without braces; a loop's counter, which does not change in its body.
kernel void groups(global const short *in, global const int *w,
                   global int *out, ulong row, long plane, int n) {
  ulong g = get_global_id(0);
  long q = get_local_id(0), p = get_group_id(0);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    ulong at_a = (g + 1) * row + k;
    long at_b = q * plane + p;
    if (s > 4)
      s -= in[at_a] - in[at_a + row];
    else
      s ^= w[at_b + plane] + 7;
    s += in[at_a - row] * w[at_b];
  }
  out[g] = s;
}
// Local memory, in branches, since uint wraps; a private array's indices differ by
// two values that are products themselves.
kernel void tile(global const int *in, global int *out, local int *t) {
  uint x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);
  int own[8] = {0}, s = 0;
  own[(y * w + x) / 3 * w & 7] = own[((y * w + x) / 3 + 1) * w & 7] + 5;
  uint at_a = y * w + x;
  t[at_a] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y > 0)
    s = t[at_a - w];
  if (y + 1 < get_local_size(1))
    s -= 3 * t[at_a + w];
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s + own[x & 7];
}
// A division is a value as well.
kernel void part(global const int *in, global int *out, uint w, uint d) {
  uint x = get_global_id(0), y = get_global_id(1);
  uint at_a = y * w + x / (d | 1);
  int s = in[at_a];
  if (s > 0)
    s = in[at_a + w] - in[at_a + 2 * w];
  out[y * get_global_size(0) + x] = s;
}
// A pragma of a loop between the indices; what stands before them may leave.
// The loop's counter is no part of an index outside of it.
kernel void around(global const uint *in, global uint *out, uint w, uint n) {
  uint x = get_global_id(0), y = get_global_id(1), s = 0;
  if (y > n)
    return;
  uint at_a = y * w + x;
  if (n > 2) {
    s = in[at_a];
  }
#pragma unroll
  for (uint k = 0; k < 2; ++k)
    s += in[at_a + w] * in[(y + k) * w + x];
  out[at_a] = s - in[at_a + w];
}
//--- declines.cl
#ifndef MINUS
#define MINUS -
#endif
#ifndef INDEX
#define INDEX int
#endif
// CHECK: declined share-index: a macro in what it would replace may be another one with other build options: 'MINUS'
kernel void operators(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1) + 1;
  out[x] = in[y * w + x] + in[(y MINUS 1) * w + x];
}
// CHECK: declined share-index: the code there may mean something else with other build options
kernel void types(global const int *in, global int *out, INDEX w) {
  INDEX x = get_global_id(0), y = get_global_id(1) + 1;
  out[x] = in[y * w + x] + in[(y - 1) * w + x];
}
#define MIDDLE in[y * w + x]
#define ROW in[(y + 1) * w + x]
// CHECK: declined share-index: the indices or steps have something of a macro's body in them that can't be written, or hold a comment
kernel void of_macros(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x] = MIDDLE + ROW;
}
// CHECK: declined share-index: the indices or steps have something of a macro's body in them that can't be written, or hold a comment
kernel void comments(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x] = in[y * w + x] + in[(y + 1 /* below */) * w + x];
}
// Twice in what the macro makes of it, or as a part of something else.
#define SQUARE(v) ((v) * (v))
#define BESIDE(i) (in[i] + in[i * 2])
// CHECK: declined share-index: the indices or steps have something of a macro's body in them that can't be written, or hold a comment
kernel void handed(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x] = SQUARE(in[y * w + x]) + BESIDE((y + 1) * w + x);
}
// With other options the macro is another one.
#ifdef TRANSPOSED
#define PLACE(x, y) ((x) * w + (y))
#else
#define PLACE(x, y) ((y) * w + (x))
#endif
// CHECK: declined share-index: a macro in what it would replace may be another one with other build options: 'PLACE'
kernel void either(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[PLACE(x, y)] = in[PLACE(x, y + 1)] + in[PLACE(x, y - 1)];
}
#define STEP 1
#define BELOW(x, y) (((y) + STEP) * w + (x))
// CHECK: declined share-index: the indices or steps have something of a macro's body in them that can't be written, or hold a comment
kernel void of_body(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x] = in[y * w + x] + in[BELOW(x, y)];
}
// CHECK: declined share-index: a preprocessor directive stands between the indices, or right before them
kernel void options(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), s = 0;
#ifndef LESS
  s += in[y * w + x];
#endif
  s += in[(y + 1) * w + x];
  out[x] = s;
}
// CHECK: declined share-index: a preprocessor directive stands between the indices, or right before them
kernel void unrolled(global const int *in, global int *out, uint w) {
  uint x = get_global_id(0), y = get_global_id(1), s = 0;
#pragma ivdep
  for (uint k = 0; k < 4; ++k)
    s += in[y * w + x] - in[(y + 1) * w + x];
  out[x] = s;
}
// CHECK: declined share-index: a jump leads into the block
kernel void entered(global const int *in, global int *out, int w) {
  int x = get_global_id(0), s = 0;
  switch (w & 1) {
  case 0:
    s = in[x * w] + in[(x + 1) * w];
  default:
    s += in[(x + 2) * w];
  }
  out[x] = s;
}
// An int that overflows, or a division by zero, only in the branch.
// CHECK: declined share-index: the index to start from may be undefined where the program does not compute it
kernel void guarded(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), s = 0;
  if (y + 1 < h)
    s += in[(y + 1) * w + x];
  if (y > 0)
    s += in[(y - 1) * w + x];
  out[get_global_id(0)] = s;
}
// CHECK: declined share-index: the index to start from may be undefined where the program does not compute it
kernel void divided(global const int *in, global int *out, uint w, uint h) {
  uint x = get_global_id(0), y = get_global_id(1);
  out[x] = h ? in[y * w + x / h] + in[(y + 1) * w + x / h] : 0;
}
// CHECK: declined share-index: the index to start from may be undefined where the program does not compute it
kernel void left(global const int *in, global int *out, int w, int h) {
  for (int y = get_global_id(0); y < 4; y += 2) {
    int s = h && in[(y + 1) * w];
    if (y > h)
      continue;
    s += in[y * w];
    out[y] = s;
  }
}
// CHECK: declined share-index: a step may overflow where the index does not
kernel void large(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w * h + x] = in[(y + 2) * w * h + x];
}
// CHECK: declined share-index: a step may overflow where the index does not
kernel void longs(global const int *in, global int *out, long w) {
  long x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[(y + 1) * w + x + 1];
}
// A macro makes the kernel.
#define SUM(name)                                                              \
  kernel void name(global const int *in, global int *out, int w) {             \
    int x = get_global_id(0), y = get_global_id(1);                            \
    out[x] = in[y * w + x] + in[(y + 1) * w + x];                              \
  }
// CHECK: declined share-index: the indices or steps have something of a macro's body in them that can't be written, or hold a comment
SUM(made)
// Nothing: equal products, products with constants, values that change, are
// loaded, or are not there yet; a name with two meanings; volatile.
constant int table[2] = {1, 2};
kernel void nothing(global const int *in, global int *out, int w, int n) {
  int x = get_global_id(0), y = get_global_id(1), changes = n, twice = 1;
  volatile int seen = n;
  out[y * w + x] = in[y * w + x + n] + in[y * w + x - 1];
  out[(y + 1) * 16 + x] = in[(y + 2) * 16 + x];
  out[(changes + 1) * w] = in[changes * w];
  changes++;
  out[(seen + 1) * w] = in[seen * w];
  out[(in[0] + 1) * w] = in[in[0] * w] + in[table[1] * w] + in[(table[1] + 1) * w];
  out[(twice + 1) * w + y] = sizeof(in[(twice + 2) * w + y]);
  {
    int twice = 2;
    out[twice * w + y] = in[(twice - 1) * w + y];
    int inner = y, late = in[inner * w] + in[(inner + 1) * w];
  }
  // Three values, or three terms, are too long a step.
  out[y * w * n + x] = in[(y + 1) * w * n * x] + in[(y + w) * (w + x) + x * n];
}
enum { PITCH = 8 };
kernel void hidden(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), s = in[(y + PITCH) * w + x];
  {
    int PITCH = 3;
    s += in[y * w + x] + PITCH;
  }
  out[x] = s;
}
// A loop whose body is no block has no place for an index of its own.
kernel void no_block(global const int *in, global int *out, int w) {
  int s = 0;
  for (int y = 0; y < 4; ++y)
    s += in[y * w] + in[(y + 1) * w];
  out[get_global_id(0)] = s;
}
