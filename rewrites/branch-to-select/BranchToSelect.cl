// branch-to-select: the text of branches as choices, and the branches that are declined.
//
// PAIR: before.cl after.cl
// PAIR: forced.cl forced-after.cl --alternative=select
// What stands under an assumption is applied on request only.
// PAIR: assumes.cl assumes-after.cl --unsafe-fixes
// VERIFY: assumes-after.cl --no-overlap
// A name of the program's own hides a built-in function, and a variable of ours
// must hide none of the program's.
// PAIR: own-names.cl own-names-after.cl
// PAIR: own-fields.cl own-fields-after.cl
// PAIR: includes.cl includes-after.cl
// RACES: includes-after.cl no: the recorded device has no folder of headers
// DECLINES: pipes.cl -- -cl-std=CL2.0

//--- before.cl
#define LIMIT 100

kernel void at_least(global const int *in, global int *out, int low) {
  int v = in[get_global_id(0)];
  if (v < low)
    v = low;
  out[get_global_id(0)] = v;
}

kernel void smaller(global const int *a, global const int *b, global int *out) {
  size_t i = get_global_id(0);
  int x = a[i], y = b[i], least;
  if (x >= y)
    least = y;
  else
    least = x;
  out[i] = least;
}

kernel void limited(global const int *in, global short *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  short s = in[i];
  if (v < -LIMIT)
    v = -LIMIT;
  else if (v > LIMIT)
    v = LIMIT;
  if (s > 255)
    s = 255;
  else if (s < 0)
    s = 0;
  out[i] = v + s;
}

// The comparison is unsigned: -1 is above 10 and stays.
kernel void mixed_signs(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  if (v < 10u)
    v = 10u;
  out[i] = v;
}

// The bounds are the wrong way round: this is no clamp.
kernel void crossed(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  if (v < 20)
    v = 20;
  else if (v > 10)
    v = 10;
  out[i] = v;
}

// NaN stays, and so does -0: this is no fmax.
kernel void larger(global const float *a, global const float *b,
                   global float *out) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  if (x < y)
    x = y;
  out[i] = x;
}

kernel void sloped(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float x = in[i];
  // Below zero the slope is less.
  if (x < 0.0f) {
    // It leaks.
    x *= 0.1f; /* a tenth */
  }
  out[i] = x;
}

kernel void graded(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i], grade;
  if (v < 10)
    grade = 0;
  else if (v < 20) {
    if (v & 1)
      grade = 1;
    else
      grade = 2;
  } else
    grade = 3;
  out[i] = grade;
}

kernel void wrapping(global uchar *data, int limit) {
  size_t i = get_global_id(0);
  uchar x = data[i];
  if (limit > 3)
    x += 200;
  else
    --x;
  data[i] = x;
}

kernel void best_of(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int best = 0, where = -1;
  for (int k = 0; k < 8; ++k)
    if (in[8 * i + k] > best) {
      best = in[8 * i + k];
      where = k;
    }
  out[i] = 10 * best + where;
}

kernel void swapped(global int *p, global int *q) {
  size_t i = get_global_id(0);
  int a = p[i], b = q[i], t = 0;
  if (a > b) {
    t = a;
    a = b;
    b = t;
  }
  p[i] = a;
  q[i] = b - t;
}

// The order of the second arm is the only one that suits both.
kernel void reordered(global int *p, int flag) {
  size_t i = get_global_id(0);
  int a = p[i], b = 3;
  if (flag) {
    b = 1;
    a = 2;
  } else {
    a = b;
    b = 7;
  }
  p[i] = 10 * a + b;
}

kernel void lanes(global float4 *data, float s, int flag) {
  size_t i = get_global_id(0);
  float4 v = data[i];
  uchar4 w = convert_uchar4_sat(v);
  if (flag & 4)
    v = s;
  else
    v.xy += (float2)(1.0f, s);
  if (s)
    w++;
  data[i] = v + convert_float4(w);
}

kernel void both_store(global float *out, int n) {
  int i = get_global_id(0);
  if (i > n)
    out[i] = 1;
  else
    out[i] = 2.5f;
}

// Overflow must not come into being: the inner condition stays behind the
// outer one, and select is not offered.
kernel void guarded_sum(global int *out, int n, int m) {
  int i = get_global_id(0), x = 0, y = 0;
  if (n > 1000) {
    x = 1;
  } else if (n + 1000 > m) {
    x = 2;
    y = 3;
  }
  out[i] = x + y;
}

