// transpose-ids: which kernels get their ids the other way round, and what is
// declined.
//
// PAIR: before.cl after.cl
// WRONG: after.cl scale height2 = get_global_size(1) => height2 = get_global_size(0)
// WRONG: after.cl grid start_0 * get_local_size(1) => start_0 * get_local_size(0)
// WRONG: after.cl volume y = volume_transposed_id(0) => y = get_global_id(0)
//
// In work-groups that are known to be high the second alternative stays in the
// group, here by a launch and by what the kernel requires.
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/group.cl
// RUN: clrewrite --no-config --no-measure --only=transpose-ids --alternative=in-group --verify=off --fix --verbose %t/group.cl | FileCheck %s --check-prefix=GROUP
// GROUP-COUNT-2: applied transpose-ids [in-group] (exact)
// GROUP-NOT: applied
// RUN: FileCheck %s --check-prefix=TILE --input-file %t/group.cl
// TILE: // As get_global_id, but neighbouring work-items are neighbours in dimension 1,
// TILE-NEXT: // where the elements lie side by side.
// TILE-NEXT: size_t grid_transposed_id(uint dimension) {
// TILE-NEXT:   uint item = get_local_id(1) * get_local_size(0) + get_local_id(0);
// TILE-NEXT:   uint height2 = get_local_size(1);
// TILE-NEXT:   return get_global_id(dimension) - get_local_id(dimension) +
// TILE-NEXT:          (dimension == 0 ? item / height2 : item % height2);
// TILE-NEXT: }
// RUN: clrewrite verify %t/before.cl %t/group.cl | FileCheck %s --check-prefix=SAME
// RUN: clrewrite verify --kernel=grid --global=60 --local=6 %t/before.cl %t/after.cl | FileCheck %s --check-prefix=GRID
// RUN: clrewrite verify --kernel=grid --global=24,36 --local=2,12 %t/before.cl %t/after.cl | FileCheck %s --check-prefix=GRID
// RUN: clrewrite verify --kernel=grid --global=35,33 --local=5,11 %t/before.cl %t/group.cl | FileCheck %s --check-prefix=GRID
// RUN: clrewrite verify --kernel=grid --global=35,33 --local=35,1 %t/before.cl %t/group.cl | FileCheck %s --check-prefix=GRID
// GRID: grid: same
// SAME-DAG: scale: same
// SAME-DAG: grid: same
// SAME-DAG: volume: same
//
// The estimate decides, with a launch and without one; groups that the host has
// made high for the same end stay as they are.
// RUN: clrewrite --no-config --target=gfx906,sm_90 --only=transpose-ids --verify=off --fix --verbose %t/pays.cl | FileCheck %s --check-prefix=PAYS
// PAYS-DAG: applied transpose-ids [in-launch] (exact): sm_90: the estimate falls from
// PAYS-DAG: applied transpose-ids [in-group] (exact): sm_90: the estimate falls from
// PAYS-DAG: left alone transpose-ids [in-launch]: gfx906: the estimate rises from
// RUN: FileCheck %s --check-prefix=WRITTEN --input-file %t/pays.cl
// WRITTEN: out[unknown_transposed_id(0) * n + {{unknown_transposed_id\(1\)|get_global_id\(1\)}}
// WRITTEN: int x = square_transposed_id(0), y = square_transposed_id(1);{{$}}
// WRITTEN: int x = get_global_id(0), y = get_global_id(1);
//
// DECLINES: names.cl
// DECLINES: emulated.cl
// DECLINES: guard.cl
// DECLINES: cxx.cl -- -cl-std=CLC++
//
// What accesses no columns is no site.
// RUN: clrewrite --no-config --no-measure --only=transpose-ids --verify=off --verbose %t/nothing.cl | count 0

//--- before.cl
#define INDEX(row, column, width) ((row) * (width) + (column))
#define height 3
#ifdef WIDE
#define REAL double
#else
#define REAL float
#endif
static REAL twice(REAL x) { return 2 * x; }
// clrewrite: launch global=40x24 local=8x4 n=24
kernel void scale(global const float *in, global float *out, int n) {
#ifdef WIDE
  n += convert_int(twice(0));
#endif
  out[get_global_id(0) * n + get_global_id(1)] =
      twice(in[get_global_id(0) * n + get_global_id(1)]) + height;
}

