// reload: which values are loaded again, and what is declined.
//
// PAIR: before.cl after.cl
// PAIR: inside.cl inside-after.cl --alternative=inside
// What it assumes is said, and the plain --fix leaves it alone.
// PAIR: assumes.cl assumes-after.cl --unsafe-fixes --alternative=no-overlap
// VERIFY: assumes-after.cl --no-overlap
// Another element than the one that was loaded is found to be wrong.
// WRONG: after.cl twice mine + 1 => mine
//
// RUN: split-file %s %t
// RUN: not clrewrite --only=reload --no-measure --verify=off --unsafe-fixes %t/assumes.cl | FileCheck %s --check-prefix=NOTE
// NOTE: no buffer that the kernel writes overlaps seed
// RUN: not clrewrite --only=reload --no-measure --verify=off --alternative=inside %t/stored.cl | FileCheck %s --check-prefix=STORED --implicit-check-not="legal: "
// RUN: not clrewrite --only=reload --no-measure --verify=off --unsafe-fixes --alternative=inside-no-overlap %t/stored.cl | FileCheck %s --check-prefix=ASSUMES
// STORED: legal: reload [inside]
// ASSUMES-COUNT-3: no buffer that the kernel writes overlaps in
// An element that is not written may not be loaded either.
// RUN: clrewrite --only=reload --no-measure --verify=off %t/unfilled.cl | FileCheck %s --check-prefix=UNFILLED --allow-empty
// UNFILLED-NOT: reload

//--- before.cl
// The state that is added at the end, in scalars: same type, converted, lanes.
kernel void scalars(global const uint *restrict in,
                    global const uchar *restrict bytes,
                    global const float4 *restrict quads,
                    global float *restrict out, int rounds) {
  int g = get_global_id(0);
  const uint a = in[2 * g], b = in[2 * g + 1] /* the second */;
  int c = bytes[g];
  float4 q = quads[g];
  float x = a ^ b, y = c;
  for (int i = 0; i < rounds; ++i)
    x = x * 0.5f + y;
  out[4 * g] = x + a * 3;
  out[4 * g + 1] = b;
  out[4 * g + 2] = -c / 2;
  out[4 * g + 3] = q.x + dot(q, q);
}

// In an array that a loop fills; the counter has another type than the indices.
kernel void arrays(global const uint *restrict in, global uint *restrict out) {
  uint g = get_global_id(0);
  uint x[8], kept[8];
  for (uint k = 0; k < 8; ++k)
    x[k] = kept[k] = in[g * 8 + ((uint2)(k ^ 1, 0)).x];
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 8; ++k)
      x[k] = rotate(x[k], 7u) + x[(k + 1) & 7];
  for (int k = 0; k < 8; ++k)
    out[g * 8 + k] = x[k] + kept[k] + kept[7 - k];
}

// Constant memory does not change at a barrier either; vloadN and convert_.
constant int table[4] = {1, 2, 3, 4};
kernel void constants(constant float *weights, global float *out,
                      local float *shared) {
  int l = get_local_id(0), g = get_global_id(0);
  float4 w = vload4(0, weights);
  float t = convert_float(table[l & 3]);
  shared[l] = w.x;
  for (int i = 0; i < 3; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] += 1;
  }
  out[g] = shared[l] + w.y * t;
}

