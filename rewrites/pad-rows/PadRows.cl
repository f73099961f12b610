// pad-rows: which rows get longer, what shows that an index stays in its row,
// and what is declined.
//
// PAIR: before.cl after.cl
// WRONG: after.cl flip tile[x][y + i] => tile[y + i][x]
// WRONG: after.cl bytes [32 + 4] => [31]
//
// What nothing shows is assumed, and what is assumed is named.
// RUN: split-file %s %t
// RUN: clrewrite --no-config --no-measure --only=pad-rows --verify=off --verbose %t/assumed.cl | FileCheck %t/assumed.cl
// RUN: not clrewrite --no-config --no-measure --only=pad-rows --verify=off --unsafe-fixes --diff %t/assumed.cl | FileCheck %s --check-prefix=ALL
// ALL: +  local int first[16][16 + 1], second[16][32 + 1]; // clrewrite
//
// DECLINES: block.cl -- -cl-std=CL2.0
//
// By default the estimates decide: columns that lanes go along pay, without a
// launch too; diagonals lie in different banks as they are.
// RUN: clrewrite --no-config --target=gfx906,sm_90 --only=pad-rows --verify=off --fix --verbose %t/pays.cl | FileCheck %s --check-prefix=PAYS
// PAYS-DAG: left alone pad-rows [padded]: gfx906: the estimate rises from
// PAYS-DAG: applied pad-rows [1-of-2] (exact): sm_90: the estimate falls from
// RUN: FileCheck %s --check-prefix=WRITTEN < %t/pays.cl
// WRITTEN: local float turned[32][32 + 1], plain[8][32];
// WRITTEN: local int cost[32][32];

//--- before.cl
#define TILE 16
#define HALF 1 << 3
#ifndef WIDE
#define WIDE 16
#endif
#define AT(a, y, x) a[y][x]

// clrewrite: launch global=64x16 local=32x8 w=64 h=64
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void flip(global const float *in, global float *out, int w, int h) {
  local float tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  int gx = get_group_id(0) * 32, gy = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(gy + y + i) * w + gx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    out[(gx + y + i) * h + gy + x] = tile[x][y + i];
}

// Elements of a byte: four more are a word. Several uses, by macros as well.
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void bytes(global const uchar *in, global uint *out) {
  local uchar tile[32][32]; // a tile
  const uint x = get_local_id(0);
  for (uint y = 0; y < 32; ++y)
    AT(tile, y, x) = in[y * 32 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int k = 31; k >= 0; --k) {
    (tile[x])[k] += 1;
    sum = sum * 3 + AT(tile, x, k);
  }
  out[x] = sum;
}

// Bounds by macros, arrays of arrays of arrays, vectors, atomic functions.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void others(global const int *in, global int *out) {
  local int4 wide[TILE][TILE], many[2][TILE][TILE * 2];
  local int shifted[TILE][HALF];
  local int varied[TILE][WIDE];
  local int bins[TILE]/* rows */[ TILE ];
  local int narrow[TILE][TILE + 1], flat[TILE * TILE];
  int x = get_local_id(0), n = in[x];
  for (int k = 0; k < TILE; k++) {
    wide[x][k] = n + k;
    wide[x][k].y = k;
    many[k & 1][x][min(k, 31)] = wide[x][k];
    bins[x][k] = 0;
    varied[x][n & 15] = n;
    narrow[x][k] = flat[k * TILE + x] = n;
    if (k < 8)
      shifted[x][k] = n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[n & 15][x], x);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x] = wide[x][7].x + wide[x][7].y + many[0][x][2].z + shifted[x][n & 7] +
           bins[x][x] + varied[x][n & 15] + narrow[x][0] + flat[x] + (int)sizeof(bins[0][0]);
}
//--- after.cl
#define TILE 16
#define HALF 1 << 3
#ifndef WIDE
#define WIDE 16
#endif
#define AT(a, y, x) a[y][x]

// clrewrite: launch global=64x16 local=32x8 w=64 h=64
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void flip(global const float *in, global float *out, int w, int h) {
  local float tile[32][32 + 1]; // clrewrite: a column's elements lie in different banks
  int x = get_local_id(0), y = get_local_id(1);
  int gx = get_group_id(0) * 32, gy = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(gy + y + i) * w + gx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    out[(gx + y + i) * h + gy + x] = tile[x][y + i];
}

// Elements of a byte: four more are a word. Several uses, by macros as well.
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void bytes(global const uchar *in, global uint *out) {
  local uchar tile[32][32 + 4]; // a tile
  const uint x = get_local_id(0);
  for (uint y = 0; y < 32; ++y)
    AT(tile, y, x) = in[y * 32 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int k = 31; k >= 0; --k) {
    (tile[x])[k] += 1;
    sum = sum * 3 + AT(tile, x, k);
  }
  out[x] = sum;
}

