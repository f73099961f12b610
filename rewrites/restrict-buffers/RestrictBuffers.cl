// restrict-buffers: where the word goes, what is assumed, and what is declined.
//
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/out.cl
// RUN: clrewrite --only=restrict-buffers --no-measure --unsafe-fixes --fix %t/out.cl
// RUN: diff -u %t/after.cl %t/out.cl
// RUN: clrewrite --only=restrict-buffers --no-measure --unsafe-fixes --verbose %t/declines.cl | FileCheck %t/declines.cl --implicit-check-not=declined --implicit-check-not=legal
//
// Its own output, and what has nothing to promise, is no site.
// RUN: clrewrite --only=restrict-buffers --no-measure --unsafe-fixes --verbose %t/after.cl %t/nothing.cl | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: {{declined|legal:|pays:}} restrict
// AGAIN: 2 files, 0 failed, {{.*}}, 0 legal edits, 0 sites declined
// RUN: %{python} %{inputs}/compiles_everywhere.py %t/after.cl
//
// It is never applied without a grant, and says what it assumes.
// RUN: clrewrite --only=restrict-buffers --no-measure --check %t/before.cl | count 0
// RUN: clrewrite --only=restrict-buffers --no-measure --grant=restrict-buffers --verify=off --verbose --exit-zero %t/before.cl | FileCheck %s --check-prefix=NOTE
// NOTE: before.cl:1: legal: restrict-buffers [all] (assumes): legal; not measured
// NOTE-NEXT: note: the buffer 'out' overlaps no other buffer of the kernel
// NOTE: note: the buffers 'even' and 'odd' overlap no other buffer of the kernel
// NOTE: note: the buffers 'a', 'b' and 'c' overlap no other buffer of the kernel
//
// On buffers of their own the results are the same.
// RUN: clrewrite verify %t/before.cl %t/after.cl --verify=pocl --no-overlap | FileCheck %s --check-prefix=SAME
// SAME: deal: same
// SAME-NEXT: running: same
// SAME-NEXT: some: same

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
// CHECK: declined restrict-buffers: a pointer's type has a name of its own, is an array or comes from a macro, or restrict is a macro
kernel void named(global const float *in, plane out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void bracket(global const float in[], global float *out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void star(global const float *in, global float STAR out) { out[0] = in[0]; }
// CHECK: declined restrict-buffers: a pointer's type has a name
kernel void whole(BUFFER(in), BUFFER(out)) { out[0] = in[0]; }

// CHECK: declined restrict-buffers: another function calls the kernel
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
