// reroll: which statements repeat, what is written for what differs, and the
// runs that are declined.
//
// PAIR: before.cl after.cl
// PAIR: before.cl table.cl --alternative=table
// WRONG: after.cl taps (-1 + term) => (term - 2)
//
// LLVM 20 keeps another alternative of taps.cl, table-by-2.
// UNSUPPORTED: llvm-20
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/two.cl
// RUN: clrewrite --only=reroll --alternative=rolled-by-2 --verify=off --no-measure --fix %t/two.cl
// RUN: grep -c "opencl_unroll_hint(2)" %t/two.cl | FileCheck %s --check-prefix=TWO
// TWO: 1
//
// Many wide loads become one: more waves at no cost.
// RUN: not clrewrite --only=reroll --verify=off --target=gfx600 --only-target %t/taps.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: reroll [rolled-by-4] (exact): gfx600: occupancy rises from 3 to 10

// Products that the compiler computes, and choices that it makes, would be the device's.
// RUN: not clrewrite --only=reroll --verify=off --no-measure %t/folded.cl | FileCheck %s --check-prefix=FOLDED --implicit-check-not=legal:
// FOLDED: folded.cl:39: legal: reroll

//--- before.cl
// Numbers and names that differ; comments stay.
kernel void taps(global const float *in, global float *out, int w, float k0,
                 float k1) {
  int i = get_global_id(0) + w;
  float s = 0, t = 0;
  s += k0 * in[i - 1]; // left
  t -= in[i - 1];
  s += k1 * in[i]; // middle
  t -= in[i];
  s += -k0 * in[i + 1]; // right
  t -= in[i + 1];
  out[2 * get_global_id(0)] = s;
  out[2 * get_global_id(0) + 1] = t;
}
// The roles of two variables rotate; the statements come from a macro, and its
// arguments differ.
#define ROUND(a, b, k) a += rotate(b ^ k, 7u) * (5u | k);
kernel void rounds(global uint *p) {
  global uint *q = p + 4 * get_global_id(0);
  uint a = q[0], b = q[1];
  ROUND(a, b, 0x11u)
  ROUND(b, a, 0x22u)
  ROUND(a, b, 0x5fu);
  ROUND(b, a, 0x7au)
  ROUND(a, b, 0x13u)
  ROUND(b, a, 0x45u)
  q[0] = a;
  q[1] = b;
}
// Each group has variables of its own. Floats keep their order.
kernel void blocks(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum = in[i];
  float4 v0 = in[i + n];
  float4 w0 = fma(v0, v0, 1.0f);
  sum += w0 * (float4)(1, 2, 3, 0.5f);
  sum *= (float4)(0.5f);
  float4 v1 = in[i + 2 * n];
  float4 w1 = fma(v1, v1, 2.0f);
  sum += w1 * (float4)(1, 4, 3, 0.25f);
  sum *= (float4)(0.5f);
  float4 v2 = in[i + 3 * n];
  float4 w2 = fma(v2, v2, 7.0f);
  sum += w2 * (float4)(1, 6, 3, -0.25f);
  sum *= (float4)(0.5f);
  out[i] = sum;
}
// Blocks, branches and loops.
kernel void nested(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = 0, m = 0;
  {
    int v = in[i];
    if (v > 3)
      s += v & 255;
    for (int j = 0; j < n; ++j)
      m = max(m, in[i + j] & v);
  }
  {
    int u = in[i + 1];
    if (u > 5)
      s += u & 255;
    for (int k = 0; k < n; ++k)
      m = max(m, in[i + k] & u);
  }
  out[i] = s + m;
}
// Nothing differs. A macro that makes several statements is one group.
#define STEP                                                                   \
  a += b;                                                                      \
  b = rotate(b, 13u) ^ a;                                                      \
  a = rotate(a, 16u) + 1;
