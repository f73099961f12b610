// narrow-index: which variables and calls become 32-bit, and what is declined.
// Most of it is an assumption, so it takes --unsafe-fixes.
//
// PAIR: before.cl after.cl --unsafe-fixes
// PAIR: before.cl unsigned.cl --unsafe-fixes --alternative=uint
// PAIR: exact.cl exact-after.cl
// PAIR: exact.cl exact-unsigned.cl --alternative=uint
// Comparing as int what was compared as size_t is found to be wrong.
// WRONG: after.cl compared (uint) =>
// Neither is a hash an index.
// WRONG: after.cl masked ulong hash => int hash
// DECLINES: declines.cl --unsafe-fixes
//
// RUN: split-file %s %t
// RUN: not clrewrite --only=narrow-index --verify=off --no-measure --unsafe-fixes --verbose %t/notes.cl | FileCheck %t/notes.cl --implicit-check-not=declined --implicit-check-not=note:

//--- before.cl
typedef size_t SZ;
float at(global const float *p, size_t where) { return p[where]; }
kernel void image(global const float *in, global float *out, int w, int h) {
  size_t x = get_global_id(0), y = get_global_id(1); // together
  const unsigned long here = y * w + x;
  if (x >= w || y >= h)
    return;
  float s = at(in, here);
  if (x > 0)
    s += in[y * w + x - 1];
  for (int k = 1; k < 3; ++k)
    if (x + k < w)
      s += in[here + k];
  out[here] = s + (float)(x % 7) + y / 3;
}
kernel void strided(global float *p, global ulong *ids, uint n, long last) {
  for (SZ i = get_global_id(0); i < n; i += get_global_size(0)) {
    p[i] *= 2;
    ids[i] = i;
    if (i < last)
      p[i] += get_local_id(0);
  }
}
kernel void in_place(global int *p, global int2 *q, int k) {
  p[get_global_id(0) * 4 + (k & 3)] = get_local_id(0);
  q[get_global_id(0)] = (int2)(get_group_id(0), get_global_id(0) % 5);
}
kernel void halves(local float *l, global float *p) {
  SZ t = get_local_id(0), g = get_global_id(0);
  l[t] = p[g];
  for (SZ half_way = get_local_size(0) / 2; half_way; half_way >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float other = t < half_way ? l[t + half_way] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    l[t] += other;
  }
  p[g] = l[t];
}
kernel void offset(global int *p, int r) {
  size_t x = get_global_id(0);
  int dx = x - r;
  p[x] = dx < 0 ? -dx : dx;
}
kernel void vectors(global const float *p, global float4 *o, ulong wide) {
  size_t i = get_global_id(0), j = i & 3;
  size_t far = i + wide; // 64 bits on purpose
  global float4 *q = o + i;
  *q = vload4(j, p) + (float)(far & 1);
}
kernel void small(global const float *p, global float *o) {
  size_t t = get_global_id(0);
  long k = (t & 15) - 3;
  o[t] = p[k + 3];
}
kernel void compared(global float *p, int n) {
  size_t x = get_global_id(0);
  if (x - 1 < n)
    p[x] = 1;
}
kernel void by_data(global float *p, global const int *ends) {
  size_t x = get_global_id(0);
  if (x < ends[0])
    p[x] = 1;
}
kernel void by_local(global float *p, int n) {
  size_t x = get_global_id(0);
  for (int k = -1; k < 2; ++k)
    if (x + k < n)
      p[x] = 1;
}
kernel void cut(global float *p, ulong seed) {
  size_t x = get_global_id(0);
  int limit = seed * 3; // bits of a hash
  if (x < limit)
    p[x] = 1;
}
// What a mask cuts is a hash, and no index.
kernel void masked(global ulong *o, global const int *table, uint n, int m) {
  ulong hash = (144 + n) | m;
  o[0] = hash + table[hash & 255] + table[(hash ^ hash) % 7];
}
//--- after.cl
typedef size_t SZ;
float at(global const float *p, size_t where) { return p[where]; }
kernel void image(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1); // together
  const int here = y * w + x;
  if (x >= (uint)w || y >= (uint)h)
    return;
  float s = at(in, here);
  if (x > 0)
    s += in[y * w + x - 1];
  for (int k = 1; k < 3; ++k)
    if (x + k < (uint)w)
      s += in[here + k];
  out[here] = s + (float)(x % 7) + y / 3;
}
kernel void strided(global float *p, global ulong *ids, uint n, long last) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    p[i] *= 2;
    ids[i] = i;
    if (i < (ulong)last)
      p[i] += get_local_id(0);
  }
}
kernel void in_place(global int *p, global int2 *q, int k) {
  p[(int)get_global_id(0) * 4 + (k & 3)] = get_local_id(0);
  q[get_global_id(0)] = (int2)(get_group_id(0), (int)get_global_id(0) % 5);
}
kernel void halves(local float *l, global float *p) {
  int t = get_local_id(0), g = get_global_id(0);
  l[t] = p[g];
  for (int half_way = (int)get_local_size(0) / 2; half_way; half_way >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float other = t < half_way ? l[t + half_way] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    l[t] += other;
  }
  p[g] = l[t];
}
kernel void offset(global int *p, int r) {
  int x = get_global_id(0);
  int dx = x - r;
  p[x] = dx < 0 ? -dx : dx;
}
kernel void vectors(global const float *p, global float4 *o, ulong wide) {
  int i = get_global_id(0), j = i & 3;
  size_t far = i + wide; // 64 bits on purpose
  global float4 *q = o + i;
  *q = vload4(j, p) + (float)(far & 1);
}
kernel void small(global const float *p, global float *o) {
  int t = get_global_id(0);
  int k = (t & 15) - 3;
  o[t] = p[k + 3];
}
kernel void compared(global float *p, int n) {
  int x = get_global_id(0);
  if (x - 1 < (uint)n)
    p[x] = 1;
}
kernel void by_data(global float *p, global const int *ends) {
  int x = get_global_id(0);
  if (x < (uint)ends[0])
    p[x] = 1;
}
kernel void by_local(global float *p, int n) {
  int x = get_global_id(0);
  for (int k = -1; k < 2; ++k)
    if (x + k < (uint)n)
      p[x] = 1;
}
kernel void cut(global float *p, ulong seed) {
  int x = get_global_id(0);
  int limit = seed * 3; // bits of a hash
  if (x < (uint)limit)
    p[x] = 1;
}
// What a mask cuts is a hash, and no index.
kernel void masked(global ulong *o, global const int *table, uint n, int m) {
  ulong hash = (144 + n) | m;
  o[0] = hash + table[hash & 255] + table[(hash ^ hash) % 7];
}
//--- unsigned.cl
typedef size_t SZ;
float at(global const float *p, size_t where) { return p[where]; }
kernel void image(global const float *in, global float *out, int w, int h) {
  size_t x = get_global_id(0), y = get_global_id(1); // together
  const unsigned long here = y * w + x;
  if (x >= w || y >= h)
    return;
  float s = at(in, here);
  if (x > 0)
    s += in[y * w + x - 1];
  for (int k = 1; k < 3; ++k)
    if (x + k < w)
      s += in[here + k];
  out[here] = s + (float)(x % 7) + y / 3;
}
kernel void strided(global float *p, global ulong *ids, uint n, long last) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    p[i] *= 2;
    ids[i] = i;
    if (i < (ulong)last)
      p[i] += get_local_id(0);
  }
}
kernel void in_place(global int *p, global int2 *q, int k) {
  p[(uint)get_global_id(0) * 4 + (k & 3)] = get_local_id(0);
  q[get_global_id(0)] = (int2)(get_group_id(0), (uint)get_global_id(0) % 5);
}
kernel void halves(local float *l, global float *p) {
  uint t = get_local_id(0), g = get_global_id(0);
  l[t] = p[g];
  for (uint half_way = (uint)get_local_size(0) / 2; half_way; half_way >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float other = t < half_way ? l[t + half_way] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    l[t] += other;
  }
  p[g] = l[t];
}
kernel void offset(global int *p, int r) {
  uint x = get_global_id(0);
  int dx = x - r;
  p[x] = dx < 0 ? -dx : dx;
}
kernel void vectors(global const float *p, global float4 *o, ulong wide) {
  uint i = get_global_id(0), j = i & 3;
  size_t far = i + wide; // 64 bits on purpose
  global float4 *q = o + i;
  *q = vload4(j, p) + (float)(far & 1);
}
kernel void small(global const float *p, global float *o) {
  size_t t = get_global_id(0);
  long k = (t & 15) - 3;
  o[t] = p[k + 3];
}
kernel void compared(global float *p, int n) {
  size_t x = get_global_id(0);
  if (x - 1 < n)
    p[x] = 1;
}
kernel void by_data(global float *p, global const int *ends) {
  uint x = get_global_id(0);
  if (x < ends[0])
    p[x] = 1;
}
kernel void by_local(global float *p, int n) {
  size_t x = get_global_id(0);
  for (int k = -1; k < 2; ++k)
    if (x + k < n)
      p[x] = 1;
}
kernel void cut(global float *p, ulong seed) {
  uint x = get_global_id(0);
  int limit = seed * 3; // bits of a hash
  if (x < limit)
    p[x] = 1;
}
// What a mask cuts is a hash, and no index.
kernel void masked(global ulong *o, global const int *table, uint n, int m) {
  ulong hash = (144 + n) | m;
  o[0] = hash + table[hash & 255] + table[(hash ^ hash) % 7];
}
//--- exact.cl
// A sum that wraps has no sign.
kernel void wraps(global ulong *o, long most, local int *l) {
  size_t x = get_local_id(0) & 63;
  o[get_global_id(0)] = (most + x + 1) / 3 + (x < 9);
  l[x] = 1;
}
//--- exact-after.cl
// A sum that wraps has no sign.
kernel void wraps(global ulong *o, long most, local int *l) {
  int x = get_local_id(0) & 63;
  o[get_global_id(0)] = ((ulong)most + x + 1) / 3 + (x < 9);
  l[x] = 1;
}
//--- exact-unsigned.cl
// A sum that wraps has no sign.
kernel void wraps(global ulong *o, long most, local int *l) {
  uint x = get_local_id(0) & 63;
  o[get_global_id(0)] = ((ulong)most + x + 1) / 3 + (x < 9);
  l[x] = 1;
}
//--- notes.cl
// CHECK: legal: narrow-index [int] (exact)
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void exact(global float *p, local float *l) {
  size_t t = get_local_id(0);
  l[t * 4 + 1] = p[t & 15];
}
// What is required of a kernel's groups does not hold where another calls it.
// CHECK: legal: narrow-index [int] (assumes)
// CHECK-NEXT: note: every index and every sum and product of them stays below 2^31
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void called(local int *l) {
  size_t t = get_local_id(0);
  l[t * 4 + 1] = t;
}
kernel void calls(local int *l) { called(l); }
// CHECK: legal: narrow-index [int] (exact)
kernel void bounded(global const float *p, local float *l) {
  size_t t = get_local_id(0), u = get_local_id(1) & 255;
  l[t] = p[u * 16 + 15];
}
// CHECK: legal: narrow-index [int] (assumes)
// CHECK-NEXT: note: every index and every sum and product of them stays below 2^31
kernel void products(local float *l) {
  size_t t = get_local_id(0);
  l[t * 4] = t;
}
// CHECK: legal: narrow-index [int] (exact)
kernel void exact_and_guarded(local float *l, int n) {
  size_t t = get_local_id(0);
  if (t < n)
    l[t] = 1;
}
//--- declines.cl
#define INDEX size_t
// CHECK: declined narrow-index: no 64-bit variable is an index: they are sums of data or products of themselves, as hashes are: 'x' in line 4
kernel void random(global ulong *p) {
  ulong x = get_global_id(0);
  for (int i = 0; i < 9; ++i)
    x = x * 48271 + 11;
  p[get_global_id(0)] = x;
}
// CHECK: declined narrow-index: no 64-bit variable is an index: they are sums of data or products of themselves, as hashes are: 's' in line 11
kernel void sum(global const int *p, global long *o) {
  long s = 0;
  for (int i = 0; i < 9; ++i)
    s += p[i];
  o[s & 1] = s;
}
// CHECK: declined narrow-index: the type of an index comes from a macro, or its declaration holds other variables as well
kernel void by_macro(global float *p) {
  INDEX x = get_global_id(0);
  p[x] = 1;
}
// CHECK: declined narrow-index: the type of an index comes from a macro, or its declaration holds other variables as well
kernel void shared_type(global float *p, ulong n) {
  size_t x = get_global_id(0), wide = n;
  p[x + wide] = 1;
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void overloaded(global float *p) {
  size_t x = get_global_id(0);
  p[min(x, (size_t)5)] = 1;
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void printed(global float *p) {
  size_t x = get_global_id(0);
  p[x] = 1;
  printf("%lu", x);
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does: 'sizeof(x + 1)'
kernel void measured(global float *p) {
  size_t x = get_global_id(0);
  p[x] = sizeof(x + 1);
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void named_type(global float *p) {
  size_t x = get_global_id(0);
  __typeof__(x) y[2] = {1, 2};
  p[x] = y[x & 1] << 40 >> 40;
}
void bump(size_t *at) { *at += 1; }
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void addressed(global float *p) {
  size_t x = get_global_id(0);
  bump(&x);
  p[x] = 1;
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void reinterpreted(global uint2 *p) {
  size_t x = get_global_id(0);
  p[x] = as_uint2(x);
}
// CHECK: declined narrow-index: an index is used where its type counts, as an operand of sizeof or & does
kernel void switched(global float *p) {
  size_t x = get_global_id(0);
  switch (x) {
  case 4294967296:
    p[x] = 2;
  default:
    p[0] = 1;
  }
}
// CHECK: declined narrow-index: an index is shifted by a count that may be 32 or more
kernel void shifted(global float *p) {
  size_t x = get_global_id(0);
  p[x >> 32] = 1;
}
// CHECK: declined narrow-index: an index is shifted by a count that may be 32 or more
kernel void shifted_by(global float *p, int n) {
  size_t x = get_global_id(0);
  p[x >> n] = 1;
}
// CHECK: declined narrow-index: what may be negative is divided, shifted or converted to float as an unsigned 64-bit number
kernel void divided(global float *p) {
  size_t x = get_global_id(0);
  p[(x - 3) / 2 & 7] = 1;
}
// CHECK: declined narrow-index: what may be negative is divided, shifted or converted to float as an unsigned 64-bit number
kernel void right_shifted(global float *p) {
  size_t x = get_global_id(0);
  p[(x - 3 >> 2) & 7] = 1;
}
// CHECK: declined narrow-index: what may be negative is divided, shifted or converted to float as an unsigned 64-bit number
kernel void to_float(global float *p) {
  size_t x = get_global_id(0);
  p[x] = x - 3;
}
// CHECK: declined narrow-index: a result that may be below zero would be computed in uint
kernel void back_by(global float *p, uint n) {
  size_t x = get_global_id(0);
  p[x - n] = 1;
}
// Nothing to narrow here.
kernel void no_sites(global float *p, ulong n, int k) {
  int x = get_global_id(0);
  p[x] = p[get_global_id(1)] + k;
  ulong big = n * 3;
  p[big] = 1;
  if (get_global_id(0) < n)
    p[n] = 1;
}