// A point at the edge ends early.
// clrewrite: launch global=32x48 local=4x16 w=41 h=30
kernel void grid(global const int *now, global int *next, int w, int h) {
  const int row = get_global_id(0), column = get_global_id(1); // both
  if (row >= h || column >= w)
    return;
  int at = INDEX(row, column, w);
  next[at] = now[at] + (column > 0 ? now[at - 1] : 0) + (int)get_global_size(1);
}

// clrewrite: launch global=8x10x4 local=4x10x2 w=10 h=8
kernel __attribute__((reqd_work_group_size(4, 10, 2)))
void volume(global ushort *p, uint w, uint h) {
  size_t x = get_global_id(1), y = get_global_id(0), z = get_global_id(2);
#ifdef TWICE
  p[(z * h + y) * w + x] *= 2;
#endif
  p[(z * h + y) * w + x] += z;
}
//--- after.cl
#define INDEX(row, column, width) ((row) * (width) + (column))
#define height 3
#ifdef WIDE
#define REAL double
#else
#define REAL float
#endif
static REAL twice(REAL x) { return 2 * x; }
// As get_global_id, but neighbouring work-items are neighbours in dimension 1,
// where the elements lie side by side.
size_t scale_transposed_id(uint dimension) {
  // Where the work-group starts, and the work-item's number in lane order.
  size_t start_0 = get_global_id(0) - get_global_offset(0) - get_local_id(0);
  size_t start_1 = get_global_id(1) - get_global_offset(1) - get_local_id(1);
  size_t item = start_1 * get_global_size(0) + start_0 * get_local_size(1) +
                get_local_id(1) * get_local_size(0) + get_local_id(0);
  size_t height2 = get_global_size(1);
  return get_global_offset(dimension) +
         (dimension == 0 ? item / height2 : item % height2);
}

// clrewrite: launch global=40x24 local=8x4 n=24
kernel void scale(global const float *in, global float *out, int n) {
#ifdef WIDE
  n += convert_int(twice(0));
#endif
  out[scale_transposed_id(0) * n + scale_transposed_id(1)] =
      twice(in[scale_transposed_id(0) * n + scale_transposed_id(1)]) + height;
}

// As get_global_id, but neighbouring work-items are neighbours in dimension 1,
// where the elements lie side by side.
size_t grid_transposed_id(uint dimension) {
  // Where the work-group starts, and the work-item's number in lane order.
  size_t start_0 = get_global_id(0) - get_global_offset(0) - get_local_id(0);
  size_t start_1 = get_global_id(1) - get_global_offset(1) - get_local_id(1);
  size_t item = start_1 * get_global_size(0) + start_0 * get_local_size(1) +
                get_local_id(1) * get_local_size(0) + get_local_id(0);
  size_t height2 = get_global_size(1);
  return get_global_offset(dimension) +
         (dimension == 0 ? item / height2 : item % height2);
}

// A point at the edge ends early.
// clrewrite: launch global=32x48 local=4x16 w=41 h=30
kernel void grid(global const int *now, global int *next, int w, int h) {
  const int row = grid_transposed_id(0), column = grid_transposed_id(1); // both
  if (row >= h || column >= w)
    return;
  int at = INDEX(row, column, w);
  next[at] = now[at] + (column > 0 ? now[at - 1] : 0) + (int)get_global_size(1);
}

// As get_global_id, but neighbouring work-items are neighbours in dimension 1,
// where the elements lie side by side.
size_t volume_transposed_id(uint dimension) {
  // Where the work-group starts, and the work-item's number in lane order.
  size_t start_0 = get_global_id(0) - get_global_offset(0) - get_local_id(0);
  size_t start_1 = get_global_id(1) - get_global_offset(1) - get_local_id(1);
  size_t item = start_1 * get_global_size(0) + start_0 * get_local_size(1) +
                get_local_id(1) * get_local_size(0) + get_local_id(0);
  size_t height2 = get_global_size(1);
  return get_global_offset(dimension) +
         (dimension == 0 ? item / height2 : item % height2);
}