// No other work-item sees a private array.
kernel void bins(global const float *in, global float *out) {
  float best[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = 0; k < 16; ++k)
    if (in[k] > best[k & 3])
      best[k & 3] = in[k];
  out[get_global_id(0)] = best[0] - best[1] + best[2] - best[3];
}

// Nor an array in a private struct.
typedef struct {
  int top[4];
  global int *data;
} Bins;

kernel void bins_in_struct(global const int *in, global int *out) {
  Bins b;
  for (int k = 0; k < 4; ++k)
    b.top[k] = 0;
  for (int k = 0; k < 16; ++k)
    if (in[k] > b.top[k & 3])
      b.top[k & 3] = in[k];
  out[get_global_id(0)] = b.top[0] - b.top[1] + b.top[2] - b.top[3];
}

// v[0] is v.x: the second arm's order is the only one that suits both.
kernel void lane_by_index(global int4 *data, int flag, int a, int b) {
  size_t i = get_global_id(0);
  int4 v = data[i];
  int y = 0;
  if (flag)
    v[0] = a;
  else {
    y = v.x + 1;
    v[0] = b;
  }
  data[i] = v + y;
}

// x is *p.
kernel void through_pointer(global int *out, int flag, int a, int b) {
  int x = 4, y = 0;
  int *p = &x;
  if (flag)
    *p = a;
  else {
    y = x + 1;
    *p = b;
  }
  out[get_global_id(0)] = x + y;
}

kernel void either(global int *out, int a, int b, int flag) {
  int x = out[get_global_id(0)];
  if (flag)
    x = a ?: b;
  out[get_global_id(0)] = x;
}

// Built-in functions that compute and do no more.
kernel void pure_calls(global float4 *data, global int *out, int flag) {
  size_t i = get_global_id(0);
  float4 v = data[i];
  int x = out[i];
  if (flag) {
    x = rotate(x, 3) + mad24(flag, 2, 1) + (int)get_global_linear_id();
    v = mad(v, fmax(v, 2.0f), dot(v, v)) + convert_float4(as_int4(v) & 7);
  }
  data[i] = v;
  out[i] = x;
}

// A function gets the address of x, but no pointer that the branch reads through
// leads there.
void raise(int *x, int by) { *x += by; }

kernel void passed_on(global const int *in, global int *out, int n) {
  size_t i = get_global_id(0);
  int x = in[i], y = 0;
  raise(&x, n);
  if (in[i] > n) {
    y = x;
    x = n;
  }
  raise(&x, y);
  out[i] = x + y;
}
//--- after.cl
#define LIMIT 100

kernel void at_least(global const int *in, global int *out, int low) {
  int v = in[get_global_id(0)];
  v = max(v, low);
  out[get_global_id(0)] = v;
}

kernel void smaller(global const int *a, global const int *b, global int *out) {
  size_t i = get_global_id(0);
  int x = a[i], y = b[i], least;
  least = min(y, x);
  out[i] = least;
}

kernel void limited(global const int *in, global short *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  short s = in[i];
  v = clamp(v, -LIMIT, LIMIT);
  s = clamp(s, (short)0, (short)255);
  out[i] = v + s;
}

// The comparison is unsigned: -1 is above 10 and stays.
kernel void mixed_signs(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  v = v < 10u ? (int)10u : v;
  out[i] = v;
}

// The bounds are the wrong way round: this is no clamp.
kernel void crossed(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  v = v < 20 ? 20 : v > 10 ? 10 : v;
  out[i] = v;
}

// NaN stays, and so does -0: this is no fmax.
kernel void larger(global const float *a, global const float *b,
                   global float *out) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  x = x < y ? y : x;
  out[i] = x;
}

kernel void sloped(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float x = in[i];
  // Below zero the slope is less.
  // It leaks.
  /* a tenth */
  x = x < 0.0f ? x * 0.1f : x;
  out[i] = x;
}

kernel void graded(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i], grade;
  grade = v < 10 ? 0 : v < 20 ? (v & 1 ? 1 : 2) : 3;
  out[i] = grade;
}

kernel void wrapping(global uchar *data, int limit) {
  size_t i = get_global_id(0);
  uchar x = data[i];
  x = limit > 3 ? (uchar)(x + 200) : (uchar)(x - 1);
  data[i] = x;
}

