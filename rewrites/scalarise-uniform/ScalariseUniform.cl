// scalarise-uniform: which ids are made uniform, what defines the macro, and
// what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// AGAIN-after-COUNT-4: declined scalarise-uniform: the kernel holds ids that are made uniform already
// PAIR: before.cl planes.cl --alternative=planes --unsafe-fixes
// AGAIN-planes-COUNT-2: declined scalarise-uniform: the kernel holds ids that are made uniform already
// WRONG: after.cl weighted y = WAVE_UNIFORM(get_global_id(1)) => y = WAVE_UNIFORM(get_group_id(1))
// DECLINES: declines.cl --unsafe-fixes
//
// It is an assumption, so the plain --fix leaves it alone; and only a
// measurement can justify it.
// RUN: split-file %s %t
// RUN: cp %t/pays.cl %t/left.cl
// RUN: clrewrite --target=gfx906 --only=scalarise-uniform --verify=off --fix %t/left.cl
// RUN: diff -u %t/pays.cl %t/left.cl
// RUN: not clrewrite --target=gfx906 --only=scalarise-uniform --unsafe-fixes --verify=off %t/pays.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: scalarise-uniform [rows] (assumes): gfx906: occupancy rises from {{[0-9]+}} to
// PAYS-NEXT: note: a work-group's rows (dimension 0) are whole wavefronts
//
// The types in the macro's definition are its own, whatever the host makes of T.
// RUN: clrewrite --only=scalarise-uniform --no-measure --unsafe-fixes --verify=off --fix %t/types.cl -- -D T=int
// RUN: FileCheck %s --check-prefix=TYPES < %t/types.cl
// RUN: clrewrite measure --target=gfx906 %t/types.cl -- -D T=float4
// TYPES: kernel void typed(global T *out) {
// TYPES-NEXT: out[WAVE_UNIFORM(get_global_id(1)) * 64 + get_global_id(0)] = (T)1;

//--- before.cl
// Adds a row's weight.
kernel void weighted(global const int *in, global const int *weights,
                     global int *out) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = in[y * width + x] + weights[y];
}

#ifdef OTHER
kernel void unused(global int *p) { p[get_global_id(1)] = 1; }
#endif

// The whole of a size_t counts, and a compound statement may ask again.
// clrewrite: launch global=128x2x2 local=64x2x1 out=4K
kernel void volume(global size_t *out) {
  size_t row = get_global_id(2) * get_global_size(1) + get_global_id(1);
  if (get_local_id(1) < get_local_size(1))
    out[row * get_global_size(0) + get_global_id(0)] = row - get_local_id(2);
}

// Only planes are whole wavefronts.
// clrewrite: launch global=16x8x2 local=16x8x1 out=4K
kernel void tiles(global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + y + 2 * z;
}