// clrewrite: launch global=8x10x4 local=4x10x2 w=10 h=8
kernel __attribute__((reqd_work_group_size(4, 10, 2)))
void volume(global ushort *p, uint w, uint h) {
  size_t x = volume_transposed_id(1), y = volume_transposed_id(0), z = get_global_id(2);
#ifdef TWICE
  p[(z * h + y) * w + x] *= 2;
#endif
  p[(z * h + y) * w + x] += z;
}
//--- pays.cl
kernel void unknown(global const float *in, global float *out, int n) {
  out[get_global_id(0) * n + get_global_id(1)] =
      2 * in[get_global_id(0) * n + get_global_id(1)];
}

// clrewrite: launch global=1024x1024 local=16x16 n=1024 in=4M out=4M
kernel void square(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = 2 * in[x * n + y];
}

// clrewrite: launch global=1024x1024 local=1x256 n=1024 in=4M out=4M
kernel void high(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = 2 * in[x * n + y];
}
//--- nothing.cl
kernel void rows(global int *p, int w) { p[get_global_id(1) * w + get_global_id(0)] = 1; }
kernel void single(global int *p, int w) { p[get_global_id(0) * w] = 1; }
kernel void unsteady(global int *p, int w) { p[get_global_id(0) % w * w + get_global_id(1)] = 1; }
kernel void planes(global int *p, int w) { p[get_global_id(0) * w + get_global_id(2)] = get_global_id(1); }
//--- declines.cl
// CHECK: declined transpose-ids: neighbouring work-items store side by side as it stands: 'out[y * h + x]'
kernel void turned(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * h + x] = in[x * w + y];
}

// CHECK: declined transpose-ids: it asks for ids or sizes of work-groups (get_local_id, get_group_id, ...), or for what one machine has
kernel void group(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = get_group_id(0);
}