kernel void best_of(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int best = 0, where = -1;
  for (int k = 0; k < 8; ++k)
    {
      const bool taken = in[8 * i + k] > best;
      best = taken ? in[8 * i + k] : best;
      where = taken ? k : where;
    }
  out[i] = 10 * best + where;
}

kernel void swapped(global int *p, global int *q) {
  size_t i = get_global_id(0);
  int a = p[i], b = q[i], t = 0;
  const bool taken = a > b;
  t = taken ? a : t;
  a = taken ? b : a;
  b = taken ? t : b;
  p[i] = a;
  q[i] = b - t;
}

// The order of the second arm is the only one that suits both.
kernel void reordered(global int *p, int flag) {
  size_t i = get_global_id(0);
  int a = p[i], b = 3;
  const bool taken = flag;
  a = taken ? 2 : b;
  b = taken ? 1 : 7;
  p[i] = 10 * a + b;
}

kernel void lanes(global float4 *data, float s, int flag) {
  size_t i = get_global_id(0);
  float4 v = data[i];
  uchar4 w = convert_uchar4_sat(v);
  const bool taken = flag & 4;
  v = taken ? (float4)(s) : v;
  v.xy = taken ? v.xy : v.xy + ((float2)(1.0f, s));
  w = s != 0 ? w + (uchar4)(1) : w;
  data[i] = v + convert_float4(w);
}

kernel void both_store(global float *out, int n) {
  int i = get_global_id(0);
  out[i] = i > n ? (float)1 : 2.5f;
}

// Overflow must not come into being: the inner condition stays behind the
// outer one, and select is not offered.
kernel void guarded_sum(global int *out, int n, int m) {
  int i = get_global_id(0), x = 0, y = 0;
  const bool taken = n > 1000;
  const bool taken2 = !taken && (n + 1000 > m);
  x = taken ? 1 : taken2 ? 2 : x;
  y = taken ? y : taken2 ? 3 : y;
  out[i] = x + y;
}

// No other work-item sees a private array.
kernel void bins(global const float *in, global float *out) {
  float best[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = 0; k < 16; ++k)
    best[k & 3] = in[k] > best[k & 3] ? in[k] : best[k & 3];
  out[get_global_id(0)] = best[0] - best[1] + best[2] - best[3];
}

// Nor an array in a private struct.
typedef struct {
  int top[4];
  global int *data;
} Bins;

kernel void bins_in_struct(global const int *in, global int *out) {
  Bins b;
  for (int k = 0; k < 4; ++k)
    b.top[k] = 0;
  for (int k = 0; k < 16; ++k)
    b.top[k & 3] = max(b.top[k & 3], in[k]);
  out[get_global_id(0)] = b.top[0] - b.top[1] + b.top[2] - b.top[3];
}

// v[0] is v.x: the second arm's order is the only one that suits both.
kernel void lane_by_index(global int4 *data, int flag, int a, int b) {
  size_t i = get_global_id(0);
  int4 v = data[i];
  int y = 0;
  const bool taken = flag;
  y = taken ? y : v.x + 1;
  v[0] = taken ? a : b;
  data[i] = v + y;
}

// x is *p.
kernel void through_pointer(global int *out, int flag, int a, int b) {
  int x = 4, y = 0;
  int *p = &x;
  const bool taken = flag;
  y = taken ? y : x + 1;
  *p = taken ? a : b;
  out[get_global_id(0)] = x + y;
}

kernel void either(global int *out, int a, int b, int flag) {
  int x = out[get_global_id(0)];
  x = flag ? (a ?: b) : x;
  out[get_global_id(0)] = x;
}

// Built-in functions that compute and do no more.
kernel void pure_calls(global float4 *data, global int *out, int flag) {
  size_t i = get_global_id(0);
  float4 v = data[i];
  int x = out[i];
  const bool taken = flag;
  x = taken ? rotate(x, 3) + mad24(flag, 2, 1) + (int)get_global_linear_id()
      : x;
  v = taken ? mad(v, fmax(v, 2.0f), dot(v, v)) + convert_float4(as_int4(v) & 7)
      : v;
  data[i] = v;
  out[i] = x;
}

// A function gets the address of x, but no pointer that the branch reads through
// leads there.
void raise(int *x, int by) { *x += by; }

