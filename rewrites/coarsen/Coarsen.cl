// coarsen: what becomes the work of one work-item, how it is launched then, and
// what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// VERIFY: after.cl --new-launch=blur:1x2:round-up,negate:2,halves:2:round-up,planes:1x1x2,count:1x2,taken:2
// PAIR: guards.cl guarded.cl --unsafe-fixes
// VERIFY: guarded.cl --new-launch=columns:1x2,both:1x2:round-up,narrow:2,wide:2,loads:2,moved:2,chooses:2,follows:2
// DECLINES: declines.cl --unsafe-fixes
// WRONG: after.cl negate get_global_id(0) + item => get_global_id(0) + 1
// WRONG: after.cl blur 2 * get_global_id(1) + item => get_global_id(1) + item
// WRONG: guarded.cl both (2 * get_global_id(1) + 1) < h => (2 * get_global_id(1)) < h
// WRONG: after.cl planes 2 * get_global_id(2) + item => 2 * get_global_id(2) + 2 - item
// MACROS: no: a comment is not part of a macro, so that no launch is known there
//
// A kernel without a launch, or that tells no work-items apart, is no site.
// RUN: split-file %s %t
// RUN: clrewrite --only=coarsen --no-measure --unsafe-fixes --verbose %t/nothing.cl | count 0
//
// It is never applied without a grant, and says what the host must do.
// RUN: clrewrite --only=coarsen --no-measure --check %t/before.cl | count 0
// RUN: clrewrite --only=coarsen --no-measure --grant=coarsen --verify=off --verbose --exit-zero %t/before.cl | FileCheck %s --check-prefix=NOTE
// NOTE: legal: coarsen [dimension-1-by-2] (contract): legal; not measured
// NOTE-NEXT: note: launch blur with half of its global size in dimension 1, rounded up to whole work-groups; h must not be above the global size that it had
// NOTE: legal: coarsen [dimension-0-by-2-apart] (contract): legal; not measured
// NOTE-NEXT: note: launch negate with half of its global size in dimension 0, which must be a multiple of 2
//
// Neighbours, and more of them; a launch of the command line counts more than the
// comment, which gets the sizes that it must have.
// RUN: cp %t/before.cl %t/next.cl
// RUN: clrewrite --only=coarsen --alternative=dimension-0-by-8 --no-measure --unsafe-fixes --verify=off --fix %t/next.cl
// RUN: FileCheck %s --check-prefix=NEXT --input-file %t/next.cl
// NEXT: launch global=8 local=8 n=64
// NEXT: // Each work-item does the work of 8 in dimension 0.
// NEXT: opencl_unroll_hint(8)
// NEXT-NEXT: for (uint item = 0; item < 8; ++item)
// NEXT-NEXT: negate_item(in, out, n, 8 * get_global_id(0) + item);
// RUN: clrewrite verify --new-launch=negate:8 --kernel=negate %t/before.cl %t/next.cl
// RUN: clrewrite verify --global=1024 --local=16 --new-launch=negate:8 --kernel=negate %t/before.cl %t/next.cl
//
// A launch that can't be divided is not verified, and that is said.
// RUN: not clrewrite verify --global=36 --new-launch=negate:8 --kernel=negate %t/before.cl %t/next.cl | FileCheck %s --check-prefix=ODD
// ODD: negate: unknown: the launch that is given never ran: a launch does not fit the new version: its global size in dimension 0, 36, is not a multiple of 8
//
// What a search keeps is verified as its host must launch it, and reported.
// RUN: clrewrite --only=coarsen --no-measure --unsafe-fixes --lines=3:16 --exit-zero --format=json %t/before.cl | FileCheck %s --check-prefix=JSON
// JSON: "verdict": "same"
// JSON: "launch": {
// JSON-NEXT: "factors": [
// JSON-NEXT: 1,
// JSON-NEXT: 2
// JSON: "local": null,
// JSON-NEXT: "round_up": true

