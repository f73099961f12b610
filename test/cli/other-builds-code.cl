// What the code around an edit means must be the same in every build: an empty
// macro may be a statement there, a name an expression, a type a narrower one.
//
// RUN: clrewrite --no-measure --verify=off --unsafe-fixes --verbose --only=serialise-loads,share-index,reload,bump-pointer,hoist-invariant,guard-to-bounds,select-to-branch,branch-to-select,split-vector,narrow-index %s | FileCheck %s --implicit-check-not=legal:

#ifndef BEHIND
#define BEHIND
#endif
#ifdef STEPS
#define STEP(x) x += 2
#define IF(x) (x = 1)
typedef uchar count;
#else
#define STEP(x) (void)(x)
#define IF(x) 1
typedef int count;
#endif
#ifndef COUNT
#define COUNT 4
#endif
#ifdef DEFAULTS
#define SHIFT 3
#endif

// A narrow sum is cut off after each addition.
kernel void narrow_sum(global const int *in, global int *out, int n) {
  int x = get_global_id(0);
  // CHECK-DAG: :[[@LINE+1]]: declined serialise-loads: the code there may mean something else with other build options: a macro is neither a number nor defined once in this file, outside of #if, or a type may be another one: 'count'
  count s = (in[x] + in[x + 1] + in[x + 2]) / in[x + n];
  out[x] = s;
}
// The last addend may be the first operand of a product.
kernel void goes_on(global const int *in, global int *out) {
  int x = get_global_id(0), s;
  // CHECK-DAG: :[[@LINE+1]]: declined serialise-loads: {{.*}}: 'BEHIND'
  s = in[x] + in[x + 1] + in[x + 2] BEHIND;
  out[x] = s;
}
// A variable of the indices may change between them.
// CHECK-DAG: :[[@LINE+2]]: declined share-index: {{.*}}: 'BEHIND'
kernel __attribute__((reqd_work_group_size(8, 8, 8)))
void changed_between(global const float *in, global float *out, int nx, int ny) {
  int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  float s = in[(z * ny + y + 1) * nx + x];
  BEHIND
  s += in[(z * ny + y - 1) * nx + x];
  out[x] = s;
}
kernel void loaded_again(constant uint *in, global uint *out, int n) {
  int i = get_global_id(0);
  // CHECK-DAG: :[[@LINE+2]]: declined reload: a jump may pass over the load or come back before it, or a directive stands between the load and its use
  uint v = in[i], s = 0;
  for (int k = 0; k < n; ++k)
    s += out[k] * s;
  STEP(i);
  out[i] = s + v;
}
kernel void stepped(global const float *p, global float *out, int n, int w, int x) {
  float s = 0;
  // CHECK-DAG: :[[@LINE+1]]: declined bump-pointer: {{.*}}: 'STEP'
  for (int k = 0; k < n; ++k) {
    STEP(w);
    s += p[k * w + x];
  }
  out[0] = s;
}
void fill(uint *to, uint from) {
  for (int i = 0; i < 8; ++i)
    to[i] = from * i;
}
kernel void filled(global uint *out, uint key, int n) {
  // CHECK-DAG: :[[@LINE+1]]: declined hoist-invariant: {{.*}}: 'STEP'
  for (int i = 0; i < n; ++i) {
    uint w[8];
    fill(w, key);
    STEP(w[i & 7]);
    out[i] += w[i & 7];
  }
}
kernel void asked(global int *out, int n, int a, int m) {
  // CHECK-DAG: :[[@LINE+1]]: declined guard-to-bounds: {{.*}}: 'IF'
  for (int k = 0; k < n; ++k)
    // CHECK-DAG: :[[@LINE+1]]: declined branch-to-select: an arm stores to memory
    if (IF(out[k]) && k + a < m)
      out[k + 20] = k;
}
kernel void chosen(global const count *in, global int *out, int i) {
  // CHECK-DAG: :[[@LINE+2]]: declined select-to-branch: {{.*}}: 'count'
  int v = in[i];
  out[i] = out[i + 1] ? v / 2 : 0;
}
kernel void assigned(global int *out, int n, int c) {
  count t = out[0];
  int x = n;
  // CHECK-DAG: :[[@LINE+1]]: declined branch-to-select: {{.*}}: 'count'
  if (c)
    x = t;
  out[1] = x;
}
// A number may be 0 there, and one that is left out another number.
kernel void divided(global int *out, int a, int n) {
  int y = 0;
  // CHECK-DAG: :[[@LINE+1]]: declined branch-to-select: {{.*}}: 'a / COUNT'
  if (n > 0)
    y = a / COUNT;
  out[0] = y;
}
kernel void halves(global const float *in, global float *out) {
  int x = get_global_id(0);
  // CHECK-DAG: :[[@LINE+1]]: declined split-vector: a macro in what it would replace may be another one with other build options: 'BEHIND'
  float16 v = vload16(x BEHIND, in);
  v = v * 2.0f + 1.0f;
  vstore16(v, x, out);
}
// CHECK-DAG: :[[@LINE+1]]: declined narrow-index: {{.*}}: 'COUNT'
kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void wide_index(global int *out) {
  size_t l = get_local_id(0);
  size_t x = l - 3;
  out[l] = x < COUNT;
}
