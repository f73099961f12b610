// Numbers, names and addresses that look alike and are not: an index of another
// type beside one, a place whose address alone is taken, a name that a block
// gives to something else.
//
// RUN: cp %s %t.cl
// RUN: clrewrite --no-measure --verify=off --fix --only=hoist-invariant,speculate-load,branch-to-select,reload,bump-pointer %t.cl
// RUN: FileCheck %s < %t.cl

void fill(uint *to, uint from) {
  for (int i = 0; i < 8; ++i)
    to[i] = from * i;
}

// As an unsigned number 7 is below n where n is negative.
kernel void counts_down(global uint *out, uint key, int n) {
  // CHECK: if ((int)7u >= n) {
  for (int i = 7u; i >= n; --i) {
    uint w[8];
    fill(w, key);
    out[i + 4] += w[i & 7];
  }
}
// The array would take its name from the type.
kernel void of_a_type(global uint *out, uint from, int n) {
  typedef uint key;
  for (int i = 0; i < n; ++i) {
    // CHECK: out[i] += sizeof(key);
    // CHECK-NEXT: uint key[8];
    out[i] += sizeof(key);
    uint key[8];
    fill(key, from);
    out[i] ^= key[i & 7];
  }
}
// A choice between i - 4 and u would be unsigned.
kernel void in_front(global const int *base, global int *out, uint u, int c) {
  int i = get_global_id(0);
  global const int *p = base + 8;
  int v = p[u];
  int w = 3;
  // CHECK: p[taken ? (long)(i - 4) : (long)(u)]
  if (c > 2)
    w = p[i - 4];
  out[i] = v + w;
}
// No element lies at the end.
kernel void to_the_end(global const int *p, global int *out, int n) {
  int i = get_global_id(0);
  global const int *end = &p[n];
  int v = 0;
  // CHECK: {{^}}  if (i < n)
  // CHECK-NEXT: {{^}}    v = p[i];
  if (i < n)
    v = p[i];
  out[i] = v + (end != p);
}
kernel void at_the_end(global const int *p, global int *out, int n) {
  int i = get_global_id(0), x = 1, kept[4] = {0}, *end = kept + 4;
  // CHECK: {{^}}  if (&p[i] != p + n)
  if (&p[i] != p + n)
    x = p[i];
  // CHECK: {{^}}  if (&kept[n] != end)
  if (&kept[n] != end)
    kept[n] = x;
  out[i] = kept[0];
}
// In the block i is 5.
kernel void hidden(constant uint *in, global uint *out, int n) {
  int i = get_global_id(0);
  // CHECK: uint v = in[i], s = 0;
  uint v = in[i], s = 0;
  for (int k = 0; k < n; ++k)
    s += out[k] * s;
  if (s) {
    enum { i = 5 };
    out[get_global_id(0)] = s + v;
  }
}
// In the loop w is 3.
kernel void strides(global const float *p, global float *out, int n, int w, int x) {
  float s = 0;
  // CHECK: {{^}}  for (int k = 0; k < n; ++k) {
  for (int k = 0; k < n; ++k) {
    enum { w = 3 };
    s += p[k * w * x];
  }
  out[0] = s;
}
