// set-work-group-size: where the size goes, how the kernel is launched then, and
// what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// PAIR: other.cl square.cl --unsafe-fixes --alternative=16x16
// VERIFY: after.cl --new-launch=blur:1:16x4,free:1:32
// VERIFY: square.cl --new-launch=blur:1:16x16
// DECLINES: declines.cl --unsafe-fixes
// WRONG: square.cl blur in[y * w + x] => in[y * w + get_local_id(0)]
// MACROS: no: a comment is not part of a macro, so that no launch is known there
//
// A kernel whose launch is not known is no site, nor is one that has a size.
// RUN: split-file %s %t
// RUN: clrewrite --only=set-work-group-size --no-measure --unsafe-fixes --verbose %t/nothing.cl | count 0
//
// It is never applied without a grant, and says what the host must do.
// RUN: clrewrite --only=set-work-group-size --no-measure --check %t/before.cl | count 0
// RUN: clrewrite --only=set-work-group-size --no-measure --grant=set-work-group-size --verify=off --verbose --exit-zero %t/before.cl | FileCheck %s --check-prefix=NOTE
// NOTE: legal: set-work-group-size [as-launched] (contract): legal; not measured
// NOTE-NEXT: note: launch blur with the local size 16x4
// NOTE: legal: set-work-group-size [32] (contract): legal; not measured
// NOTE-NEXT: note: launch free with the local size 32
//
// The device refuses another size, and the original has the old one.
// RUN: clrewrite verify --global=64,64 --set=w=64 --new-launch=blur:1:16x16 %t/other.cl %t/square.cl
// RUN: not clrewrite verify --new-launch=blur:1:16x8 %t/other.cl %t/square.cl | FileCheck %s --check-prefix=REFUSED
// REFUSED: blur: different: the new version {{.*}}CL_INVALID_WORK_GROUP_SIZE
//
// What is kept is verified as its host must launch it.
// RUN: clrewrite --only=set-work-group-size --no-measure --unsafe-fixes --lines=1:6 --exit-zero --format=json %t/before.cl | FileCheck %s --check-prefix=JSON
// JSON: "verdict": "same"
// JSON: "launch": {
// JSON-NEXT: "factors": null,
// JSON-NEXT: "local": [
// JSON-NEXT: 16,
// JSON-NEXT: 4
// JSON: "round_up": false

//--- before.cl
// clrewrite: launch global=64x32 local=16x4 w=64
__kernel void blur(__global const float *in, __global float *out, int w)
{
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + max(x - 1, 0)];
}

// The driver has chosen so far. Two launches must agree on nothing.
// clrewrite: launch global=64 n=3
// clrewrite: launch global=96 local=8 n=3
kernel __attribute__((vec_type_hint(int))) void free(global int *p, int n) {
  p[get_global_id(0)] *= n;
}

#define ENTRY kernel
// clrewrite: launch global=128 local=64
ENTRY void entry(global int *p) {
  p[get_global_id(0)] *= 3;
}
//--- other.cl
// clrewrite: launch global=64x32 w=64
__kernel void blur(__global const float *in, __global float *out, int w)
{
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + max(x - 1, 0)];
}
//--- square.cl
// clrewrite: launch global=64x32 local=16x16 w=64
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void blur(__global const float *in, __global float *out, int w)
{
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + max(x - 1, 0)];
}
//--- after.cl
// clrewrite: launch global=64x32 local=16x4 w=64
__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void blur(__global const float *in, __global float *out, int w)
{
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + max(x - 1, 0)];
}

// The driver has chosen so far. Two launches must agree on nothing.
// clrewrite: launch global=64 local=32 n=3
// clrewrite: launch global=96 local=32 n=3
kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((vec_type_hint(int))) void free(global int *p, int n) {
  p[get_global_id(0)] *= n;
}

#define ENTRY kernel
// clrewrite: launch global=128 local=64
ENTRY __attribute__((reqd_work_group_size(64, 1, 1))) void entry(global int *p) {
  p[get_global_id(0)] *= 3;
}
//--- nothing.cl
kernel void unknown(global int *p, int n) { p[get_global_id(0)] = n; }
// clrewrite: launch global=64 local=64
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void has(global int *p) {
  p[get_global_id(0)] = 1;
}
// clrewrite: launch global=64
// clrewrite: launch global=8x8
kernel void unlike(global int *p) { p[get_global_id(0)] = 1; }
//--- declines.cl
// HIP would know the size, but its host launches as it likes.
#ifdef __OPENCL_VERSION__
#define KERNEL kernel
#else
#define KERNEL extern "C" __global__
#endif
// CHECK: declined set-work-group-size: the word __kernel comes from a macro that may be something else
// clrewrite: launch global=64
KERNEL void macro(global int *p) { p[get_global_id(0)] = 1; }

// CHECK: declined set-work-group-size: it asks for ids or sizes of work-groups (get_local_id, get_group_id, ...), or for what one machine has
// clrewrite: launch global=64
kernel void group(global int *p) { p[get_global_id(0)] = get_local_size(0); }

// CHECK: declined set-work-group-size: it asks for ids or sizes of work-groups (get_local_id, get_group_id, ...), or for what one machine has: 'get_local_id' in line
// clrewrite: launch global=64
kernel void group_elsewhere(global int *p) {
#ifdef BY_GROUP
  p[0] = get_local_id(0);
#endif
  p[get_global_id(0)] = 1;
}

// CHECK: declined set-work-group-size: work-items wait for each other (barrier, work_group_..., sub_group_...), or it enqueues kernels
// clrewrite: launch global=64
kernel void waits(global int *p) {
  p[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// CHECK: declined set-work-group-size: it uses local memory
// clrewrite: launch global=64 shared=64
kernel void shares(global int *p, local int *shared) {
  p[get_global_id(0)] = shared[0];
}

int elsewhere(int);
// CHECK: declined set-work-group-size: it calls a function that is not defined here
// clrewrite: launch global=64
kernel void foreign(global int *p) { p[get_global_id(0)] = elsewhere(1); }

// CHECK: declined set-work-group-size: the kernel is called by other code or declared more than once
// clrewrite: launch global=64
kernel void called(global int *p) { p[get_global_id(0)] = 1; }
kernel void calls(global int *p) { called(p); }

// CHECK: declined set-work-group-size: a launch that is known does not fit: its local size in dimension 0, 32, does not divide the new global size, 37
// clrewrite: launch global=37
kernel void odd(global int *p) { p[get_global_id(0)] = 1; }
