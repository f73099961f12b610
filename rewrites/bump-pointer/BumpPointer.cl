// bump-pointer: what moves, what is shared, and what is declined.
//
// PAIR: before.cl after.cl
// RACES: after.cl --kernel=product
// DECLINES: ulong.cl
//
// Nothing but a measurement can justify it: unnamed, it needs one.
// RUN: split-file %s %t
// RUN: not clrewrite --no-measure --verify=off %t/before.cl | not grep " bump-pointer"

//--- before.cl
// Two arrays with one index; an index that needs one term beside it; one of
// another step; a counter that falls, and one that moves by two.
kernel void rows(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), n = get_global_size(0);
  float s = 0;
  for (int y = 0; y < h; y++) {
    s += in[y * w + x] + in[(y + 1) * w + x]; // the next row too
    s -= *(in + (y - 1) * w + 2 * w + x);
    if (y == 3)
      continue;
    out[n * (2 * y) + x] = s;
  }
  for (int y = h - 1; y >= 0; --y)
    out[(2 * y + 1) * n + x] = s * in[y * w + x];
  for (size_t k = 2; k < h; k += 2)
    out[2 * n * k + x] += in[k * w + x];
}
// Loops within: their counters stay; divisions by a number move.
kernel void product(global const float4 *a, global const float4 *b,
                    global float4 *c, int n, int k) {
  size_t x = get_global_id(0);
  float4 sum = 0;
  for (int t = -1; t < k / 4; ++t)
    for (int i = 0; i < 4; ++i)
      sum += a[(4 * t + i + 4) * (n / 4) + x] * vload4(0, (global const float *)(b + (t + 1) * (k / 4)));
  c[x] = sum;
}
// Not in uint, which wraps elsewhere; not by what changes in the loop or is
// declared twice; not an array of its own; not where nothing is multiplied.
kernel void stays(global const float *in, global float *out, uint u, int w) {
  int x = get_global_id(0);
  float s = 0, own[8];
  for (int k = 0; k < 8; ++k) {
    own[k * w & 7] = k;
    s += in[k * u + x] + in[k + x] + in[k * k * w];
  }
  for (int k = 0; k < 8; ++k) {
    s += in[k * x];
    x += 1;
  }
  for (uint k = 0; k < u; ++k)
    s += in[k * w];
  for (int k = 0; k < 8; ++k) {
    int z = k & 1;
    s += in[k * z];
  }
  for (int k = 0; k < 9; ++k) {
    s += in[k * w];
    k += s > 3;
  }
  out[get_global_id(0)] = s + own[w & 7];
}
//--- after.cl
// Two arrays with one index; an index that needs one term beside it; one of
// another step; a counter that falls, and one that moves by two.
kernel void rows(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), n = get_global_size(0);
  float s = 0;
  ulong at_a = (ulong)x;
  ulong at_b = (ulong)x;
  for (int y = 0; y < h; y++, at_a += (ulong)w, at_b += (ulong)n * 2) {
    s += in[(long)at_a] + in[(long)(at_a + (ulong)w)]; // the next row too
    s -= *(in + (long)(at_a + -(ulong)w - (ulong)x) + 2 * w + x);
    if (y == 3)
      continue;
    out[(long)at_b] = s;
  }
  ulong at_a2 = (ulong)n * (h - 1) * 2 + (ulong)n + (ulong)x;
  ulong at_b2 = (ulong)w * (h - 1) + (ulong)x;
  for (int y = h - 1; y >= 0; --y, at_a2 += -(ulong)n * 2, at_b2 += -(ulong)w)
    out[(long)at_a2] = s * in[(long)at_b2];
  ulong at_a3 = (ulong)n * 4 + (ulong)x;
  ulong at_b3 = (ulong)w * 2 + (ulong)x;
  for (size_t k = 2; k < h; k += 2, at_a3 += (ulong)n * 4, at_b3 += (ulong)w * 2)
    out[(long)at_a3] += in[(long)at_b3];
}
// Loops within: their counters stay; divisions by a number move.
kernel void product(global const float4 *a, global const float4 *b,
                    global float4 *c, int n, int k) {
  size_t x = get_global_id(0);
  float4 sum = 0;
  ulong at_a = (ulong)(n / 4) * (-1) * 4 + (ulong)(n / 4) * 4 + (ulong)x;
  ulong at_b = (ulong)(k / 4) * (-1) + (ulong)(k / 4);
  for (int t = -1; t < k / 4; ++t, at_a += (ulong)(n / 4) * 4, at_b += (ulong)(k / 4))
    for (int i = 0; i < 4; ++i)
      sum += a[(long)(at_a + (ulong)i * (n / 4))] * vload4(0, (global const float *)(b + (long)at_b));
  c[x] = sum;
}
// Not in uint, which wraps elsewhere; not by what changes in the loop or is
// declared twice; not an array of its own; not where nothing is multiplied.
kernel void stays(global const float *in, global float *out, uint u, int w) {
  int x = get_global_id(0);
  float s = 0, own[8];
  for (int k = 0; k < 8; ++k) {
    own[k * w & 7] = k;
    s += in[k * u + x] + in[k + x] + in[k * k * w];
  }
  for (int k = 0; k < 8; ++k) {
    s += in[k * x];
    x += 1;
  }
  for (uint k = 0; k < u; ++k)
    s += in[k * w];
  for (int k = 0; k < 8; ++k) {
    int z = k & 1;
    s += in[k * z];
  }
  for (int k = 0; k < 9; ++k) {
    s += in[k * w];
    k += s > 3;
  }
  out[get_global_id(0)] = s + own[w & 7];
}
//--- declines.cl
#define UP ++k
// CHECK: declined bump-pointer: the loop's head comes from a macro
// CHECK: declined bump-pointer: the loop is the body of another statement, without braces around it
// CHECK: declined bump-pointer: a jump leads into the loop
kernel void loops(global float *p, int w, int n) {
  int x = get_global_id(0);
  for (int k = 0; k < n; UP)
    p[k * w + x] = 1;
  if (n > 3)
    for (int k = 0; k < n; ++k)
      p[k * w + x] = 2;
  if (n > 4)
    goto inside;
  for (int k = 0; k < n; ++k) {
  inside:
    p[k * w + x] = 3;
  }
}
// CHECK: declined bump-pointer: more than 8 indices move by steps of their own
kernel void many(global float *p, int n, int16 w) {
  for (int k = 0; k < n; ++k) {
    p[k * w.s0] = p[k * w.s1];
    p[k * w.s2] = p[k * w.s3];
    p[k * w.s4] = p[k * w.s5];
    p[k * w.s6] = p[k * w.s7];
    p[k * w.s8] = 1;
  }
}
// CHECK: declined bump-pointer: an index moves by a step of more than 2^24
kernel void steps(global float *p, int w, int n) {
  for (int k = 0; k < n; k += 1048576)
    p[k * w * 1024] = 1;
}
// A macro makes the kernel; another one only the step.
#define COLUMN_SUM(name)                                                       \
  kernel void name(global const float *in, global float *out, int w, int h) {  \
    float s = 0;                                                               \
    for (int y = 0; y < h; y += 2)                                             \
      s += in[y * w + 1];                                                      \
    out[get_global_id(0)] = s;                                                 \
  }
// CHECK: declined bump-pointer: the loop's step or start, or each index, has something of a macro's body in it
COLUMN_SUM(columns)
#define STEP 2
// CHECK: declined bump-pointer: the loop's step or start, or each index, has something of a macro's body in it
kernel void stepped(global float *p, int w, int h) {
  for (int y = 0; y < h; y += STEP)
    p[y * w] = 1;
}
//--- bump.cl
// The step of a moved index is skipped by a continue.
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 4; ++j) {
    if (j == (in[i] & 3))
      continue;
    sum += in[i * 4 + j];
  }
  out[i] = sum;
}
//--- bump-wrong.cl
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), sum = 0, at = i * 4;
  for (int j = 0; j < 4; ++j) {
    if (j == (in[i] & 3))
      continue;
    sum += in[at];
    at += 1;
  }
  out[i] = sum;
}
//--- ulong.cl
#define ulong int
// CHECK: declined bump-pointer: ulong is a macro in this program
kernel void k(global float *p, int w, int n) {
  int x = get_global_id(0);
  for (int y = 0; y < n; ++y)
    p[y * w + x] = 1;
}