kernel void equal(global uint *p) {
  global uint *q = p + 2 * get_global_id(0);
  uint a = q[0], b = q[1];
  STEP
  STEP
  STEP
  STEP
  q[0] = a;
  q[1] = b;
}
// Stores stay in order, also where they may overwrite what is read next.
kernel void stores(global int *p) {
  global int *q = p + 8 * get_global_id(0);
  q[1] = q[0] * 3 + q[2];
  q[2] = q[1] * 5 + q[3];
  q[3] = q[2] * 9 + q[4];
  // A pointer may differ, and what the counter multiplies.
  int e = q[4];
  q[6] ^= *(q + 1) * e;
  q[6] ^= *(q + 1 + e % 2) * e;
  q[7] += q[e & 1];
  q[7] += q[(e & 1) + 2 * (e & 1)];
}
//--- after.cl
// Numbers and names that differ; comments stay.
kernel void taps(global const float *in, global float *out, int w, float k0,
                 float k1) {
  int i = get_global_id(0) + w;
  float s = 0, t = 0;
  // middle
  // right
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term) {
    s += (term == 0 ? k0 : term == 1 ? k1 : (-k0)) * in[(i + (-1 + term))]; // left
    t -= in[(i + (-1 + term))];
  }
  out[2 * get_global_id(0)] = s;
  out[2 * get_global_id(0) + 1] = t;
}
// The roles of two variables rotate; the statements come from a macro, and its
// arguments differ.
#define ROUND(a, b, k) a += rotate(b ^ k, 7u) * (5u | k);
kernel void rounds(global uint *p) {
  global uint *q = p + 4 * get_global_id(0);
  uint a = q[0], b = q[1];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term) {
    ROUND(a, b, (term == 0 ? 0x11u : term == 1 ? 0x5fu : 0x13u))
    ROUND(b, a, (term == 0 ? 0x22u : term == 1 ? 0x7au : 0x45u))
  }
  q[0] = a;
  q[1] = b;
}
// Each group has variables of its own. Floats keep their order.
kernel void blocks(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum = in[i];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term) {
    float4 v0 = in[(i + (1 + term) * n)];
    float4 w0 = fma(v0, v0, (term == 0 ? 1.0f : term == 1 ? 2.0f : 7.0f));
    sum += w0 * (float4)(1, (2 + 2 * term), 3, (term == 0 ? 0.5f : term == 1 ? 0.25f : (-0.25f)));
    sum *= (float4)(0.5f);
  }
  out[i] = sum;
}
// Blocks, branches and loops.
kernel void nested(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = 0, m = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term) {
    {
      int v = in[(i + term)];
      if (v > (3 + 2 * term))
        s += v & 255;
      for (int j = 0; j < n; ++j)
        m = max(m, in[i + j] & v);
    }
  }
  out[i] = s + m;
}
// Nothing differs. A macro that makes several statements is one group.
#define STEP                                                                   \
  a += b;                                                                      \
  b = rotate(b, 13u) ^ a;                                                      \
  a = rotate(a, 16u) + 1;
kernel void equal(global uint *p) {
  global uint *q = p + 2 * get_global_id(0);
  uint a = q[0], b = q[1];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 4; ++term) {
    STEP
  }
  q[0] = a;
  q[1] = b;
}
// Stores stay in order, also where they may overwrite what is read next.
kernel void stores(global int *p) {
  global int *q = p + 8 * get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term)
    q[(1 + term)] = q[(term)] * (term == 0 ? 3 : term == 1 ? 5 : 9) + q[(2 + term)];
  // A pointer may differ, and what the counter multiplies.
  int e = q[4];
  __attribute__((opencl_unroll_hint(1)))
  for (int term2 = 0; term2 < 2; ++term2)
    q[6] ^= *(((q + 1) + term2 * (e % 2))) * e;
  __attribute__((opencl_unroll_hint(1)))
  for (int term3 = 0; term3 < 2; ++term3)
    q[7] += q[((e & 1) + 2 * term3 * (e & 1))];
}
//--- table.cl
// Numbers and names that differ; comments stay.
kernel void taps(global const float *in, global float *out, int w, float k0,
                 float k1) {
  int i = get_global_id(0) + w;
  float s = 0, t = 0;
  s += k0 * in[i - 1]; // left
  t -= in[i - 1];
  s += k1 * in[i]; // middle
  t -= in[i];
  s += -k0 * in[i + 1]; // right
  t -= in[i + 1];
  out[2 * get_global_id(0)] = s;
  out[2 * get_global_id(0) + 1] = t;
}
// The roles of two variables rotate; the statements come from a macro, and its
// arguments differ.
#define ROUND(a, b, k) a += rotate(b ^ k, 7u) * (5u | k);
__constant uint ROLLED_rounds_1[3] = {
    0x11u, 0x5fu, 0x13u};

__constant uint ROLLED_rounds_2[3] = {
    0x22u, 0x7au, 0x45u};

kernel void rounds(global uint *p) {
  global uint *q = p + 4 * get_global_id(0);
  uint a = q[0], b = q[1];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term) {
    ROUND(a, b, (ROLLED_rounds_1[term]))
    ROUND(b, a, (ROLLED_rounds_2[term]))
  }
  q[0] = a;
  q[1] = b;
}
__constant float ROLLED_blocks_1[3] = {
    1.0f, 2.0f, 7.0f};

__constant float ROLLED_blocks_2[3] = {
    0.5f, 0.25f, -0.25f};

