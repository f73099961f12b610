// restrict-buffers: where the word goes, what is assumed, and what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// On buffers of their own the results are the same.
// VERIFY: after.cl --no-overlap
// Of `running` two work-items write one element where the width is guessed.
// RACES: after.cl --kernel=deal
// RACES: after.cl --kernel=some
// DECLINES: declines.cl --unsafe-fixes
// DECLINES: macro.cl --unsafe-fixes
// DECLINES: memory.cl --unsafe-fixes
// DECLINES: number.cl --unsafe-fixes
// DECLINES: const.cl --unsafe-fixes
// DECLINES: variable.cl --unsafe-fixes -- -cl-std=CL2.0
//
// What has nothing to promise is no site.
// RUN: split-file %s %t
// RUN: clrewrite --only=restrict-buffers --no-measure --unsafe-fixes --verbose %t/after.cl %t/nothing.cl | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: {{declined|legal:|pays:}} restrict
// RUN: not clrewrite --only=restrict-buffers --no-measure --unsafe-fixes --verify=off --diff %t/cpp.cl -- -cl-std=clc++ | FileCheck %s --check-prefix=CPP
// CPP: +kernel void add(global const int *__restrict in, global int *__restrict out) {
// AGAIN: 2 files, 0 failed, {{.*}}, 0 legal edits, 0 sites declined
//
// It is never applied without a grant, and says what it assumes.
// RUN: clrewrite --only=restrict-buffers --no-measure --check %t/before.cl | count 0
// RUN: clrewrite --only=restrict-buffers --no-measure --grant=restrict-buffers --verify=off --verbose --exit-zero %t/before.cl | FileCheck %s --check-prefix=NOTE
// NOTE: before.cl:1: legal: restrict-buffers [all] (assumes): legal; not measured
// NOTE-NEXT: note: the buffer 'out' overlaps no other buffer of the kernel
// NOTE: note: the buffers 'even' and 'odd' overlap no other buffer of the kernel
// NOTE: note: the buffers 'a', 'b' and 'c' overlap no other buffer of the kernel

