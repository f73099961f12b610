// limit-unroll: where the hint goes, what it replaces, and what is declined.
//
// PAIR: before.cl after.cl
// AGAIN-after: declined limit-unroll: the loop is kept rolled already
//
// A hint that an earlier run kept for AMD's compilers is one for this compiler too,
// whether it reads it or not.
// DECLINES: elsewhere.cl --target=sm_90
//
// Where time decides, 8 and 16 copies too, but not of a loop that has thousands
// of operations.
// RUN: split-file %s %t
// RUN: clrewrite --only=limit-unroll --demote=limit-unroll --objective=estimate --target=gfx906 --verify=off --verbose --exit-zero %t/large.cl | FileCheck %s --check-prefix=LARGE
// LARGE: large.cl:3: left alone limit-unroll [hint-1, hint-2, hint-4]: demoted
// LARGE: large.cl:8: left alone limit-unroll [hint-1, hint-16, hint-2 and 2 more]: demoted

//--- before.cl
// Each work-item has a block of its own: work-items must not race.
__kernel void loops(__global float *p, int n) {
  int x = 16 * get_global_id(0);
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2; // stays
  if (n) while (n > 3) { p[x + (n & 15)] += 1; --n; }
  do
    ++n;
  while (n < 5);
}
__kernel void hinted(__global float *p) {
  int x = 16 * get_global_id(0);
  #pragma unroll 4
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  __attribute__((opencl_unroll_hint(8))) for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  __attribute__((opencl_unroll_hint))
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
}
// A directive above a loop that has nothing to do with hints.
__kernel void apart(__global int *g) {
#ifdef OTHER
  #pragma unroll 2
  for (int i = 0; i < 4; ++i) g[i] = 0;
#endif
  for (int i = 0; i < 8; ++i) g[8 * get_global_id(0) + i] += i;
}
__kernel void in_a_row(__global int *g) {
  int s = 0;
  g += 8 * get_global_id(0);
  __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 8; ++i) s += g[i];
  __attribute((opencl_unroll_hint(4))) for (int i = 0; i < 8; ++i) s ^= g[i];
  g[0] = s;
}
// What other builds read stays as it is.
__kernel void chosen(__global float *p) {
  int x = 16 * get_global_id(0);
  #if defined(MANY) // a device
  #pragma unroll 8
  #elif defined(FEW)
  // Less.
  __attribute__((opencl_unroll_hint(2)))
  #endif
  // The sum.
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
#ifndef MANY
  #pragma unroll 4
#else
  #pragma unroll 8
#endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
#if !defined MANY
#if !defined FEW
    #pragma unroll 8
#endif
#endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
}
//--- after.cl
// Each work-item has a block of its own: work-items must not race.
__kernel void loops(__global float *p, int n) {
  int x = 16 * get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2; // stays
  if (n) __attribute__((opencl_unroll_hint(1)))
  while (n > 3) { p[x + (n & 15)] += 1; --n; }
  __attribute__((opencl_unroll_hint(1)))
  do
    ++n;
  while (n < 5);
}
__kernel void hinted(__global float *p) {
  int x = 16 * get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
}
// A directive above a loop that has nothing to do with hints.
__kernel void apart(__global int *g) {
#ifdef OTHER
  #pragma unroll 2
  for (int i = 0; i < 4; ++i) g[i] = 0;
#endif
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 8; ++i) g[8 * get_global_id(0) + i] += i;
}
__kernel void in_a_row(__global int *g) {
  int s = 0;
  g += 8 * get_global_id(0);
  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < 8; ++i) s += g[i];
  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < 8; ++i) s ^= g[i];
  g[0] = s;
}
// What other builds read stays as it is.
__kernel void chosen(__global float *p) {
  int x = 16 * get_global_id(0);
  #if defined(MANY) // a device
  #pragma unroll 8
  #elif defined(FEW)
  // Less.
  __attribute__((opencl_unroll_hint(2)))
  #else
  __attribute__((opencl_unroll_hint(1)))
  #endif
  // The sum.
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
#ifndef MANY
  __attribute__((opencl_unroll_hint(1)))
#else
  #pragma unroll 8
#endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
#if !defined MANY
#if !defined FEW
    __attribute__((opencl_unroll_hint(1)))
#endif
#endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
}
//--- elsewhere.cl
kernel void sheltered(global int *g) {
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#ifdef __AMDGCN__'
  #ifdef __AMDGCN__ // clrewrite: 2 -> 5 waves on gfx906
  __attribute__((opencl_unroll_hint(1)))
  #endif
  for (int i = 0; i < 8; ++i) g[8 * get_global_id(0) + i] += i;
}
//--- declines.cl
#define REPEAT(n) for (int r = 0; r < n; ++r)
#define UNROLL __attribute__((opencl_unroll_hint(4)))
__kernel void declined(__global float *p) {
  int x = get_global_id(0);
  // CHECK: declined limit-unroll: the loop, or the hint before it, comes from a macro
  REPEAT(16) p[x + r] *= 2;
  // CHECK: declined limit-unroll: the loop, or the hint before it, comes from a macro
  UNROLL
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: a label stands before the loop
again:
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  if (p[0] < 1) goto again;
  // CHECK: declined limit-unroll: the hint before the loop shares its brackets or its line with something else
  #pragma unroll 4 /* a note
                      that goes on */
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: the hint before the loop shares its brackets or its line with something else
  #pragma clang loop unroll_count(4) vectorize(disable)
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: another attribute stands before the loop
  #pragma clang loop vectorize(disable)
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: the loop is kept rolled already
  __attribute__((opencl_unroll_hint(1)))
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: the loop is kept rolled already
  #pragma nounroll
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
}
kernel void sheltered(global int *g) {
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#ifdef __AMDGCN__'
  #ifdef __AMDGCN__ // clrewrite: 2 -> 5 waves on gfx906
  __attribute__((opencl_unroll_hint(1)))
  #endif
  for (int i = 0; i < 8; ++i) g[8 * get_global_id(0) + i] += i;
}
// The project chooses the hint itself, and says with these options that there is
// none, by an empty arm, by a macro that is empty here, or in an inner #if.
#ifdef MANY
#define UNROLL_MANY __attribute__((opencl_unroll_hint(8)))
#define UNROLL_BY(n) __attribute__((opencl_unroll_hint(n)))
#else
#define UNROLL_MANY
#define UNROLL_BY(n)
#endif
__kernel void chosen(__global float *p) {
  int x = get_global_id(0);
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#if defined(MANY)'
  #if defined(MANY) // a device
  #pragma unroll 8
  #else
  #endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#ifdef MANY'
  #ifdef MANY
  #pragma unroll 8
  #elif defined(FEW)
  #endif
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // Beside the hint that is in force here, the other may be in force, too.
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#ifdef MANY'
  #ifdef MANY
  __attribute__((opencl_unroll_hint(8)))
  #endif
  #pragma unroll 4
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: a macro that may be a hint with other build options stands before the loop: 'UNROLL_MANY'
  UNROLL_MANY
  for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: a macro that may be a hint with other build options stands before the loop: 'UNROLL_BY(4)'
  UNROLL_BY(4) for (int i = 0; i < 16; ++i)
    p[x + i] *= 2;
  // CHECK: declined limit-unroll: which hint stands before the loop depends on build options, and the one for this build has no line of its own there: '#ifdef MANY'
#ifdef MANY
#if MANY > 1
  #pragma unroll 8
#endif
#endif
  while (p[x] > 1)
    p[x] -= 1;
}
//--- large.cl
__kernel void large(__global float *p, int n) {
  float s = 0;
  for (int b = 0; b < n; ++b) {
    for (int i = 0; i < 64; ++i)
      for (int k = 0; k < 16; ++k)
        s = s * p[i] + p[k];
  }
  for (int i = 0; i < n; ++i)
    s += p[i];
  p[0] = s;
}
//--- unroll.cl
// The remainder of an unrolled loop.
kernel void k(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < n; ++j)
    sum += in[i + j];
  out[i] = sum;
}
//--- unroll-wrong.cl
kernel void k(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j + 1 < n; j += 2)
    sum += in[i + j] + in[i + j + 1];
  out[i] = sum;
}