//--- before.cl
// The work-items of the last rows have nothing to do, and half of their number is
// odd.
// clrewrite: launch global=40x38 local=8x2 w=40 h=38
__kernel void blur(__global const float *in, __global float *out,
                   int w /* in elements */, const int h)
{
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || h <= y)
    return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    sum += in[clamp(y + dy, 0, h - 1) * w + x];
  if (sum < 0)
    return;
  out[y * w + x] = sum;
}

// clrewrite: launch global=64 local=8 n=64
kernel void negate(global const int *in, global int *out, int n) {
  out[get_global_id(0)] = in[n - 1 - get_global_id(0)] > 0 ? (int)get_global_id(0) : -1;
}

/* clrewrite: launch global=36 local=4
 * n=33 */
kernel void halves(global uchar *p, uint n) {
  size_t at = get_global_id(0);
  if (at < n) {
    p[at] /= 2;
    if (p[at] & 1)
      return;
    p[at] += 1;
  }
}

// clrewrite: launch global=4x3x6 local=2x1x1
kernel void planes(global int *p) {
  int z = get_global_id(2);
  int at = (z * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  p[at] = z * (int)get_global_size(2) + p[at];
}

// Whose element another work-item makes is not said in the original either.
// clrewrite: launch global=8x8
kernel void count(global int *sums, global const uchar *in) {
  uint bin = in[get_global_id(1) * 8 + get_global_id(0)] & 15;
  atomic_add(&sums[bin], 1);
}

// Names that it would give are taken.
// clrewrite: launch global=16 local=2
kernel void taken(global int *id_0, int i) {
  int own[4], *one = own;
  for (int k = 0; k < 4; ++k)
    one[k] = k + i;
  id_0[get_global_id(0)] += own[get_global_id(0) & 3];
}
//--- after.cl
// The work-items of the last rows have nothing to do, and half of their number is
// odd.
// clrewrite: launch global=40x20 local=8x2 w=40 h=38
__kernel void blur(__global const float *in, __global float *out,
                   int w /* in elements */, const int h)
{
  void blur_item(__global const float *in, __global float *out,
                   int w /* in elements */, const int h, size_t id_1, bool inside);
  // Each work-item does the work of 2 in dimension 1.
  if ((long)get_global_id(0) < w && (long)(2 * get_global_id(1) + 1) < h)
    __attribute__((opencl_unroll_hint(2)))
    for (uint item = 0; item < 2; ++item)
      blur_item(in, out, w, h, 2 * get_global_id(1) + item, true);
  else
    __attribute__((opencl_unroll_hint(1)))
    for (uint item = 0; item < 2; ++item)
      blur_item(in, out, w, h, 2 * get_global_id(1) + item, false);
}

__attribute__((always_inline))
void blur_item(__global const float *in, __global float *out,
                   int w /* in elements */, const int h, size_t id_1, bool inside) {
  const int x = get_global_id(0), y = id_1;
  if (!inside && (x >= w || h <= y))
    return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    sum += in[clamp(y + dy, 0, h - 1) * w + x];
  if (sum < 0)
    return;
  out[y * w + x] = sum;
}

// clrewrite: launch global=32 local=8 n=64
kernel void negate(global const int *in, global int *out, int n) {
  void negate_item(global const int *in, global int *out, int n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    negate_item(in, out, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void negate_item(global const int *in, global int *out, int n, size_t id_0) {
  out[id_0] = in[n - 1 - id_0] > 0 ? (int)id_0 : -1;
}

/* clrewrite: launch global=20 local=4
 * n=33 */
kernel void halves(global uchar *p, uint n) {
  void halves_item(global uchar *p, uint n, size_t id_0, bool inside);
  // Each work-item does the work of 2 in dimension 0.
  if ((long)(get_global_id(0) + get_global_size(0)) < n)
    __attribute__((opencl_unroll_hint(2)))
    for (uint item = 0; item < 2; ++item)
      halves_item(p, n, get_global_id(0) + item * get_global_size(0), true);
  else
    __attribute__((opencl_unroll_hint(1)))
    for (uint item = 0; item < 2; ++item)
      halves_item(p, n, get_global_id(0) + item * get_global_size(0), false);
}

__attribute__((always_inline))
void halves_item(global uchar *p, uint n, size_t id_0, bool inside) {
  size_t at = id_0;
  if (inside || (at < n)) {
    p[at] /= 2;
    if (p[at] & 1)
      return;
    p[at] += 1;
  }
}

// clrewrite: launch global=4x3x3 local=2x1x1
kernel void planes(global int *p) {
  void planes_item(global int *p, size_t id_2);
  // Each work-item does the work of 2 in dimension 2.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    planes_item(p, 2 * get_global_id(2) + item);
}

__attribute__((always_inline))
void planes_item(global int *p, size_t id_2) {
  int z = id_2;
  int at = (z * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  p[at] = z * (int)(2 * get_global_size(2)) + p[at];
}

// Whose element another work-item makes is not said in the original either.
// clrewrite: launch global=8x4
kernel void count(global int *sums, global const uchar *in) {
  void count_item(global int *sums, global const uchar *in, size_t id_1);
  // Each work-item does the work of 2 in dimension 1.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    count_item(sums, in, 2 * get_global_id(1) + item);
}

__attribute__((always_inline))
void count_item(global int *sums, global const uchar *in, size_t id_1) {
  uint bin = in[id_1 * 8 + get_global_id(0)] & 15;
  atomic_add(&sums[bin], 1);
}

// Names that it would give are taken.
// clrewrite: launch global=8 local=2
kernel void taken(global int *id_0, int i) {
  void taken_item(global int *id_0, int i, size_t id_02);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    taken_item(id_0, i, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void taken_item(global int *id_0, int i, size_t id_02) {
  int own[4], *one = own;
  for (int k = 0; k < 4; ++k)
    one[k] = k + i;
  id_0[id_02] += own[id_02 & 3];
}
//--- guards.cl
// What is no guard, or not of every id, is left as it is.
// clrewrite: launch global=16x8 local=4x2 w=13
kernel void columns(global int *p, uint w) {
  const int x = get_global_id(0);
  int y = get_global_id(1);
  if (w <= x) {
    return;
  }
  p[y * w + x] += y;
}
// clrewrite: launch global=16x8 local=4x2 w=13 h=7
kernel void both(global int *p, int w, short h) {
  int y;
  long x = (int)get_global_id(0);
  if (x < w && get_global_id(1) < (h)) {
    y = get_global_id(1);
    p[y * w + x] += y;
  }
}
// clrewrite: launch global=16 local=4 n=13
kernel void narrow(global int *p, int n) {
  uchar at = get_global_id(0);
  if (at >= n)
    return;
  p[at] += 1;
}
// clrewrite: launch global=16 local=4 n=13
kernel void wide(global int *p, ulong n) {
  int at = get_global_id(0);
  if (at >= n)
    return;
  p[at] += 1;
}
// clrewrite: launch global=16 local=4 n=13
kernel void loads(global int *p, int n) {
  int at = get_global_id(0), before = p[at];
  if (at >= n)
    return;
  p[at] = before + 1;
}
// clrewrite: launch global=16 local=4 n=13
kernel void moved(global int *p, int n) {
  int at = get_global_id(0);
  if (at >= n)
    return;
  n = 7;
  p[at] += n;
}
// clrewrite: launch global=16 local=4 n=13
kernel void chooses(global int *p, int n) {
  int at = get_global_id(0);
  if (at < n)
    p[at] += 1;
  else
    p[at] -= 1;
}
// clrewrite: launch global=16 local=4 item=13
kernel void follows(global int *p, int item) {
  int at = get_global_id(0), follows_item = 2;
  if (at < item)
    p[at] += 1;
  p[at] *= follows_item;
}
//--- guarded.cl
// What is no guard, or not of every id, is left as it is.
// clrewrite: launch global=16x4 local=4x2 w=13
kernel void columns(global int *p, uint w) {
  void columns_item(global int *p, uint w, size_t id_1, bool inside);
  // Each work-item does the work of 2 in dimension 1.
  if ((long)get_global_id(0) < w)
    __attribute__((opencl_unroll_hint(2)))
    for (uint item = 0; item < 2; ++item)
      columns_item(p, w, 2 * get_global_id(1) + item, true);
  else
    __attribute__((opencl_unroll_hint(1)))
    for (uint item = 0; item < 2; ++item)
      columns_item(p, w, 2 * get_global_id(1) + item, false);
}

__attribute__((always_inline))
void columns_item(global int *p, uint w, size_t id_1, bool inside) {
  const int x = get_global_id(0);
  int y = id_1;
  if (!inside && (w <= x)) {
    return;
  }
  p[y * w + x] += y;
}
// clrewrite: launch global=16x4 local=4x2 w=13 h=7
kernel void both(global int *p, int w, short h) {
  void both_item(global int *p, int w, short h, size_t id_1, bool inside);
  // Each work-item does the work of 2 in dimension 1.
  if ((long)get_global_id(0) < w && (long)(2 * get_global_id(1) + 1) < h)
    __attribute__((opencl_unroll_hint(2)))
    for (uint item = 0; item < 2; ++item)
      both_item(p, w, h, 2 * get_global_id(1) + item, true);
  else
    __attribute__((opencl_unroll_hint(1)))
    for (uint item = 0; item < 2; ++item)
      both_item(p, w, h, 2 * get_global_id(1) + item, false);
}

__attribute__((always_inline))
void both_item(global int *p, int w, short h, size_t id_1, bool inside) {
  int y;
  long x = (int)get_global_id(0);
  if (inside || (x < w && id_1 < (h))) {
    y = id_1;
    p[y * w + x] += y;
  }
}
// clrewrite: launch global=8 local=4 n=13
kernel void narrow(global int *p, int n) {
  void narrow_item(global int *p, int n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    narrow_item(p, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void narrow_item(global int *p, int n, size_t id_0) {
  uchar at = id_0;
  if (at >= n)
    return;
  p[at] += 1;
}
// clrewrite: launch global=8 local=4 n=13
kernel void wide(global int *p, ulong n) {
  void wide_item(global int *p, ulong n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    wide_item(p, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void wide_item(global int *p, ulong n, size_t id_0) {
  int at = id_0;
  if (at >= n)
    return;
  p[at] += 1;
}
// clrewrite: launch global=8 local=4 n=13
kernel void loads(global int *p, int n) {
  void loads_item(global int *p, int n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    loads_item(p, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void loads_item(global int *p, int n, size_t id_0) {
  int at = id_0, before = p[at];
  if (at >= n)
    return;
  p[at] = before + 1;
}
// clrewrite: launch global=8 local=4 n=13
kernel void moved(global int *p, int n) {
  void moved_item(global int *p, int n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    moved_item(p, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void moved_item(global int *p, int n, size_t id_0) {
  int at = id_0;
  if (at >= n)
    return;
  n = 7;
  p[at] += n;
}
// clrewrite: launch global=8 local=4 n=13
kernel void chooses(global int *p, int n) {
  void chooses_item(global int *p, int n, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item = 0; item < 2; ++item)
    chooses_item(p, n, get_global_id(0) + item * get_global_size(0));
}

__attribute__((always_inline))
void chooses_item(global int *p, int n, size_t id_0) {
  int at = id_0;
  if (at < n)
    p[at] += 1;
  else
    p[at] -= 1;
}
// clrewrite: launch global=8 local=4 item=13
kernel void follows(global int *p, int item) {
  void follows_item2(global int *p, int item, size_t id_0);
  // Each work-item does the work of 2 in dimension 0.
  __attribute__((opencl_unroll_hint(2)))
  for (uint item2 = 0; item2 < 2; ++item2)
    follows_item2(p, item, get_global_id(0) + item2 * get_global_size(0));
}

__attribute__((always_inline))
void follows_item2(global int *p, int item, size_t id_0) {
  int at = id_0, follows_item = 2;
  if (at < item)
    p[at] += 1;
  p[at] *= follows_item;
}
//--- nothing.cl
kernel void unknown(global int *p, int n) { p[get_global_id(0)] = n; }
// clrewrite: launch global=1
kernel void one(global int *p, int n) { p[0] = n; }
//--- declines.cl
#define KERNEL(name) kernel void name(global int *p)
// CHECK: declined coarsen: its head comes from a macro, or a directive stands in its parameters
// clrewrite: launch global=64
KERNEL(macro) { p[get_global_id(0)] = 1; }

// CHECK: declined coarsen: a parameter has no name
// clrewrite: launch global=64
kernel void unnamed(global int *p, int) { p[get_global_id(0)] = 1; }

// CHECK: declined coarsen: it asks for ids or sizes of work-groups (get_local_id, get_group_id, ...), or for what one machine has
// clrewrite: launch global=64
kernel void group(global int *p) { p[get_global_id(0)] = get_group_id(0); }

int lane() { return get_local_linear_id(); }
// CHECK: declined coarsen: it asks for ids or sizes of work-groups
// clrewrite: launch global=64
kernel void group_below(global int *p) { p[get_global_id(0)] = lane(); }

// CHECK: declined coarsen: work-items wait for each other (barrier, work_group_..., sub_group_...), or it enqueues kernels
// clrewrite: launch global=64
kernel void waits(global int *p) {
  p[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// CHECK: declined coarsen: it uses local memory
// clrewrite: launch global=64 shared=64
kernel void shares(global int *p, local int *shared) {
  p[get_global_id(0)] = shared[0];
}

// CHECK: declined coarsen: a function that it calls asks for ids or sizes (get_global_id, get_global_size)
int at() { return get_global_id(0); }
// clrewrite: launch global=64
kernel void asks_below(global int *p) { p[at()] = 1; }

// CHECK: declined coarsen: it calls a function that is not defined here: 'elsewhere(p)'
int elsewhere(global int *);
// clrewrite: launch global=64
kernel void calls_elsewhere(global int *p) { p[get_global_id(0)] = elsewhere(p); }

// CHECK: declined coarsen: the dimension of a get_global_id or get_global_size is computed
// clrewrite: launch global=64
kernel void computed(global int *p, int d) { p[get_global_id(d)] = 1; }

#define ID get_global_id(0)
// CHECK: declined coarsen: a get_global_id or get_global_size comes from a macro
// clrewrite: launch global=64
kernel void macro_id(global int *p) { p[ID] = 1; }

// CHECK: declined coarsen: it declares a constant array, which a kernel alone may do
// clrewrite: launch global=64
kernel void weights(global int *p) {
  constant int w[2] = {1, 2};
  p[get_global_id(0)] = w[p[get_global_id(0)] & 1];
}

// CHECK: declined coarsen: the kernel is called by other code or declared more than once
// clrewrite: launch global=64
kernel void called(global int *p) { p[get_global_id(0)] = 1; }
kernel void calls(global int *p) { called(p); }

// CHECK: declined coarsen: the kernel is called by other code or declared more than once
// clrewrite: launch global=64
kernel void called_elsewhere(global int *p) { p[get_global_id(0)] = 1; }
#ifdef CALLS
kernel void calls_it(global int *p) { called_elsewhere(p); }
#endif

// CHECK: declined coarsen: a launch that is known does not fit: its global size in dimension 0, 37, is not a multiple of 2
// clrewrite: launch global=37
kernel void odd(global int *p) { p[get_global_id(0)] = 1; }

// CHECK: declined coarsen: a launch that is known does not fit: its local size in dimension 0, 16, does not divide the new global size, 24
// clrewrite: launch global=48 local=16
kernel void groups(global int *p) { p[get_global_id(0)] = 1; }