//--- before.cl
kernel void running(global const uchar4 *in, global uchar4 *out, int w, int h) {
  int x = get_global_id(0);
  float4 mean = convert_float4(in[x]);
  for (int y = 0; y < h; ++y) {
    mean = 0.75f * mean + 0.25f * convert_float4(in[y * w + x]);
    out[y * w + x] = convert_uchar4_sat(mean);
  }
}
__kernel void deal(const __global int* in, __global int * even, __global int
                   *const odd, __local int *shared, __constant int *k) {
  size_t i = get_global_id(0);
  in += 2 * i;
  even[i] = in[0] + k[0];
  odd[i] = in[1];
  in = in + 1;
  even[i] += in[0] & 1;
}
// Some have it already.
kernel void some(global int *a, global int *restrict r, global float4 *b,
                 __global volatile /* odd */ int *c) {
  int i = get_global_id(0);
  a[i] += r[i];
  b[i] *= 2;
  c[i] = a[i];
}
//--- after.cl
kernel void running(global const uchar4 *restrict in, global uchar4 *restrict out, int w, int h) {
  int x = get_global_id(0);
  float4 mean = convert_float4(in[x]);
  for (int y = 0; y < h; ++y) {
    mean = 0.75f * mean + 0.25f * convert_float4(in[y * w + x]);
    out[y * w + x] = convert_uchar4_sat(mean);
  }
}
__kernel void deal(const __global int*restrict in, __global int *restrict even, __global int
                   *restrict const odd, __local int *shared, __constant int *k) {
  size_t i = get_global_id(0);
  in += 2 * i;
  even[i] = in[0] + k[0];
  odd[i] = in[1];
  in = in + 1;
  even[i] += in[0] & 1;
}
// Some have it already.
kernel void some(global int *restrict a, global int *restrict r, global float4 *restrict b,
                 __global volatile /* odd */ int *restrict c) {
  int i = get_global_id(0);
  a[i] += r[i];
  b[i] *= 2;
  c[i] = a[i];
}
//--- declines.cl
typedef global float *plane;
#define STAR *
#define BUFFER(name) global float *name
// CHECK: declined restrict-buffers: a pointer's type has a name of its own, is an array or comes from a macro
kernel void named(global const float *in, plane out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void bracket(global const float in[], global float *out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void star(global const float *in, global float STAR out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void whole(BUFFER(in), BUFFER(out)) { out[0] = in[0]; }

// CHECK: declined restrict-buffers: the kernel is called by other code or declared more than once
kernel void inner(global const float *in, global float *out) { out[0] = in[0]; }
kernel void outer(global float *data) { inner(data + 1, data); }

// CHECK: declined restrict-buffers: a buffer's pointer gets the value of another, or its address is taken
kernel void pingpong(global float *in, global float *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[i] = in[i] * 0.5f;
    global float *other = in;
    in = out;
    out = other;
  }
}
// CHECK: declined restrict-buffers: a buffer's pointer gets the value of another, or its address is taken
kernel void distance(global float *in, global float *out) {
  in += out - in;
  out[0] = in[1];
}
void advance(global float *private *p) { ++*p; }
// CHECK: declined restrict-buffers: a buffer's pointer gets the value of another, or its address is taken
kernel void addressed(global float *in, global float *out) {
  advance(&in);
  out[0] = in[0];
}
//--- nothing.cl
kernel void reads(global const int *a, global const int *b) { (void)(a[0] + b[0]); }
kernel void alone(global int *a, local int *b, constant int *c, int n) { a[0] = b[n] + c[n]; }
kernel void unnamed(global int *, global const int *p) { (void)p[0]; }
kernel void done(global const int *a, global int *restrict b) { b[0] = a[0]; }
void function(global int *a, global int *b) { a[0] = b[0]; }
kernel void calls(global int *a) { function(a, a + 1); }
//--- alias.cl
// Two pointers that may be the same buffer.
kernel void k(global int *a, global int *b) {
  int i = get_global_id(0);
  a[i] = b[i] + 1;
  b[i] = b[i] * 2;
}
//--- alias-wrong.cl
kernel void k(global int *a, global int *b) {
  int i = get_global_id(0);
  int v = b[i];
  a[i] = v + 1;
  b[i] = v * 2;
}
//--- macro.cl
#define restrict
// CHECK: declined restrict-buffers: restrict is a macro in this program
kernel void k(global const float *in, global float *out) { out[0] = in[0]; }
//--- memory.cl
// Pointers that other launches have left in a buffer may lead into any.
typedef struct { global float *where; } place;
// CHECK: declined restrict-buffers: a pointer comes from memory or from a number, and may lead to any buffer
kernel void k(global const place *in, global float *out) { out[0] = in->where[0]; }
//--- number.cl
void store(ulong where, float v) { *(global float *)where = v; }
// CHECK: declined restrict-buffers: a pointer comes from memory or from a number, and may lead to any buffer
kernel void k(global const float *in, global float *out, ulong where) {
  store(where, in[0]);
  out[0] = in[1];
}
//--- const.cl
void set(global const float *p) { *(global float *)p = 1; }
// CHECK: declined restrict-buffers: a cast takes the const from a pointer, so that what it leads to may be written
kernel void k(global const float *in, global const float *same, global float *out) {
  set(in);
  out[0] = same[0];
}
//--- variable.cl
global float *global where;
// CHECK: declined restrict-buffers: a pointer comes from memory or from a number, and may lead to any buffer
kernel void k(global const float *in, global float *out) {
  where[0] = in[0];
  out[0] = in[1];
}
//--- cpp.cl
void bump(int &x) { ++x; }
kernel void add(global const int *in, global int *out) {
  int x = in[get_global_id(0)];
  bump(x);
  out[get_global_id(0)] = x + in[0];
}