kernel void passed_on(global const int *in, global int *out, int n) {
  size_t i = get_global_id(0);
  int x = in[i], y = 0;
  raise(&x, n);
  const bool taken = in[i] > n;
  y = taken ? x : y;
  x = taken ? n : x;
  raise(&x, y);
  out[i] = x + y;
}
//--- own-names.cl
#define clamp(v) ((v) & 15)

// The commonest name for a running maximum hides the function.
kernel void reduce(global const int *in, global int *out, int min) {
  int max = 0, v = in[get_global_id(0)], least = v;
  if (v > max)
    max = v;
  if (least > min)
    least = min;
  if (v < 0)
    v = 0;
  else if (v > 9)
    v = 9;
  out[get_global_id(0)] = max + least + clamp(v);
}
//--- own-names-after.cl
#define clamp(v) ((v) & 15)

// The commonest name for a running maximum hides the function.
kernel void reduce(global const int *in, global int *out, int min) {
  int max = 0, v = in[get_global_id(0)], least = v;
  max = v > max ? v : max;
  least = least > min ? min : least;
  v = v < 0 ? 0 : v > 9 ? 9 : v;
  out[get_global_id(0)] = max + least + clamp(v);
}
//--- own-fields.cl
struct range {
  int min, max;
};

// A member has a name space of its own.
kernel void widen(global const int *in, global int *out) {
  struct range r = {0, 0};
  int v = in[get_global_id(0)];
  if (v > r.max)
    r.max = v;
  out[get_global_id(0)] = r.max - r.min;
}
//--- own-fields-after.cl
struct range {
  int min, max;
};

// A member has a name space of its own.
kernel void widen(global const int *in, global int *out) {
  struct range r = {0, 0};
  int v = in[get_global_id(0)];
  r.max = max(r.max, v);
  out[get_global_id(0)] = r.max - r.min;
}
//--- names.h
#define ABOVE (taken > 3)
//--- includes.cl
#include "names.h"
kernel void counted(global int *out, int n) {
  int x = 0, y = 0;
  if (n) {
    x = 1;
    y = 2;
  }
  out[0] = x + y;
}
//--- includes-after.cl
#include "names.h"
kernel void counted(global int *out, int n) {
  int x = 0, y = 0;
  const bool taken2 = n;
  x = taken2 ? 1 : x;
  y = taken2 ? 2 : y;
  out[0] = x + y;
}
//--- forced.cl
#define ABOVE (x > 100)
kernel void macro_condition(global int *out, int x) {
  int y = 3;
  if (ABOVE)
    y = x;
  if ((x < 7))
    y = 5;
  out[0] = y;
}

kernel void forced(global const uchar *in, global float4 *out, int flag, float s) {
  size_t i = get_global_id(0);
  uchar x = in[i];
  ulong wide = 7;
  float4 v = out[i];
  if (x > 100)
    x = 9;
  if (flag & 4)
    v = s;
  if (s)
    wide = x;
  // Both would be evaluated, and this may overflow.
  if (flag > 0)
    flag = flag + 1;
  out[i] = v + x + wide + flag;
}
//--- forced-after.cl
#define ABOVE (x > 100)
kernel void macro_condition(global int *out, int x) {
  int y = 3;
  y = select(y, x, ABOVE);
  y = select(y, 5, x < 7);
  out[0] = y;
}

kernel void forced(global const uchar *in, global float4 *out, int flag, float s) {
  size_t i = get_global_id(0);
  uchar x = in[i];
  ulong wide = 7;
  float4 v = out[i];
  x = select(x, (uchar)9, (char)(x > 100));
  v = select(v, (float4)(s), (int4)(-((flag & 4) != 0)));
  wide = select(wide, (ulong)x, (long)(s != 0));
  // Both would be evaluated, and this may overflow.
  if (flag > 0)
    flag = flag + 1;
  out[i] = v + x + wide + flag;
}
//--- assumes.cl
kernel void greater(global int *in1, global int *in2) {
  const int gid = get_global_id(0);

  if (in1[gid] > in2[gid]) {
    in1[gid] = gid;
  } else {
    in2[gid] = gid;
  }
}

kernel void highest(global int *top, global const int *in) {
  const int gid = get_global_id(0);
  if (in[gid] > top[gid])
    top[gid] = in[gid];
}

// The array of pointers is private; what they point to is not.
kernel void planes(global int *a, global int *b, int which, int most) {
  const int gid = get_global_id(0);
  global int *plane[2] = {a, b};
  if (plane[which & 1][gid] > most)
    plane[which & 1][gid] = most;
}