// Bounds by macros, arrays of arrays of arrays, vectors, atomic functions.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void others(global const int *in, global int *out) {
  local int4 wide[TILE][TILE + 1], many[2][TILE][TILE * 2 + 1]; // clrewrite: a column's elements lie in different banks
  local int shifted[TILE][(HALF) + 1]; // clrewrite: a column's elements lie in different banks
  local int varied[TILE][(WIDE) + 1]; // clrewrite: a column's elements lie in different banks
  local int bins[TILE]/* rows */[ TILE + 1 ]; // clrewrite: a column's elements lie in different banks
  local int narrow[TILE][TILE + 1], flat[TILE * TILE];
  int x = get_local_id(0), n = in[x];
  for (int k = 0; k < TILE; k++) {
    wide[x][k] = n + k;
    wide[x][k].y = k;
    many[k & 1][x][min(k, 31)] = wide[x][k];
    bins[x][k] = 0;
    varied[x][n & 15] = n;
    narrow[x][k] = flat[k * TILE + x] = n;
    if (k < 8)
      shifted[x][k] = n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[n & 15][x], x);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x] = wide[x][7].x + wide[x][7].y + many[0][x][2].z + shifted[x][n & 7] +
           bins[x][x] + varied[x][n & 15] + narrow[x][0] + flat[x] + (int)sizeof(bins[0][0]);
}
//--- declines.cl
typedef float Row[32];
#define ROW [32]

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void hidden(global float *p) {
  // CHECK: declined pad-rows: how long a row is comes from a macro's body or a typedef, or a directive stands there: 'rows'; write
  local Row rows[32];
  // CHECK: declined pad-rows: how long a row is comes from a macro's body or a typedef, or a directive stands there: 'ROW'; write
  local float tile[32] ROW;
  int x = get_local_id(0);
  rows[x][0] = tile[x][0] = p[x];
  p[x] = rows[x][0] + tile[x][0];
}