// CHECK: declined transpose-ids: work-items wait for each other (barrier, work_group_..., sub_group_...), or it enqueues kernels
kernel void waits(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// CHECK: declined transpose-ids: it uses local memory
kernel void shares(global int *p, int w, local int *shared) {
  p[get_global_id(0) * w + get_global_id(1)] = shared[0];
}

// CHECK: declined transpose-ids: a function that it calls asks for ids or sizes (get_global_id, get_global_size)
int row() { return get_global_id(0); }
kernel void asks_below(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = row();
}

// CHECK: declined transpose-ids: it calls a function that is not defined here: 'elsewhere(p)'
int elsewhere(global int *);
kernel void calls_elsewhere(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = elsewhere(p);
}

// CHECK: declined transpose-ids: the dimension of a get_global_id or get_global_size is computed
kernel void computed(global int *p, int w, int d) {
  p[get_global_id(0) * w + get_global_id(1)] = get_global_id(d);
}

#define ID get_global_id(0)
// CHECK: declined transpose-ids: a get_global_id comes from a macro, or stands in an arm of an #if: 'ID'
kernel void macro_id(global int *p, int w) { p[ID * w + get_global_id(1)] = 1; }

// CHECK: declined transpose-ids: atomic functions, output, assembler or volatile accesses may show the order of work-items: 'atomic_inc(
kernel void counts(global int *p, int w) {
  atomic_inc(&p[get_global_id(0) * w + get_global_id(1)]);
}

#define NOINLINE(n) __attribute__((noinline))
int next(global int *c) NOINLINE(1) { return __sync_fetch_and_add(c, 1); }
// CHECK: declined transpose-ids: atomic functions, output, assembler or volatile accesses may show {{.*}}: 'next(p)'
kernel void counts_below(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = next(p);
}

#ifdef TURNED
#define ROW 1
#else
#define ROW 0
#endif
// CHECK: declined transpose-ids: the dimension of a get_global_id may be another one with other build options: 'get_global_id(ROW)'
kernel void chosen(global int *p, int w) {
  p[get_global_id(ROW) * w + get_global_id(1)] = 1;
}

#ifdef GROUPS
#define MARK p[0] = get_group_id(0);
#define ASK(what) get_##what##_id(0)
#else
#define MARK
#define ASK(what) 0
#endif
// CHECK: declined transpose-ids: with other build options it may ask for ids, or work-items may wait for each other or share memory: 'MARK'
kernel void marks(global int *p, int w) {
  MARK
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}

// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'ASK'
kernel void pastes(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = ASK(group);
}

#ifdef GROUPS
int weight(int row) { return row * (int)get_group_id(0); }
#endif
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'weight'
kernel void weighs(global int *p, int w) {
  int k = 1;
#ifdef GROUPS
  k = weight(k);
#endif
  p[get_global_id(0) * w + get_global_id(1)] = k;
}

#define MAKE(name) int name(int row) { return row * GROUP; }
#ifdef GROUPS
#define GROUP get_group_id(0)
#else
#define GROUP 1
#endif
MAKE(made)
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'made'
kernel void makes(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = made(2);
}

// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'get_global_id'
kernel void arms(global int *p, int w) {
#ifdef GROUPS
  w += get_global_id(0);
#endif
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}

// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'local'
kernel void shares_elsewhere(global int *p, int w) {
#ifdef GROUPS
  local int t[64];
#endif
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}

// CHECK: declined transpose-ids: with other build options it may ask
kernel void continued(global int *p, int w) {
#ifdef GROUPS
  w += get_group_\
id(0);
#endif
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}

#ifdef GROUPS
int __attribute__((overloadable)) attributed(int k) { return k * (int)get_group_id(0); }
#endif
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'attributed'
kernel void unseen(global int *p, int w) {
  int k = 1;
#ifdef GROUPS
  k = attributed(k);
#endif
  p[get_global_id(0) * w + get_global_id(1)] = k;
}

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#ifdef GROUPS
int load_int(global const int *q, int i) { return q[i] + (int)get_local_id(0); }
#else
int load_int(global const int *q, int i) { return q[i]; }
#endif
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'JOIN'
kernel void joined(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = JOIN(load, int)(p, 0);
}

int __attribute__((overloadable)) either(float k) { return (int)k * (int)get_group_id(0); }
int __attribute__((overloadable)) either(int k) { return k; }
#ifdef GROUPS
#define REAL float
#else
#define REAL int
#endif
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'either'
kernel void overloaded(global int *p, int w) {
  REAL r = 2;
  p[get_global_id(0) * w + get_global_id(1)] = either(r);
}

// CHECK: declined transpose-ids: a get_global_id comes from a macro, or stands in an arm of an #if
kernel void two_languages(global int *p, int w) {
#ifdef GROUPS
  int x = 0, y = 0;
#else
  int x = get_global_id(0), y = get_global_id(1);
#endif
  p[x * w + y] = 1;
}

// CHECK: declined transpose-ids: the kernel is called by other code or declared more than once
kernel void called_elsewhere(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
#ifdef GROUPS
kernel void calls_elsewhere2(global int *p, int w) { called_elsewhere(p, w); }
#endif

// CHECK: declined transpose-ids: the kernel is called by other code or declared more than once
kernel void called(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
kernel void calls(global int *p, int w) { called(p, w); }

// CHECK: declined transpose-ids: a directive other than #if stands in the function's head, or its braces do not pair
kernel
#define IN_HEAD
void parted(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
//--- emulated.cl
#ifdef EMULATED
__attribute__((overloadable)) size_t get_global_size(uint d) { return 7; }
#endif
// CHECK: declined transpose-ids: the program gives another meaning to size_t, get_global_id or its like
kernel void k(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
//--- cxx.cl
struct Id {
  int v = 1;
};
// CHECK: declined transpose-ids: it is C++ for OpenCL, where other code may run unseen
kernel void k(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
struct Group {
  int v = get_group_id(0);
};
// CHECK: declined transpose-ids: it asks for ids or sizes of work-groups
kernel void grouped(global int *p, int w) {
  Group g;
  p[get_global_id(0) * w + get_global_id(1)] = g.v;
}
//--- guard.cl
#ifndef GROUPS
#define GROUPS 0
int weigh(int k) { return k; }
#else
int weigh(int k) { return k * (int)get_group_id(0); }
#endif
// CHECK: declined transpose-ids: with other build options it may ask {{.*}}: 'weigh'
kernel void k(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = weigh(2);
}
//--- names.cl
#define get_global_offset(d) 0
// CHECK: declined transpose-ids: the program gives another meaning to size_t, get_global_id or its like
kernel void k(global int *p, int w) {
  p[get_global_id(0) * w + get_global_id(1)] = 1;
}
