// specialise-arguments: what becomes a constant, and what is declined.
//
// PAIR: before.cl after.cl
// The launch of `types` has negative integers, which are not simulated.
// RACES: after.cl --kernel=blur
// RACES: after.cl --kernel=mean
// RACES: after.cl --kernel=turn
// RACES: after.cl --kernel=reversed
// WRONG: after.cl blur blur_work(in, out, 64, 2) => blur_work(in, out, 64, 3)
// MACROS: no: a comment is not part of a macro, so that no launch is known there
//
// A kernel without a launch, or without an integer that it reads, is no site.
// RUN: split-file %s %t
// RUN: clrewrite --only=specialise-arguments --no-measure --verbose %t/nothing.cl | count 0
//
// One argument alone, and all but one.
// RUN: cp %t/before.cl %t/one.cl
// RUN: clrewrite --only=specialise-arguments --alternative=only-radius --no-measure --verify=off --fix %t/one.cl
// RUN: FileCheck %s --check-prefix=ONE --input-file %t/one.cl
// ONE: if (radius == 2)
// ONE-NEXT: blur_work(in, out, w, 2);
// RUN: cp %t/before.cl %t/rest.cl
// RUN: clrewrite --only=specialise-arguments --alternative=without-b --no-measure --verify=off --fix %t/rest.cl
// RUN: FileCheck %s --check-prefix=REST --input-file %t/rest.cl
// REST: if (a == 250 && c == 4294967295u && d == 18446744073709551615uL)
//
// A launch of the command line counts more than the comment.
// RUN: not clrewrite --only=specialise-arguments --alternative=only-radius --no-measure --verify=off --target=device:pocl --launch=blur:64x16,w=64,radius=-3 --diff %t/before.cl | FileCheck %s --check-prefix=GIVEN
// GIVEN: + if (radius == -3)

//--- before.cl
// Its sum begins with a zero, whose product is exact whatever the compiler does.
// clrewrite: launch global=64x16 local=16x4 w=64 radius=2
__kernel void blur(__global const float *in, __global float *out, int w,
                   int radius /* in elements */)
{
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = -radius; i <= radius; ++i)
    sum += in[y * w + clamp(x + i, 0, w - 1)];
  out[y * w + x] = sum * 0.2f;
}

// n is a divisor, and stays; what it has no part in does not.
// clrewrite: launch global=256 n=16 m=3 scale=7
kernel void mean(global const float *a, global float *b, uint n, uchar m,
                 long scale, float f) {
  int i = get_global_id(0);
  float s = 0;
  for (uint k = 0; k < n; ++k)
    s += a[i * n + k];
  b[i] = s / (float)n + (m & 1) + f * scale;
}

// Values wrap to the type of the parameter; the least int has no literal.
// clrewrite: launch global=64 a=-6 b=-100 c=-1 d=-1 e=-2147483648
kernel void types(global ulong *out, uchar a, short b, uint c, ulong d, int e) {
  int i = get_global_id(0);
  out[i] = a + b + c + d + e + i;
}

