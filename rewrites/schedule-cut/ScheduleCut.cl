// schedule-cut: where fences go, what defines them, and what is declined.
//
// On a CPU the macros are empty; what is left must still be the same program.
// PAIR: before.cl after.cl
// PAIR: before.cl loads.cl --alternative=after-loads
// PAIR: before.cl half.cl --alternative=half-2
// Its own output holds fences, whichever alternative it is.
// AGAIN-after-COUNT-3: declined schedule-cut: the function holds fences for the scheduler already
// AGAIN-loads-COUNT-2: declined schedule-cut: the function holds fences for the scheduler already
// AGAIN-half-COUNT-3: declined schedule-cut: the function holds fences for the scheduler already
//
// DECLINES: defined.cl
//
// Nothing but a measurement can justify it: unnamed, it needs one.
// RUN: split-file %s %t
// RUN: not clrewrite --no-measure --verify=off %t/pays.cl | FileCheck %s --check-prefix=UNNAMED --implicit-check-not=" schedule-cut"
// UNNAMED: legal: limit-unroll
// RUN: not clrewrite --target=gfx1030 --objective=registers --only=schedule-cut --verify=off %t/pays.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: schedule-cut [all] (exact): gfx1030: VGPRs fall from

//--- before.cl
// Some sums.

// Of two.
static float sum2(__global const float *in, int i) {
  float a = in[i];
  float b = in[i + 1];
  return a + b;
}
__kernel void sums(__global const float *in, __global float *out, int n) {
  size_t i = get_global_id(0), start;
  start = 4 * i;
  float a = sum2(in, start); // first
  float b = in[start], c; b *= 2;
  for (int k = 0; k < 4; ++k) {
    a += in[start + k];
    b *= a; /* here */
  }
#ifdef OTHER
  c = 3;
#else
  c = a + b;
#endif
  if (c > 3) { out[i] = c; a = 2; } else
    a = 3;
  switch (n) {
  case 1:
    b = 3;
    break;
  default:
    a = 3;
    __attribute__((fallthrough));
  case 2:
    c = 0;
  }
  out[i] = a + b;
  out[i] += c;
}
#define ADD(x, y) x += y
__kernel void written(__global int *p) {
  p += 3 * get_global_id(0);
  ADD(p[0], 3);
  { ADD(p[1], 4); ADD(p[2], 5); }
}
//--- declines.cl
// CHECK: declined schedule-cut: the macro has no place before it: a directive other than #if stands in its head, or braces do not pair
__kernel
#define IN_HEAD
void head(__global int *p) {
  p[0] = 1;
  p[1] = 2;
}
// What earlier versions wrote.
#if defined(__AMDGCN__) && defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_sched_barrier)
#define SCHEDULE_CUT __builtin_amdgcn_sched_barrier(0)
#endif
#endif
#ifndef SCHEDULE_CUT
#define SCHEDULE_CUT ((void)0)
#endif
#define BODY { p[0] = 1; p[1] = 2; }
// CHECK: declined schedule-cut: the function's body comes from a macro
__kernel void body(__global int *p) BODY
// CHECK: declined schedule-cut: the function holds fences for the scheduler already
__kernel void fenced(__global int *p) {
  p[0] = 1;
  SCHEDULE_CUT;
  p[1] = 2;
}
// CHECK: declined schedule-cut: the function holds fences for the scheduler already
__kernel void by_hand(__global int *p) {
  p[0] = 1;
  __builtin_amdgcn_sched_barrier(0);
  p[1] = 2;
}
// CHECK: declined schedule-cut: no statement has another one behind it
__kernel void one(__global int *p) {
  int x;
  if (p[0])
    p[0] = x = 1;
}
//--- defined.cl
// Here the fence's name means something.
#ifdef OTHER
#define __builtin_amdgcn_sched_barrier(mask) steps++
#endif
// CHECK: declined schedule-cut: the fence's name __builtin_amdgcn_sched_barrier is a macro of another meaning here
__kernel void counts(__global int *p) {
  int steps = 0;
  p[0] = 1;
  p[1] = steps;
}
//--- pays.cl
__kernel void moments(__global const float4 *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 mean = 0, square = 0;
  for (int k = 0; k < 8; ++k) {
    float4 v = in[i + k * n];
    mean += v;
    square += v * v;
  }
  out[2 * i] = mean;
  out[2 * i + 1] = square;
}
//--- after.cl
// Some sums.

// A fence for the scheduler of AMD's compilers; elsewhere nothing.
#if !defined(__AMDGCN__) || __clang_major__ < 16
#define __builtin_amdgcn_sched_barrier(mask) ((void)0)
#endif