typedef struct {
  global int *data;
} Plane;

kernel void in_struct(global int *a, int most) {
  const int gid = get_global_id(0);
  Plane t[1];
  t[0].data = a;
  if (t[0].data[gid] > most)
    t[0].data[gid] = most;
}
//--- assumes-after.cl
kernel void greater(global int *in1, global int *in2) {
  const int gid = get_global_id(0);

  const bool taken = in1[gid] > in2[gid];
  in1[gid] = taken ? gid : in1[gid];
  in2[gid] = taken ? in2[gid] : gid;
}

kernel void highest(global int *top, global const int *in) {
  const int gid = get_global_id(0);
  top[gid] = max(top[gid], in[gid]);
}

// The array of pointers is private; what they point to is not.
kernel void planes(global int *a, global int *b, int which, int most) {
  const int gid = get_global_id(0);
  global int *plane[2] = {a, b};
  plane[which & 1][gid] = min(most, plane[which & 1][gid]);
}

typedef struct {
  global int *data;
} Plane;

kernel void in_struct(global int *a, int most) {
  const int gid = get_global_id(0);
  Plane t[1];
  t[0].data = a;
  t[0].data[gid] = min(most, t[0].data[gid]);
}
//--- pipes.cl
// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void from_pipe(read_only pipe int p, global int *out, int c) {
  int x = 0, v = 1;
  if (c)
    x = read_pipe(p, &v);
  out[0] = x + v;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void counts(global atomic_int *count, global int *out, int c) {
  int x = 0;
  if (c)
    x = atomic_fetch_add(count, 1);
  out[0] = x;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void counts_in_clangs_words(global atomic_int *count, global int *out,
                                   int c) {
  int x = 0;
  if (c)
    x = __opencl_atomic_fetch_add(count, 1, memory_order_relaxed,
                                  memory_scope_device);
  out[0] = x;
}
//--- declines.cl
#define LOW(v) if (v < 0) v = 0;
#define SET x = 1

// CHECK: declined branch-to-select: a part of the branch comes from a macro's body, or a preprocessor directive stands in it
kernel void from_macro(global int *out, int x) {
  LOW(x)
  out[0] = x;
}

// CHECK: declined branch-to-select: a part of the branch comes from a macro's body, or a preprocessor directive stands in it
kernel void arm_from_macro(global int *out, int x) {
  if (x > 4)
    SET;
  out[0] = x;
}

// CHECK: declined branch-to-select: a part of the branch comes from a macro's body, or a preprocessor directive stands in it
kernel void directive(global int *out, int x) {
  if (x > 4)
#ifdef SMALL
    x = 3;
#else
    x = 4;
#endif
  out[0] = x;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void side_effect(global int *out, int x, int y) {
  if (x > 4)
    x = y++;
  out[0] = x + y;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void condition_acts(global int *out, int x) {
  if (atomic_inc(out) > 4)
    x = 3;
  out[1] = x;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void writes_through_pointer(global int *out, float f) {
  float whole = 0.0f, x = 1.0f;
  if (f > 4.0f)
    x = fract(f, &whole);
  out[0] = x + whole;
}

int __attribute__((overloadable)) elsewhere(int);

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void unknown_function(global int *out, int x) {
  if (x > 4)
    x = elsewhere(x);
  out[0] = x;
}

// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
kernel void is_volatile(global int *out, int y) {
  volatile int x = 0;
  if (y > 4)
    x = 3;
  out[0] = x;
}

// CHECK: declined branch-to-select: a target is a variable that work-items share, __local or of the program
kernel void is_local(global int *out, int y) {
  local int shared;
  if (y > 4)
    shared = 3;
  else
    shared = 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = shared;
}

// CHECK: declined branch-to-select: the address of a target is taken, and the branch reads or writes through a pointer that may lead to it
kernel void address_taken(global int *out, int y) {
  int x = 1;
  int *p = &x;
  if (*p > y)
    x = 3;
  out[0] = *p;
}

int peek(int *p) { return *p; }

// CHECK: declined branch-to-select: the address of a target is taken, and the branch reads or writes through a pointer that may lead to it: 'x'
kernel void read_by_call(global int *out, int c) {
  int x = 1, y = 0;
  if (c) {
    x = 3;
    y = peek(&x);
  }
  out[0] = x + y;
}

// CHECK: declined branch-to-select: the address of a target is taken, and the branch reads or writes through a pointer that may lead to it: 'x'
kernel void written_by_pointer(global int *out, int c, int d) {
  int x = 1;
  int *p = d ? &x : &c;
  if (d > 2) {
    *p = 5;
    x = 3;
  } else
    *p = 7;
  out[0] = x + c;
}

// CHECK: declined branch-to-select: the address of a target is taken, and the branch reads or writes through a pointer that may lead to it: 'v'
kernel void loaded_as_vector(global int *out, int c) {
  int8 v = 1;
  int4 w = 2;
  const int *p = (const int *)&v;
  if (c) {
    v = 3;
    w = vload4(1, p);
  }
  out[0] = v.s7 + w.x;
}

// CHECK: declined branch-to-select: a target is a member of a union
kernel void in_union(global int *out, int c, int b) {
  union {
    int a[4];
    int4 v;
  } u;
  int y = 0;
  u.v = 0;
  if (c) {
    u.a[0] = 3;
    y = u.v.x;
  } else {
    y = u.v.x + 1;
    u.a[0] = b;
  }
  out[0] = y;
}

typedef struct {
  int first[2];
  int4 lanes;
} Pair;

// CHECK: declined branch-to-select: the address of a target is taken, and the branch reads or writes through a pointer that may lead to it
kernel void array_is_pointer(global int *out, int c) {
  Pair s = {{1, 2}, 3};
  int *p = s.first;
  if (*p > c)
    s.lanes = 4;
  out[0] = s.lanes.x + *p;
}

// CHECK: declined branch-to-select: a value and its target have types that no conditional expression joins
kernel void unnamed_type(global int *out, int c) {
  enum { Low, High } level = Low;
  if (c)
    level = High;
  out[0] = level;
}

// CHECK: declined branch-to-select: a value and its target have types that no conditional expression joins
kernel void null_pointer(global int *out, global int *other, int y) {
  if (y > 4)
    other = 0;
  out[0] = other == 0;
}

// CHECK: declined branch-to-select: an arm assigns a target twice
kernel void twice(global int *out, int x, int y) {
  if (y > 4) {
    x = y;
    x *= 3;
  }
  out[0] = x;
}

// CHECK: declined branch-to-select: an arm reads what it assigned before, and no one order of the assignments suits every arm
kernel void orders(global int *out, int x, int y) {
  if (y > 4) {
    x = y;
    y = x + 1;
  } else {
    y = x;
    x = y + 1;
  }
  out[0] = x + y;
}

// CHECK: declined branch-to-select: an arm reads what it assigned before, and no one order of the assignments suits every arm
kernel void late_condition(global int *out, int x, int y) {
  if (y > 4) {
    x = y * 3;
    if (x > 20)
      y = 0;
  }
  out[0] = x + y;
}

// v[0] is v.x.
// CHECK: declined branch-to-select: an arm reads what it assigned before, and no one order of the assignments suits every arm
kernel void lane_orders(global int4 *out, int c, int a, int b) {
  int4 v = out[0];
  int y = 0;
  if (c) {
    v[0] = a;
    y = v.x;
  } else {
    y = v.x + 1;
    v[0] = b;
  }
  out[0] = v + y;
}

// CHECK: declined branch-to-select: an arm reads what it assigned before, and no one order of the assignments suits every arm
kernel void late_lane(global int4 *out, int c, int a) {
  int4 v = out[0];
  int y = 0;
  if (v[0] > c) {
    v[0] = a;
    if (v.x > 3)
      y = 2;
  }
  out[0] = v + y;
}

// CHECK: declined branch-to-select: an arm reads what it assigned before, and no one order of the assignments suits every arm
kernel void pointer_orders(global int *out, int c, int a, int b) {
  int x = 1, y = 0;
  int *p = &x;
  if (c) {
    *p = a;
    y = x;
  } else {
    y = x + 1;
    *p = b;
  }
  out[0] = x + y;
}

// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void guarded_load(global int *out, global const int *in, int n) {
  int x = 0, i = get_global_id(0);
  if (i < n)
    x = in[i];
  out[i] = x;
}

// The right side of && does not always read.
// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void short_circuit(global int *out, global const int *in, int n) {
  int x = 0, i = get_global_id(0);
  if (i < n && in[i] > 3)
    x = in[i];
  out[i] = x;
}

// Nor does the right side of ?:.
// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void short_choice(global int *out, global const int *in, int n) {
  int x = 0, i = get_global_id(0);
  if ((n ?: in[i]) > 3)
    x = in[i];
  out[i] = x;
}

// Nor does a statement within an expression, or the operand of typeof.
// CHECK: declined branch-to-select: a condition, a value or a target has side effects or is volatile
// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void within_expression(global int *out, global const int *in, int n) {
  int x = 0, i = get_global_id(0);
  if (({ int y = 0; if (i < n) y = in[i]; y; }) > 3)
    x = in[i];
  out[i] = x;
}
// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void type_of(global int *out, global const int *in, int n) {
  int x = 0, i = get_global_id(0);
  if ((__typeof__(in[i]))n > 3)
    x = in[i];
  out[i] = x;
}