// Both launches say what n is, and disagree on m. A barrier stays uniform.
// clrewrite: launch global=64 local=16 n=4 m=1 shared=64
// clrewrite: launch global=32 local=16 n=4 m=2 shared=64
kernel void turn(global int *data, local int *shared, int n, int m) {
  int l = get_local_id(0), g = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    shared[l] = data[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[g] = shared[(l + m) & 15] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Arrays in local memory move to where the choice is.
#define SIZE 16
// clrewrite: launch global=64 local=16 n=15
kernel void reversed(global const float *a, global float *b, int n) {
  local float t[2][SIZE + 1]; // padded
  int l = get_local_id(0); local volatile int order[SIZE], spare[2];
  t[0][l] = a[get_global_id(0)];
  order[l] = (uint)(n + l) % (uint)get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  spare[l & 1] = n;
  b[get_global_id(0)] = t[0][order[l]];
}
//--- after.cl
// Its sum begins with a zero, whose product is exact whatever the compiler does.
// clrewrite: launch global=64x16 local=16x4 w=64 radius=2
__kernel void blur(__global const float *in, __global float *out, int w,
                   int radius /* in elements */)
{
  void blur_work(__global const float *in, __global float *out, int w,
                   int radius);
  if (w == 64 && radius == 2)
    blur_work(in, out, 64, 2);
  else
    blur_work(in, out, w, radius);
}

__attribute__((always_inline))
void blur_work(__global const float *in, __global float *out, int w,
                   int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = -radius; i <= radius; ++i)
    sum += in[y * w + clamp(x + i, 0, w - 1)];
  out[y * w + x] = sum * 0.2f;
}

// n is a divisor, and stays; what it has no part in does not.
// clrewrite: launch global=256 n=16 m=3 scale=7
kernel void mean(global const float *a, global float *b, uint n, uchar m,
                 long scale, float f) {
  void mean_work(global const float *a, global float *b, uint n, uchar m,
                 long scale, float f);
  if (m == 3 && scale == 7L)
    mean_work(a, b, n, 3, 7L, f);
  else
    mean_work(a, b, n, m, scale, f);
}

__attribute__((always_inline))
void mean_work(global const float *a, global float *b, uint n, uchar m,
                 long scale, float f) {
  int i = get_global_id(0);
  float s = 0;
  for (uint k = 0; k < n; ++k)
    s += a[i * n + k];
  b[i] = s / (float)n + (m & 1) + f * scale;
}

// Values wrap to the type of the parameter; the least int has no literal.
// clrewrite: launch global=64 a=-6 b=-100 c=-1 d=-1 e=-2147483648
kernel void types(global ulong *out, uchar a, short b, uint c, ulong d, int e) {
  void types_work(global ulong *out, uchar a, short b, uint c, ulong d, int e);
  if (a == 250 && b == -100 && c == 4294967295u && d == 18446744073709551615uL)
    types_work(out, 250, -100, 4294967295u, 18446744073709551615uL, e);
  else
    types_work(out, a, b, c, d, e);
}

__attribute__((always_inline))
void types_work(global ulong *out, uchar a, short b, uint c, ulong d, int e) {
  int i = get_global_id(0);
  out[i] = a + b + c + d + e + i;
}

// Both launches say what n is, and disagree on m. A barrier stays uniform.
// clrewrite: launch global=64 local=16 n=4 m=1 shared=64
// clrewrite: launch global=32 local=16 n=4 m=2 shared=64
kernel void turn(global int *data, local int *shared, int n, int m) {
  void turn_work(global int *data, local int *shared, int n, int m);
  if (n == 4)
    turn_work(data, shared, 4, m);
  else
    turn_work(data, shared, n, m);
}

__attribute__((always_inline))
void turn_work(global int *data, local int *shared, int n, int m) {
  int l = get_local_id(0), g = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    shared[l] = data[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[g] = shared[(l + m) & 15] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Arrays in local memory move to where the choice is.
#define SIZE 16
// clrewrite: launch global=64 local=16 n=15
kernel void reversed(global const float *a, global float *b, int n) {
  local float t[2][SIZE + 1];
  local volatile int order[SIZE], spare[2];
  void reversed_work(global const float *a, global float *b, int n, local float t[2][SIZE + 1], local volatile int order[SIZE], local volatile int spare[2]);
  if (n == 15)
    reversed_work(a, b, 15, t, order, spare);
  else
    reversed_work(a, b, n, t, order, spare);
}

__attribute__((always_inline))
void reversed_work(global const float *a, global float *b, int n, local float t[2][SIZE + 1], local volatile int order[SIZE], local volatile int spare[2]) {
  // padded
  int l = get_local_id(0);
  t[0][l] = a[get_global_id(0)];
  order[l] = (uint)(n + l) % (uint)get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  spare[l & 1] = n;
  b[get_global_id(0)] = t[0][order[l]];
}
//--- declines.cl
#define HEAD kernel void from_macro(global int *a, int n) {
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: its head comes from a macro, or a directive stands in its parameters
HEAD
  a[get_global_id(0)] = n;
}
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: its head comes from a macro, or a directive stands in its parameters
kernel void chosen(global int *a,
#ifdef WIDE
                   long n
#else
                   int n
#endif
) {
  a[get_global_id(0)] = n;
}
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: a parameter has no name
kernel void unnamed(global int *a, int n, int) { a[get_global_id(0)] = n; }

// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array, or aligned, or by a macro, or behind a directive, or it takes such an array's size, type or address, or its own name
kernel void counter(global int *a, int n) {
  local int count;
  if (get_local_id(0) == 0)
    count = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = count;
}
// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array
kernel void pointers(global int *a, int n) {
  global int *local t[16], *local first[1];
  t[get_local_id(0)] = a + get_global_id(0);
  first[0] = a;
  *t[get_local_id(0)] = n;
}
// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array
kernel void size(global int *a, int n) {
  local int t[16];
  t[get_local_id(0)] = n;
  a[get_global_id(0)] = t[get_local_id(0)] + sizeof(t);
}
// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array
kernel void address(global int *a, int n) {
  local int t[16];
  local int (*whole)[16] = &t;
  (*whole)[get_local_id(0)] = n;
  a[get_global_id(0)] = t[get_local_id(0)];
}
// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array
kernel void aligned(global int *a, int n) {
  local int t[16] __attribute__((aligned(64)));
  t[get_local_id(0)] = n;
  a[get_global_id(0)] = t[get_local_id(0)];
}
#define SHARED local int shared[16];
// clrewrite: launch global=64 local=16 n=15
// CHECK: declined specialise-arguments: it declares constant memory, or local memory that is no array
kernel void hidden(global int *a, int n) {
  SHARED
  shared[get_local_id(0)] = n;
  a[get_global_id(0)] = shared[get_local_id(0)];
}
// A quotient; a product of constants, also in a function and by way of a
// variable; a function of the library; how often a loop multiplies.
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each argument whose value is known, and the compiler may round it otherwise than the device
kernel void quotient(global float *a, int n) { a[get_global_id(0)] /= n; }

float scaled(int k) { return 0.1f * k; }
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void product(global float *a, int n) { a[get_global_id(0)] += scaled(n + 1); }

// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void angle(global float *a, int n) {
  float c, s = sincos((float)n, &c);
  a[get_global_id(0)] = s * c;
}
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void power(global float *a, int n) {
  float p = 1.1f;
  for (int k = 0; k < n; ++k)
    p *= 1.1f;
  a[get_global_id(0)] += p;
}
// clrewrite: launch global=64 n=16
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void branch(global float *a, int n) {
  float factor = n > 3 ? 0.3f : 0.7f;
  a[get_global_id(0)] = pow(a[get_global_id(0)], factor);
}
// What decides between a constant and a value that nobody knows: by an assignment, an operand that
// is not evaluated, a return or a goto before it, and an operand that decides alone.
// clrewrite: launch global=64 mode=0
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void unless(global float *a, global const float *in, int mode) {
  float w = 2.7f;
  if (mode)
    w = in[0];
  a[get_global_id(0)] = w * 1.3f + in[1];
}
// clrewrite: launch global=64 mode=0
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void both(global float *a, global const float *in, int mode) {
  float w = 2.7f;
  mode && (w = in[0], 1);
  a[get_global_id(0)] = w * 1.3f + in[1];
}
// clrewrite: launch global=64 mode=0
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void either(global float *a, global const float *in, int mode) {
  float w = 2.7f;
  mode ? (w = in[0]) : 0;
  a[get_global_id(0)] = w * 1.3f + in[1];
}
float weight(int mode, float x) {
  if (mode == 0)
    return x;
  return 2.7f;
}
// clrewrite: launch global=64 mode=1
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void returned(global float *a, global const float *in, int mode) {
  a[get_global_id(0)] = weight(mode, in[0]) * 1.3f + in[1];
}
void put(float *w, int mode, float x) {
  *w = 2.7f;
  if (mode)
    return;
  *w = x;
}
// clrewrite: launch global=64 mode=1
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void written(global float *a, global const float *in, int mode) {
  float w = 1.5f;
  put(&w, mode, in[0]);
  a[get_global_id(0)] = w * 1.3f + in[1];
}
// clrewrite: launch global=64 mode=1
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void skipped(global float *a, global const float *in, int mode) {
  float w = 1.7f;
  if (mode == 1)
    goto out;
  w = 2.7f;
out:
  a[get_global_id(0)] = w * 1.3f - in[0];
}
// clrewrite: launch global=64 mode=1
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void selected(global float *a, global const float *in, int mode) {
  a[get_global_id(0)] = select(in[0], 2.7f, mode << 31) * 1.3f + in[1];
}
// clrewrite: launch global=64 mode=0
// CHECK: declined specialise-arguments: floating-point arithmetic depends on each
kernel void absorbed(global float *a, global const float *in, int mode) {
  a[get_global_id(0)] = (2.7f + (int)get_global_id(0) * mode) * 1.3f + in[1];
}
//--- nothing.cl
kernel void unknown(global int *a, int n) { a[get_global_id(0)] = n; }
// clrewrite: launch global=64
kernel void unsaid(global int *a, int n) { a[get_global_id(0)] = n; }
// clrewrite: launch global=64 n=3
kernel void unread(global int *a, int n) { a[get_global_id(0)] = 1; }
// clrewrite: launch global=64 f=3
kernel void floating(global float *a, float f) { a[get_global_id(0)] = f; }