kernel void chosen(global int *out) {
  const uint d = 1;
  uint at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[at] = get_local_id(0u + 1) + get_local_id(d);
}
//--- types.cl
kernel void typed(global T *out) {
  out[get_global_id(1) * 64 + get_global_id(0)] = (T)1;
}
//--- declines.cl
// CHECK: declined scalarise-uniform: the macro has no place before it: a directive other than #if stands in its head, or braces do not pair
kernel
#define IN_HEAD
void head(global int *p) { p[get_global_id(1)] = 1; }
// CHECK: declined scalarise-uniform: the kernel's required work-group size tells the compiler what a wavefront shares
kernel __attribute__((reqd_work_group_size(64, 4, 1))) void wide(global int *p) {
  p[get_global_id(1) * 64 + get_global_id(0)] = 1;
}
// CHECK: declined scalarise-uniform: the kernel's required work-group size tells the compiler what a wavefront shares
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void square(global int *p) {
  p[get_global_id(1) * 16 + get_global_id(0)] = 1;
}
// Rows of 16 share nothing, nor do rows of 96 on a wavefront of 64.
// CHECK: declined scalarise-uniform: a launch comment gives a work-group in which a wavefront does not share the ids
// clrewrite: launch global=16x16 local=16x16 p=4K
kernel void tile(global int *p) {
  p[get_global_id(1) * 16 + get_global_id(0)] = 1;
}
// CHECK: declined scalarise-uniform: a launch comment gives a work-group in which a wavefront does not share the ids
// clrewrite: launch global=192x2 local=64x1 p=4K
// clrewrite: launch global=192x2 local=96x2 p=4K
kernel void several(global int *p) {
  p[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1;
}
// A column: each of a wavefront's work-items has a row of its own.
// CHECK: declined scalarise-uniform: a launch comment gives a work-group in which a wavefront does not share the ids
// clrewrite: launch global=1x64 local=1x64 p=4K
kernel void column(global int *p) { p[get_global_id(1)] = 1; }
// CHECK: declined scalarise-uniform: the kernel holds ids that are made uniform already
#define WAVE_UNIFORM(i) (i)
kernel void by_hand(global int *p) {
  p[WAVE_UNIFORM(get_global_id(1)) + get_local_id(1)] = 1;
}
#define ROW get_global_id(1)
// CHECK: declined scalarise-uniform: a call for an id comes from a macro, or a directive stands in it
kernel void hidden(global int *p) { p[ROW] = get_local_id(1); }
// CHECK: declined scalarise-uniform: a call for an id comes from a macro, or a directive stands in it
kernel void parted(global int *p) {
  p[get_global_id(
#ifdef OTHER
      0
#else
      1
#endif
      )] = 1;
}
// One dimension, and ids that a wavefront shares anyway, have nothing to do.
kernel void line(global int *out) {
  out[get_global_id(0)] = get_group_id(1) + get_num_groups(2);
}
//--- pays.cl
kernel void conv1x1(global const float4 *restrict in,
                    global const float4 *restrict weights,
                    global float4 *restrict out, int pixels, int in_groups) {
  int p = get_global_id(0) * 4, o = get_global_id(1);
  float4 a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  for (int g = 0; g < in_groups; ++g) {
    global const float4 *i = in + g * pixels + p;
    global const float4 *w = weights + (o * in_groups + g) * 4;
    float4 w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    float4 i0 = i[0], i1 = i[1], i2 = i[2], i3 = i[3];
    a0 += i0.x * w0 + i0.y * w1 + i0.z * w2 + i0.w * w3;
    a1 += i1.x * w0 + i1.y * w1 + i1.z * w2 + i1.w * w3;
    a2 += i2.x * w0 + i2.y * w1 + i2.z * w2 + i2.w * w3;
    a3 += i3.x * w0 + i3.y * w1 + i3.z * w2 + i3.w * w3;
  }
  global float4 *to = out + o * pixels + p;
  to[0] = a0;
  to[1] = a1;
  to[2] = a2;
  to[3] = a3;
}
//--- after.cl
// An id that a wavefront shares, for AMD's compilers; elsewhere as it is.
#if defined(__AMDGCN__) && defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_readfirstlane)
#define WAVE_UNIFORM(id) ((size_t)(uint)__builtin_amdgcn_readfirstlane((int)(id)))
#endif
#endif
#ifndef WAVE_UNIFORM
#define WAVE_UNIFORM(id) (id)
#endif

// Adds a row's weight.
kernel void weighted(global const int *in, global const int *weights,
                     global int *out) {
  int x = get_global_id(0), y = WAVE_UNIFORM(get_global_id(1)), width = get_global_size(0);
  out[y * width + x] = in[y * width + x] + weights[y];
}

#ifdef OTHER
kernel void unused(global int *p) { p[get_global_id(1)] = 1; }
#endif

// The whole of a size_t counts, and a compound statement may ask again.
// clrewrite: launch global=128x2x2 local=64x2x1 out=4K
kernel void volume(global size_t *out) {
  size_t row = WAVE_UNIFORM(get_global_id(2)) * get_global_size(1) + WAVE_UNIFORM(get_global_id(1));
  if (WAVE_UNIFORM(get_local_id(1)) < get_local_size(1))
    out[row * get_global_size(0) + get_global_id(0)] = row - WAVE_UNIFORM(get_local_id(2));
}

// Only planes are whole wavefronts.
// clrewrite: launch global=16x8x2 local=16x8x1 out=4K
kernel void tiles(global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = WAVE_UNIFORM(get_global_id(2));
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + y + 2 * z;
}

kernel void chosen(global int *out) {
  const uint d = 1;
  uint at = WAVE_UNIFORM(get_global_id(1)) * get_global_size(0) + get_global_id(0);
  out[at] = WAVE_UNIFORM(get_local_id(0u + 1)) + WAVE_UNIFORM(get_local_id(d));
}
//--- planes.cl
// An id that a wavefront shares, for AMD's compilers; elsewhere as it is.
#if defined(__AMDGCN__) && defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_readfirstlane)
#define WAVE_UNIFORM(id) ((size_t)(uint)__builtin_amdgcn_readfirstlane((int)(id)))
#endif
#endif
#ifndef WAVE_UNIFORM
#define WAVE_UNIFORM(id) (id)
#endif

// Adds a row's weight.
kernel void weighted(global const int *in, global const int *weights,
                     global int *out) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = in[y * width + x] + weights[y];
}

#ifdef OTHER
kernel void unused(global int *p) { p[get_global_id(1)] = 1; }
#endif

// The whole of a size_t counts, and a compound statement may ask again.
// clrewrite: launch global=128x2x2 local=64x2x1 out=4K
kernel void volume(global size_t *out) {
  size_t row = WAVE_UNIFORM(get_global_id(2)) * get_global_size(1) + get_global_id(1);
  if (get_local_id(1) < get_local_size(1))
    out[row * get_global_size(0) + get_global_id(0)] = row - WAVE_UNIFORM(get_local_id(2));
}

// Only planes are whole wavefronts.
// clrewrite: launch global=16x8x2 local=16x8x1 out=4K
kernel void tiles(global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = WAVE_UNIFORM(get_global_id(2));
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + y + 2 * z;
}

kernel void chosen(global int *out) {
  const uint d = 1;
  uint at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[at] = get_local_id(0u + 1) + get_local_id(d);
}
//--- field.cl
// A field of a structure that is passed by value.
struct shape { int width, height, pad; };
kernel void k(global int *out, struct shape s) {
  int i = get_global_id(0);
  out[i] = i % (s.width * 3 + 1) + s.height;
}
//--- field-wrong.cl
struct shape { int width, height, pad; };
kernel void k(global int *out, struct shape s) {
  int i = get_global_id(0);
  out[i] = i % (s.width * 3 + 1) + s.pad;
}