// No site: opaque-guard writes this, to keep loads below it.
kernel void kept_apart(global int *out, global const int *in, int n) {
  int x = n;
  if (get_local_size(0)) {
    x = in[0];
  }
  out[0] = x;
}

// Nor is this, which it writes where the size of the work-group is required.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void kept_apart_by_groups(global int *out, global const int *in, int n) {
  int x = n;
  if (!get_num_groups(0)) {
    x = in[0];
  }
  out[0] = x;
}

// in[at[0]] is another element after the first arm.
// CHECK: declined branch-to-select: an arm reads memory that is not read where the branch is not taken, and may lie out of bounds there
kernel void moved_element(global const int *in, global int *at, int n) {
  int x = 0;
  if (in[at[0]] > n)
    at[0] = at[0] + 1;
  else
    x = in[at[0]];
  at[1] = x;
}

// CHECK: declined branch-to-select: an arm divides integers by anything but a literal other than 0
kernel void division(global int *out, int x, int y) {
  if (y != 0)
    x = x / y;
  out[0] = x;
}

// CHECK: declined branch-to-select: an arm divides integers by anything but a literal other than 0
kernel void remainder_by(global int *out, int x, int y) {
  if (y != 0)
    x %= y;
  out[0] = x;
}

int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n >> 1;
    ++steps;
  }
  return steps;
}