// One loop may cross it and another not; a pointer may lead to it.
kernel void twice(global const int *restrict in, global int *restrict out,
                  int n) {
  int g = get_global_id(0);
  global const int *mine = in + 2 * g;
  int a = mine[0], b = *(mine + 1), sum = a ^ b;
  while (n-- > 0)
    sum = sum / 2 + (b >> 2);
  do
    sum = sum / 2 + (a & 1);
  while (sum > 9);
  out[g] = sum ^ b;
}
//--- inside.cl
// Loaded again in each iteration: indices of all widths, vectors, conversions,
// a pointer, a macro's use; a condition keeps the first value.
#define TWICE(x) ((x) + (x))
kernel void widths(global const uint *restrict in,
                   global const float4 *restrict quads,
                   global const uchar *restrict bytes,
                   global float4 *restrict out, int rounds) {
  size_t g = get_global_id(0);
  int back = -1;
  short narrow = 1;
  ulong wide = g & 3;
  global const uint *mine = in + 4;
  uint a = in[g], b = mine[back], c = in[narrow], d = *(mine + wide);
  float4 q = quads[g & 1 ? 0 : g], r = convert_float4(vload4(g & 7, bytes));
  float4 sum = 0;
  for (uint i = 0; i < (a & 15); ++i) {
    // What an iteration does.
    sum += TWICE(q) * (float)(b + c) - r * (float)d;
    sum.x += a;
  }
  out[g] = sum;
}
// Not restrict, but the only store comes behind all loops.
kernel void before_stores(global const int *in, global int *out, int n) {
  int g = get_global_id(0), sum = 0;
  const int first = in[g];
  for (int j = 0; j < (n & 7); ++j)
    for (long i = -2; i <= j; ++i) { sum += first * (int)i; }
  out[g] = sum;
}
// Constant memory, whatever is written; the outer loop.
kernel void table(constant float *weights, global float *out, local float *t) {
  int l = get_local_id(0), g = get_global_id(0);
  float w = weights[0];
  t[l] = 0;
  for (char i = 0; i < 3; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += w;
  }
  out[g] = t[l];
}
//--- inside-after.cl
// Loaded again in each iteration: indices of all widths, vectors, conversions,
// a pointer, a macro's use; a condition keeps the first value.
#define TWICE(x) ((x) + (x))
kernel void widths(global const uint *restrict in,
                   global const float4 *restrict quads,
                   global const uchar *restrict bytes,
                   global float4 *restrict out, int rounds) {
  size_t g = get_global_id(0);
  int back = -1;
  short narrow = 1;
  ulong wide = g & 3;
  global const uint *mine = in + 4;
  uint a = in[g], b = mine[back], c = in[narrow], d = *(mine + wide);
  float4 q = quads[g & 1 ? 0 : g], r = convert_float4(vload4(g & 7, bytes));
  float4 sum = 0;
  for (uint i = 0; i < (a & 15); ++i) {
    uint a = in[g + (int)((get_work_dim() >> 2) & i)];
    uint b = mine[back + (int)((get_work_dim() >> 2) & i)];
    uint c = in[narrow + (int)((get_work_dim() >> 2) & i)];
    uint d = *((mine + wide) + (int)((get_work_dim() >> 2) & i));
    float4 q = quads[(g & 1 ? 0 : g) + (int)((get_work_dim() >> 2) & i)];
    float4 r = convert_float4(vload4((g & 7) + (int)((get_work_dim() >> 2) & i), bytes));
    // What an iteration does.
    sum += TWICE(q) * (float)(b + c) - r * (float)d;
    sum.x += a;
  }
  out[g] = sum;
}
// Not restrict, but the only store comes behind all loops.
kernel void before_stores(global const int *in, global int *out, int n) {
  int g = get_global_id(0), sum = 0;
  const int first = in[g];
  for (int j = 0; j < (n & 7); ++j)
    for (long i = -2; i <= j; ++i) {
    int first = in[g + (int)((get_work_dim() >> 2) & i)]; sum += first * (int)i; }
  out[g] = sum;
}
// Constant memory, whatever is written; the outer loop.
kernel void table(constant float *weights, global float *out, local float *t) {
  int l = get_local_id(0), g = get_global_id(0);
  float w = weights[0];
  t[l] = 0;
  for (char i = 0; i < 3; ++i) {
    float w = weights[0 + (int)((get_work_dim() >> 2) & i)];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += w;
  }
  out[g] = t[l];
}
//--- stored.cl
// What has been stored by then may be what is loaded: exact only for the last.
kernel void in_loop(global const int *in, global int *out, int n) {
  int g = get_global_id(0), a = in[g];
  for (int i = 0; i < n; ++i) {
    out[g] += a;
  }
}
kernel void in_outer_loop(global const int *in, global int *out, int n) {
  int g = get_global_id(0), a = in[g];
  for (int j = 0; j < n; ++j) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += a;
    }
    out[g + j] = sum;
  }
}
kernel void ahead(global const int *in, global int *out, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
  vstore2((int2)(a), g, out);
  for (int i = 0; i < n; ++i) {
    sum += a;
  }
  out[2 * g] = sum;
}
kernel void no_store(global const int *in, global int *out, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a;
  }
  out[g] = sum;
}
//--- unfilled.cl
kernel void some(global const uint *restrict in, global uint *restrict out, uint n) {
  uint g = get_global_id(0), sum = 0, s = g;
  uint kept[16];
  for (uint k = 0; k < n; ++k)
    kept[k] = in[g * n + k];
  for (int i = 0; i < 100; ++i)
    s = s * 3 + 1;
  for (uint k = 0; k < 16; ++k)
    sum += kept[k] & (k < n ? 0xffffffff : 0);
  out[g] = sum + s;
}
kernel void perhaps(global const uint *restrict in, global uint *restrict out, uint n) {
  uint g = get_global_id(0), s = g;
  uint kept[4];
  for (uint k = 0; k < 4; ++k)
    if (g + k < n)
      kept[k] = in[g + k];
  for (int i = 0; i < 100; ++i)
    s = s * 3 + 1;
  out[g] = s + (g < n ? kept[0] : 0);
}
kernel void ends(global const uint *restrict in, global uint *restrict out, uint n) {
  uint g = get_global_id(0), s = g;
  uint kept[4];
  for (uint k = 0; k < 4; ++k) {
    if (g + k >= n)
      break;
    kept[k] = in[g + k];
  }
  for (int i = 0; i < 100; ++i)
    s = s * 3 + 1;
  out[g] = s + (g < n ? kept[0] : 0);
}
//--- declines.cl
#define FIRST in[0]
#define USE(x) (x)
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
kernel void hidden(global const int *restrict in, global int *restrict out, int n) {
  int a = FIRST, sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  out[get_global_id(0)] = sum + a;
}
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
kernel void hidden_use(global const int *restrict in, global int *restrict out, int n) {
  int a = in[0], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  out[get_global_id(0)] = sum + USE(a);
}
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
kernel void renamed(global const int *restrict in, global int *restrict out, int n) {
  int at = 1, a = in[at], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
#define at 0
  out[get_global_id(0)] = sum + a;
#undef at
}
// CHECK: declined reload: a jump may pass over the load or come back before it, or a directive stands between the load and its use
kernel void jumps(global const int *in, global int *out, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
again:
  for (int i = 0; i < n; ++i) {
    sum += a;
  }
  out[g] = sum;
  if (n-- > 1)
    goto again;
}
// CHECK: declined reload: a jump may pass over the load or come back before it, or a directive stands between the load and its use
kernel void case_in_loop(constant uint *in, global uint *out, int n) {
  uint g = get_global_id(0), w = in[g], s = 0;
  switch (n & 1) {
  case 0:
    for (int i = 0; i < 4; ++i) {
      s += w * 2;
  case 1:
      i = 3;
      s += w;
    }
  }
  out[g] = s;
}
// CHECK: declined reload: a jump may pass over the load or come back before it, or a directive stands between the load and its use
kernel void other_build(constant uint *in, global uint *out, int n) {
  uint g = get_global_id(0), w = in[g], s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 3 + i;
#ifdef OTHER
  g = 0;
#endif
  out[get_global_id(0)] = s + w;
}
// CHECK: declined reload: a variable that the load depends on is changed in the function
kernel void changed(global const int *restrict in, global int *restrict out, int n) {
  int a = in[n], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  n = 0;
  out[get_global_id(0)] = sum + a;
}
// CHECK: declined reload: a variable that the load depends on is changed in the function
kernel void moved(global const int *restrict in, global int *restrict out, int n) {
  int a = *in, sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  in += 4;
  out[get_global_id(0)] = sum + a;
}
// The index of the fill has to be known where the element is read.
// CHECK: declined reload: a variable that the load depends on is changed in the function
kernel void inner_name(global const int *restrict in, global int *restrict out, int n) {
  int kept[4], sum = 0;
  for (int k = 0; k < 4; ++k) {
    int square = k * k;
    kept[k] = in[square];
  }
  for (int i = 0; i < n; ++i)
    sum += i;
  out[get_global_id(0)] = sum + kept[2];
}
// CHECK: declined reload: a name in the load means something else in another place
kernel void shadowed(global const int *restrict in, global int *restrict out, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  {
    int g = get_global_id(0) + 1;
    out[g - 1] = sum + a;
  }
}
// CHECK: declined reload: the function may wait for other work-items, or calls something that may write memory
kernel void waits(global const int *restrict in, global int *restrict out, int n) {
  int a = in[0], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = sum + a;
}
void write_to(global int *p) { *p = 1; }
// CHECK: declined reload: the function may wait for other work-items, or calls something that may write memory
kernel void calls(global const int *restrict in, global int *restrict out, int n) {
  int a = in[0], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  write_to(out + get_global_id(0));
  out[get_global_id(0)] += sum + a;
}
// What the pointer was initialised with is not where it leads.
// CHECK: declined reload: the memory is neither constant nor only read: the pointer is no argument that points to const, or const is cast away: 'r[0]'
kernel void led_elsewhere(global const uint *restrict a, global uint *out, uint n) {
  uint g = get_global_id(0);
  global const uint *q = a;
  if (n > 2)
    q = out;
  global const uint *r = q + g;
  uint w = r[0];
  for (uint k = 0; k < 4; ++k)
    out[g] = out[g] * 3 + k;
  out[g] += w;
}
// CHECK: declined reload: the memory is neither constant nor only read: the pointer is no argument that points to const, or const is cast away
kernel void in_place(global int *restrict data, int n) {
  int g = get_global_id(0), a = data[g], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  data[g] = sum;
  data[g] += a;
}
// CHECK: declined reload: the memory is neither constant nor only read: the pointer is no argument that points to const, or const is cast away
kernel void cast_away(global const int *restrict in, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  global int *out = (global int *)in;
  out[g] = sum;
  out[g] += a;
}
// CHECK: declined reload: the memory is neither constant nor only read: the pointer is no argument that points to const, or const is cast away
kernel void in_local(global int *restrict out, local const int *shared, int n) {
  int a = shared[get_local_id(0)], sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  out[get_global_id(0)] = sum + a;
}
// Nothing to do: values that change, are used in the loop, often behind it, or
// are no loads alone; an array that is filled twice, or handed on; an index that
// is itself loaded; volatile memory.
int first(int *p) { return *p; }
kernel void nothing(global const int *restrict in, global int *restrict out,
                    global const volatile int *restrict flag, int n) {
  int g = get_global_id(0), sum = 0;
  int a = in[0], c = in[2] * 2, d = in[in[3]], e = *flag, f;
  int two[2], given[2];
  f = in[4];
  for (int k = 0; k < 2; ++k) {
    two[k] = in[k];
    given[k] = in[k];
  }
  two[0] = 1;
  a += 1;
  int b = in[1], often = in[5];
  for (int i = 0; i < n; ++i)
    sum += b;
  out[g] = sum + a + b + c + d + e + f + two[0] + first(given);
  out[g] += often * often + often * often;
}
// In the loop: names that mean something else there, macros, jumps over it.
// CHECK: declined reload: a name in the load means something else in another place
kernel void inside_shadowed(global const int *restrict in, global int *restrict out, int n) {
  int g = get_global_id(0), a = in[g], sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a;
    int a = i;
    sum += a;
  }
  out[g] = sum;
}
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
kernel void inside_hidden(global const int *restrict in, global int *restrict out, int n) {
  int a = FIRST, sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a;
  }
  out[get_global_id(0)] = sum;
}
// CHECK: declined reload: a variable that the load depends on is changed in the function
kernel void inside_changed(global const int *restrict in, global int *restrict out, int n) {
  int a = in[n], sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a;
    --n;
  }
  out[get_global_id(0)] = sum;
}
// CHECK: declined reload: the function may wait for other work-items, or calls something that may write memory
kernel void inside_waits(global const int *in, global int *out, int n) {
  int a = in[0], sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
// CHECK: declined reload: the memory is neither constant nor only read: the pointer is no argument that points to const, or const is cast away
kernel void inside_in_place(global int *restrict data, int n) {
  int g = get_global_id(0), a = data[g];
  for (int i = 0; i < n; ++i) {
    data[g] = data[g] * 3 + a;
  }
}
// No block, no counter of its own, an array: nothing is done.
kernel void inside_nothing(global const int *restrict in, global int *restrict out, int n) {
  int a = in[0], kept[2], sum = 0, i;
  for (int k = 0; k < 2; ++k)
    kept[k] = in[k] * a;
  int b[2];
  for (int k = 0; k < 2; ++k)
    b[k] = in[k], sum += a;
  for (i = 0; i < n; ++i) {
    sum += a + b[i & 1];
  }
  while (i-- > 0) {
    sum += a + b[i & 1];
  }
  for (int k = 0; k < 2; ++k) {
    sum += kept[k] + b[k];
  }
  out[get_global_id(0)] = sum;
}
// A macro makes the kernel, with a value behind a loop or in it.
#define ROUNDS(name, last)                                                     \
  kernel void name(global const uint *restrict in, global uint *out, int n) {  \
    int g = get_global_id(0);                                                  \
    uint s = in[g], x = 1;                                                     \
    for (int i = 0; i < n; ++i) {                                              \
      x = x * 7u + last;                                                       \
    }                                                                          \
    out[g] = x + s;                                                            \
  }
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
ROUNDS(behind, 1u)
// CHECK: declined reload: the load or a later use of it comes from a macro or holds a directive, or a name in it is a macro somewhere
ROUNDS(within, s)
//--- assumes.cl
// Its loop runs as often as its own numbers say, since verification tries these.
kernel void mixed(global const uint *seed, global const uint *restrict key,
                  global uint *out, int rounds) {
  int g = get_global_id(0);
  uint a = seed[g], b = key[g], x = a ^ b;
  for (int i = 0; i < rounds; ++i)
    x = x * 109u + 89u;
  out[g] = x + a;
}
//--- after.cl
// The state that is added at the end, in scalars: same type, converted, lanes.
kernel void scalars(global const uint *restrict in,
                    global const uchar *restrict bytes,
                    global const float4 *restrict quads,
                    global float *restrict out, int rounds) {
  int g = get_global_id(0);
  const uint a = in[2 * g], b = in[2 * g + 1] /* the second */;
  int c = bytes[g];
  float4 q = quads[g];
  float x = a ^ b, y = c;
  for (int i = 0; i < rounds; ++i)
    x = x * 0.5f + y;
  out[4 * g] = x + in[2 * g] * 3;
  out[4 * g + 1] = in[2 * g + 1];
  out[4 * g + 2] = -((int)bytes[g]) / 2;
  out[4 * g + 3] = quads[g].x + dot(quads[g], quads[g]);
}

// In an array that a loop fills; the counter has another type than the indices.
kernel void arrays(global const uint *restrict in, global uint *restrict out) {
  uint g = get_global_id(0);
  uint x[8], kept[8];
  for (uint k = 0; k < 8; ++k)
    x[k] = kept[k] = in[g * 8 + ((uint2)(k ^ 1, 0)).x];
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 8; ++k)
      x[k] = rotate(x[k], 7u) + x[(k + 1) & 7];
  for (int k = 0; k < 8; ++k)
    out[g * 8 + k] = x[k] + in[g * 8 + ((uint2)((uint)k ^ 1, 0)).x] + in[g * 8 + ((uint2)((uint)(7 - k) ^ 1, 0)).x];
}