float first(local float *row) { return row[0]; }
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void whole(global float *p) {
  int x = get_local_id(0);
  // CHECK: declined pad-rows: the array is used other than by its elements: 'passed[x]' in line [[@LINE+2]]
  local float passed[32][32];
  p[x] = first(passed[x]);
  // CHECK: declined pad-rows: the array is used other than by its elements: '&loaded[x][0]' in line [[@LINE+2]]
  local float loaded[32][32];
  p[x] = vload4(0, &loaded[x][0]).y;
  // CHECK: declined pad-rows: the array is used other than by its elements: {{.*}} in line [[@LINE+2]]
  local float sized[32][32];
  p[x] = sizeof(sized[0]);
  // CHECK: declined pad-rows: the array is used other than by its elements: {{.*}} in line [[@LINE+2]]
  local float pointed[32][32];
  p[x] = *(pointed[x] + 1);
  // CHECK: declined pad-rows: the array is used other than by its elements: {{.*}} in line [[@LINE+2]]
  local float moved[32][32];
  local float *q = moved[x];
  p[x] = q[1];
  // CHECK: declined pad-rows: the array is used other than by its elements: {{.*}} in line [[@LINE+2]]
  local float copied[32][32];
  async_work_group_copy(copied[1], p, 64, 0);
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void reached(global ulong *p) {
  int x = get_local_id(0);
  // CHECK: declined pad-rows: the array is used other than by its elements: '&pairs[x][0]' in line [[@LINE+2]]
  local uint pairs[32][32] __attribute__((aligned(8)));
  p[x] = atom_add((local ulong *)&pairs[x][0], 1ul << 32);
  // CHECK: declined pad-rows: the array is used other than by its elements: '&placed[x][0]' in line [[@LINE+2]]
  local uint placed[32][32], where;
  p[x] += atomic_xchg(&where, (uint)(uintptr_t)&placed[x][0]);
}

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void hidden_address(global int *p) {
  int x = get_local_id(0);
  // CHECK: declined pad-rows: the array is used other than by its elements: 'named[x][0]' in line [[@LINE+2]]
  local int named[32][32];
  local int *a = __builtin_addressof(named[x][0]);
  // CHECK: declined pad-rows: the array is used other than by its elements: 'marked[x][0]' in line [[@LINE+2]]
  local int marked[32][32];
  local int *b = &__extension__ marked[x][0];
  p[x] = a[33] + b[33];
}

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void unseen(global float *p) {
  // CHECK: declined pad-rows: the array's name, a macro that may stand for it, or an #include stands where this build does not see the array
  local float tile[32][32];
  int x = get_local_id(0);
  tile[x][0] = p[x];
#ifdef LINEAR
  ((local float *)tile)[32] = 0;
#endif
  p[x] = tile[x][0];
}

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void called(global float *p) {
  // CHECK: declined pad-rows: the kernel is called by other code or declared more than once
  local float tile[32][32];
  int x = get_local_id(0);
  tile[x][x] = p[x];
  p[x] = tile[x][x];
}
kernel void caller(global float *p) { called(p); }

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void gone_through(global float *p) {
  int x = get_local_id(0);
  // CHECK: declined pad-rows: an index leads out of its row, or may do so in a row that is written as a number, as where an array is gone through as one row: 'by_first[0][x * 32]' in line [[@LINE+2]]
  local float by_first[32][32];
  by_first[0][x * 32] = p[x];
  // CHECK: declined pad-rows: an index leads out of its row, or may do so in a row that is written as a number, as where an array is gone through as one row: 'halo[x + 1][-1]' in line [[@LINE+2]]
  local float halo[34][32];
  halo[x + 1][-1] = p[x];
  p[x] = by_first[x][0] + halo[x][31];
}
//--- block.cl
typedef void (^work)(global int *);
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void inner(global int *p) {
  // CHECK: declined pad-rows: the kernel is called by other code or declared more than once: 'inner' in line [[@LINE+5]]
  local int tile[65][32];
  int x = get_local_id(0);
  p[x] = tile[x][x];
}
const work b = (work)^(global int *p) { inner(p); };
kernel void outer(global int *p) { b(p); }
//--- assumed.cl
kernel void unsized(global int *p) {
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of first (such as x) is from 0 to 15, and each last index of second (such as x + 1) is from 0 to 31 (the attribute reqd_work_group_size may show it without a grant)
  local int first[16][16], second[16][32];
  int x = get_local_id(0);
  first[x][x] = second[x][x + 1] = p[x];
  p[x] = first[x][p[0] & 15] + second[x][p[1] & 15];
}

// Another build may have other code.
#define REACH(k)
#ifdef FAR
#undef REACH
#define REACH(k) k += 20
#endif
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void by_macro(global int *p) {
  int x = get_local_id(0);
  // CHECK: left alone pad-rows [padded]: class assumes
  // CHECK-NEXT: note: no index leaves its row in a build that has other code in line [[@LINE+2]]
  local int tile[32][32];
  REACH(x);
  p[x] = tile[x][x];
}
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void by_directive(global int *p) {
  int x = get_local_id(0);
  // CHECK: left alone pad-rows [padded]: class assumes
  // CHECK-NEXT: note: no index leaves its row in a build that has other code in line [[@LINE+2]]
  local int tile[32][32];
#ifdef FAR
  x += 20;
#endif
  p[x] = tile[x][x];
}

// What looks like a bound: code jumps in, bits are shifted off, a bool is 1.
kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void loose(global int *p, int n, ulong m) {
  int x = get_local_id(0);
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of jumped (such as n)
  local int jumped[32][32];
  if (x)
    goto inside;
  if (n >= 0 && n < 32) {
  inside:
    p[x] = jumped[x][n];
  }
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of cut (such as ((x & 15) * 2 << 28) >> 28)
  local int cut[33][16];
  p[x] += cut[x + 1][((x & 15) * 2 << 28) >> 28];
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of truth (such as 40 - (bool)(x + 10))
  local int truth[32][32];
  p[x] += truth[x][40 - (bool)(x + 10)];
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of large (such as (m - 1) >> 58)
  local int large[32][32];
  p[x] += large[x][(m - 1) >> 58];
  // CHECK: left alone pad-rows [assumed]: class assumes
  // CHECK-NEXT: note: each last index of turned (such as clamp(x, 0, min(n, 31)))
  local int turned[33][32];
  p[x] += turned[x + 1][clamp(x, 0, min(n, 31))];
}
//--- pays.cl
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void flip(global const float *in, global float *out, int w, int h) {
  local float turned[32][32], plain[8][32];
  int x = get_local_id(0), y = get_local_id(1);
  int gx = get_group_id(0) * 32, gy = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    turned[y + i][x] = in[(gy + y + i) * w + gx + x];
  plain[y][x] = in[gy + y];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    out[(gx + y + i) * h + gy + x] = turned[x][y + i] + plain[7 - y][x];
}

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void paths(global const int *in, global int *out) {
  local int cost[32][32];
  int x = get_local_id(0);
  for (int y = 0; y < 32; ++y)
    cost[y][x] = in[y * 32 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 63; ++d) {
    int column = d - x;
    if (x > 0 && column > 0 && column < 32) {
      int c = clamp(column, 1, 31), r = clamp(x, 1, 31);
      cost[r][c] += min(cost[r - 1][c], cost[r][c - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < 32; ++y)
    out[y * 32 + x] = cost[y][x];
}