// Of two.
static float sum2(__global const float *in, int i) {
  float a = in[i];
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  float b = in[i + 1];
  __builtin_amdgcn_sched_barrier(0);
  return a + b;
}
__kernel void sums(__global const float *in, __global float *out, int n) {
  size_t i = get_global_id(0), start;
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  start = 4 * i;
  __builtin_amdgcn_sched_barrier(0);
  float a = sum2(in, start); // first
  __builtin_amdgcn_sched_barrier(0);
  float b = in[start], c; __builtin_amdgcn_sched_barrier(0); b *= 2;
  __builtin_amdgcn_sched_barrier(0);
  for (int k = 0; k < 4; ++k) {
    a += in[start + k];
    __builtin_amdgcn_sched_barrier(0);
    b *= a; /* here */
    __builtin_amdgcn_sched_barrier(0);
  }
  __builtin_amdgcn_sched_barrier(0);
#ifdef OTHER
  c = 3;
#else
  c = a + b;
  __builtin_amdgcn_sched_barrier(0);
#endif
  if (c > 3) { out[i] = c; __builtin_amdgcn_sched_barrier(0); a = 2; } else
    a = 3;
  __builtin_amdgcn_sched_barrier(0);
  switch (n) {
  case 1:
    b = 3;
  __builtin_amdgcn_sched_barrier(0);
    break;
  default:
    a = 3;
  __builtin_amdgcn_sched_barrier(0);
    __attribute__((fallthrough));
  case 2:
    c = 0;
  }
  __builtin_amdgcn_sched_barrier(0);
  out[i] = a + b;
  __builtin_amdgcn_sched_barrier(0);
  out[i] += c;
}
#define ADD(x, y) x += y
__kernel void written(__global int *p) {
  p += 3 * get_global_id(0);
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  ADD(p[0], 3);
  __builtin_amdgcn_sched_barrier(0);
  { ADD(p[1], 4); __builtin_amdgcn_sched_barrier(0); ADD(p[2], 5); }
}
//--- loads.cl
// Some sums.

// A fence for the scheduler of AMD's compilers; elsewhere nothing.
#if !defined(__AMDGCN__) || __clang_major__ < 16
#define __builtin_amdgcn_sched_barrier(mask) ((void)0)
#endif

// Of two.
static float sum2(__global const float *in, int i) {
  float a = in[i];
  float b = in[i + 1];
  return a + b;
}
__kernel void sums(__global const float *in, __global float *out, int n) {
  size_t i = get_global_id(0), start;
  start = 4 * i;
  float a = sum2(in, start); // first
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  float b = in[start], c; __builtin_amdgcn_sched_barrier(0); b *= 2;
  for (int k = 0; k < 4; ++k) {
    a += in[start + k];
    __builtin_amdgcn_sched_barrier(0);
    b *= a; /* here */
  }
  __builtin_amdgcn_sched_barrier(0);
#ifdef OTHER
  c = 3;
#else
  c = a + b;
#endif
  if (c > 3) { out[i] = c; __builtin_amdgcn_sched_barrier(0); a = 2; } else
    a = 3;
  __builtin_amdgcn_sched_barrier(0);
  switch (n) {
  case 1:
    b = 3;
    break;
  default:
    a = 3;
    __attribute__((fallthrough));
  case 2:
    c = 0;
  }
  out[i] = a + b;
  __builtin_amdgcn_sched_barrier(0);
  out[i] += c;
}
#define ADD(x, y) x += y
__kernel void written(__global int *p) {
  p += 3 * get_global_id(0);
  ADD(p[0], 3);
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  { ADD(p[1], 4); __builtin_amdgcn_sched_barrier(0); ADD(p[2], 5); }
}
//--- half.cl
// Some sums.

// A fence for the scheduler of AMD's compilers; elsewhere nothing.
#if !defined(__AMDGCN__) || __clang_major__ < 16
#define __builtin_amdgcn_sched_barrier(mask) ((void)0)
#endif

// Of two.
static float sum2(__global const float *in, int i) {
  float a = in[i];
  float b = in[i + 1];
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
  return a + b;
}
__kernel void sums(__global const float *in, __global float *out, int n) {
  size_t i = get_global_id(0), start;
  start = 4 * i;
  float a = sum2(in, start); // first
  float b = in[start], c; b *= 2;
  for (int k = 0; k < 4; ++k) {
    a += in[start + k];
    b *= a; /* here */
  }
#ifdef OTHER
  c = 3;
#else
  c = a + b;
  __builtin_amdgcn_sched_barrier(0); // clrewrite: AMD's scheduler moves nothing over this
#endif
  if (c > 3) { out[i] = c; __builtin_amdgcn_sched_barrier(0); a = 2; } else
    a = 3;
  __builtin_amdgcn_sched_barrier(0);
  switch (n) {
  case 1:
    b = 3;
  __builtin_amdgcn_sched_barrier(0);
    break;
  default:
    a = 3;
  __builtin_amdgcn_sched_barrier(0);
    __attribute__((fallthrough));
  case 2:
    c = 0;
  }
  __builtin_amdgcn_sched_barrier(0);
  out[i] = a + b;
  __builtin_amdgcn_sched_barrier(0);
  out[i] += c;
}
#define ADD(x, y) x += y
__kernel void written(__global int *p) {
  p += 3 * get_global_id(0);
  ADD(p[0], 3);
  { ADD(p[1], 4); __builtin_amdgcn_sched_barrier(0); ADD(p[2], 5); }
}
//--- barrier.cl
// A missing barrier.
kernel void k(global const int *in, global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
//--- barrier-wrong.cl
kernel void k(global const int *in, global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)]; // undefined: no barrier follows
  out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