// Constant memory does not change at a barrier either; vloadN and convert_.
constant int table[4] = {1, 2, 3, 4};
kernel void constants(constant float *weights, global float *out,
                      local float *shared) {
  int l = get_local_id(0), g = get_global_id(0);
  float4 w = vload4(0, weights);
  float t = convert_float(table[l & 3]);
  shared[l] = w.x;
  for (int i = 0; i < 3; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] += 1;
  }
  out[g] = shared[l] + vload4(0, weights).y * t;
}

// One loop may cross it and another not; a pointer may lead to it.
kernel void twice(global const int *restrict in, global int *restrict out,
                  int n) {
  int g = get_global_id(0);
  global const int *mine = in + 2 * g;
  int a = mine[0], b = *(mine + 1), sum = a ^ b;
  while (n-- > 0)
    sum = sum / 2 + (b >> 2);
  do
    sum = sum / 2 + (mine[0] & 1);
  while (sum > 9);
  out[g] = sum ^ (*(mine + 1));
}
//--- assumes-after.cl
// Its loop runs as often as its own numbers say, since verification tries these.
kernel void mixed(global const uint *seed, global const uint *restrict key,
                  global uint *out, int rounds) {
  int g = get_global_id(0);
  uint a = seed[g], b = key[g], x = a ^ b;
  for (int i = 0; i < rounds; ++i)
    x = x * 109u + 89u;
  out[g] = x + seed[g];
}
//--- reload.cl
// A value read again behind a store to it.
kernel void k(global int *p, int n) {
  int i = get_global_id(0), v = p[i];
  for (int j = 0; j < 3; ++j)
    p[i] += v;
}
//--- reload-wrong.cl
kernel void k(global int *p, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < 3; ++j)
    p[i] += p[i];
}