// CHECK: declined branch-to-select: an arm calls a function that holds a loop, which may not end for the values that the branch keeps out
kernel void loops(global int *out, int x) {
  if (x > 0)
    x = collatz(x);
  out[0] = x;
}

// CHECK: declined branch-to-select: a variable keeps its value on some path, and nothing shows that it has one
kernel void uninitialised(global int *out, int y) {
  int x;
  if (y > 4)
    x = 3;
  out[0] = y > 4 ? x : 0;
}

// The switch jumps past the initialiser.
// CHECK: declined branch-to-select: a variable keeps its value on some path, and nothing shows that it has one
kernel void jumped_past(global int *out, int n, int y) {
  switch (n) {
    int x = 1;
  case 1:
    if (y > 4)
      x = 3;
    out[0] = y > 4 ? x : 0;
  }
}

// CHECK: declined branch-to-select: a variable keeps its value on some path, and nothing shows that it has one
kernel void swap_through(global int *p) {
  int a = p[0], b = p[1], t;
  if (a > b) {
    t = a;
    a = b;
    b = t;
  }
  p[0] = a;
  p[1] = b;
}

// CHECK: declined branch-to-select: an arm stores to memory that is not accessed where the branch is not taken, and may lie out of bounds there
kernel void guarded_store(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}

// CHECK: declined branch-to-select: an arm stores to memory that is not accessed where the branch is not taken, and may lie out of bounds there
kernel void moved_index(global int *out, int i) {
  if (out[i] > 3) {
    i = i + 1;
    out[i] = 4;
  }
}
//--- arms.cl
// Swapped select arms.
kernel void k(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  out[i] = select(in[i], n, in[i] > n);
}
//--- arms-wrong.cl
kernel void k(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  out[i] = select(n, in[i], in[i] > n);
}
//--- store.cl
// A lost store.
kernel void k(global const int *in, global int *out, global int *flag) {
  int i = get_global_id(0);
  out[i] = in[i];
  if (in[i] < 0)
    flag[i] = i;
}
//--- store-wrong.cl
kernel void k(global const int *in, global int *out, global int *flag) {
  int i = get_global_id(0);
  out[i] = in[i];
}