// Each group has variables of its own. Floats keep their order.
kernel void blocks(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum = in[i];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term) {
    float4 v0 = in[(i + (1 + term) * n)];
    float4 w0 = fma(v0, v0, (ROLLED_blocks_1[term]));
    sum += w0 * (float4)(1, (2 + 2 * term), 3, (ROLLED_blocks_2[term]));
    sum *= (float4)(0.5f);
  }
  out[i] = sum;
}
// Blocks, branches and loops.
kernel void nested(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = 0, m = 0;
  {
    int v = in[i];
    if (v > 3)
      s += v & 255;
    for (int j = 0; j < n; ++j)
      m = max(m, in[i + j] & v);
  }
  {
    int u = in[i + 1];
    if (u > 5)
      s += u & 255;
    for (int k = 0; k < n; ++k)
      m = max(m, in[i + k] & u);
  }
  out[i] = s + m;
}
// Nothing differs. A macro that makes several statements is one group.
#define STEP                                                                   \
  a += b;                                                                      \
  b = rotate(b, 13u) ^ a;                                                      \
  a = rotate(a, 16u) + 1;
kernel void equal(global uint *p) {
  global uint *q = p + 2 * get_global_id(0);
  uint a = q[0], b = q[1];
  STEP
  STEP
  STEP
  STEP
  q[0] = a;
  q[1] = b;
}
__constant int ROLLED_stores_1[3] = {
    3, 5, 9};

// Stores stay in order, also where they may overwrite what is read next.
kernel void stores(global int *p) {
  global int *q = p + 8 * get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 3; ++term)
    q[(1 + term)] = q[(term)] * (ROLLED_stores_1[term]) + q[(2 + term)];
  // A pointer may differ, and what the counter multiplies.
  int e = q[4];
  q[6] ^= *(q + 1) * e;
  q[6] ^= *(q + 1 + e % 2) * e;
  q[7] += q[e & 1];
  q[7] += q[(e & 1) + 2 * (e & 1)];
}
//--- taps.cl
kernel void gauss(global const uchar *restrict in, global uchar *restrict out,
                  int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  global const uchar *p = in + y * pitch;
  ushort8 s = convert_ushort8(vload8(x, p)) * (ushort)1;
  s += convert_ushort8(vload8(x, p + pitch)) * (ushort)8;
  s += convert_ushort8(vload8(x, p + 2 * pitch)) * (ushort)28;
  s += convert_ushort8(vload8(x, p + 3 * pitch)) * (ushort)56;
  s += convert_ushort8(vload8(x, p + 4 * pitch)) * (ushort)70;
  s += convert_ushort8(vload8(x, p + 5 * pitch)) * (ushort)56;
  s += convert_ushort8(vload8(x, p + 6 * pitch)) * (ushort)28;
  s += convert_ushort8(vload8(x, p + 7 * pitch)) * (ushort)8;
  s += convert_ushort8(vload8(x, p + 8 * pitch)) * (ushort)1;
  vstore8(convert_uchar8((s + (ushort)128) >> (ushort)8), x, out + y * pitch);
}
//--- folded.cl
kernel void c1(global float *out, global const float *in, float d) {
  float s = out[0];
  s += 0.1f * 0.3f + in[0] * d;
  s += 0.7f * 0.3f + in[1] * d;
  s += 0.9f * 0.3f + in[2] * d;
  out[0] = s;
}
kernel void c2(global float *out, global const float *in, float d) {
  float s = out[0];
  s += 1 ? in[0] * d : 0.0f;
  s += 0 ? in[1] * d : 0.0f;
  s += 1 ? in[2] * d : 0.0f;
  out[0] = s;
}
kernel void c4(global float *out, global const float *in, float d) {
  float s = out[0];
  s = (float)(1 * 3) * 0.1f + in[0] * d + s;
  s = (float)(2 * 3) * 0.1f + in[1] * d + s;
  s = (float)(3 * 3) * 0.1f + in[2] * d + s;
  out[0] = s;
}
kernel void c5(global float *out, global const float *in, float d) {
  float s = out[0];
  s = 1 * 0.1f + in[0] * d + s;
  s = 2 * 0.1f + in[1] * d + s;
  s = 3 * 0.1f + in[2] * d + s;
  out[0] = s;
}
kernel void c6(global float *out, global const float *in, float d, int n) {
  float s = out[0];
  s += 1 ? in[0] * d : 0.0f;
  s += n ? in[1] * d : 0.0f;
  s += 1 ? in[2] * d : 0.0f;
  out[0] = s;
}
// The products stay constants, or are none of constants.
kernel void same(global float *out, global const float *in, float d) {
  float s = out[0];
  s += 2.0f * 0.3f * in[0] + 0.1f * d;
  s += 2.0f * 0.3f * in[1] + 0.7f * d;
  s += 2.0f * 0.3f * in[2] + 0.9f * d;
  out[0] = s;
}
//--- declines.cl
#define GLUE(n) s += in[i + 1##n] * 2;
kernel void declined(global const int *in, global int *out,
                     global const float *f, local int *l) {
  int i = get_global_id(0), s = 0;
  // CHECK: declined reroll: what must change comes from a macro's body, or a preprocessor directive stands between the statements
  GLUE(1)
  GLUE(2)
  out[i] = s;
  // CHECK: declined reroll: what must change comes from a macro's body, or a preprocessor directive stands between the statements
  s += in[i] * 2;
#ifdef MORE
#endif
  s += in[i + 1] * 2;
  out[i] = s;
  // CHECK: declined reroll: a variable that a repetition declares is used after it, or a pointer may lead to it
  int a = in[i + 1] * 3;
  s += a;
  int b = in[i + 2] * 3;
  s += b;
  out[i] = a + b;
  // CHECK: declined reroll: the statements wait, order memory, or call something unknown: a barrier, a fence, an atomic or asynchronous operation
  l[i] = in[i + 1] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  l[i] = in[i + 2] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = s;
  // CHECK: declined reroll: the statements wait, order memory, or call something unknown: a barrier, a fence, an atomic or asynchronous operation
  atomic_add(out + in[i], 1);
  atomic_add(out + in[i + 1], 1);
  out[i] = s;
  float x = 0;
  // CHECK: declined reroll: what differs from repetition to repetition may reach a division of floats, or a function whose last bits are open: compilers may round those otherwise where the operand is a constant
  x += f[i] / 3.0f;
  x += f[i] / 4.0f;
  out[i] = x;
  // CHECK: declined reroll: what differs from repetition to repetition may reach a division of floats, or a function whose last bits are open: compilers may round those otherwise where the operand is a constant
  x += pow(f[i], 2.0f);
  x += pow(f[i], 3.0f);
  out[i] = x;
  int c = in[0], d = in[1], e = in[2];
  // CHECK: declined reroll: what differs from repetition to repetition is no number and no sum of the counter, so that the loop would have to choose among more than eight values, or among variables alone
  s ^= (c * i + 1) * (s | 3) + (c ^ 2);
  s ^= (d * i + 1) * (s | 3) + (c ^ 2);
  s ^= (e * i + 1) * (s | 3) + (c ^ 2);
  out[i] = s;
}
// What is no run: declarations alone, other variables, operators, types, vectors, values with side
// effects, a jump, a value that the block gives.
kernel void not_sites(global const int *in, global int *out,
                      global const uint *u, global const float4 *v, int n) {
  int i = get_global_id(0), s = 0, t = 0;
  int first = in[i] * 2;
  int second = in[i + 1] * 2;
  out[i] = first - second;
  s += in[i] * 2;
  t += in[i + 1] * 2;
  out[i] = s;
  s += in[i] * 2;
  s -= in[i + 1] * 2;
  out[i] = s;
  s += in[i] * 2;
  s += u[i] * 2;
  out[i] = s;
  s += in[n++] * 2;
  s += in[n--] * 2;
  out[i] = s;
  float4 a = v[0], b = v[1], c = 0;
  c += a * v[i] + 2;
  c += b * v[i] + 3;
  vstore4(convert_int4(c), i, out);
  while (n) {
    if (in[n] > 3)
      break;
    if (in[n + 1] > 5)
      break;
    --n;
  }
  char k = 1, l = 2;
  s += in[i] * k;
  s += in[i] * l;
  out[i] = s;
}

// A macro makes all groups.
#define TAPS(name)                                                             \
  kernel void name(global const float *in, global float *out) {                \
    int i = get_global_id(0);                                                  \
    float s = 0;                                                               \
    s += in[i + 1] * 3.0f;                                                     \
    s += in[i + 2] * 5.0f;                                                     \
    s += in[i + 3] * 9.0f;                                                     \
    out[i] = s;                                                                \
  }
// CHECK: declined reroll: what must change comes from a macro's body, or a preprocessor directive stands between the statements
TAPS(taps)
//--- endless.cl
// A loop that never ends.
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), v = in[i] & 7;
  while (v > 0)
    --v;
  out[i] = v;
}
//--- endless-wrong.cl
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0);
  volatile int v = in[i] & 7;
  while (v != 8) // undefined: it never ends
    v = v & 3;
  out[i] = v;
}
