// speculate-load: where a load is safe before its branch, and what is declined.
//
// PAIR: before.cl after.cl
// Without an element that is read anyway, the first one is assumed to be there.
// PAIR: assumes.cl assumes-after.cl --unsafe-fixes
// FIX-assumes-after: applied speculate-load [first-element] (assumes): legal; not measured
// FIX-assumes-after-NEXT: note: in points to an element, which no other work-item writes meanwhile
//
// Its own output loads before each choice, and select-to-branch leaves it.
// RUN: split-file %s %t
// RUN: clrewrite --only=speculate-load,select-to-branch --no-measure --verbose %t/after.cl | count 0

//--- before.cl
kernel void neighbours(global const float *t, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  if (x >= w || y >= h)
    return;
  float c = t[i];
  float n = c, s = c, e = c;
  if (y > 0)
    n = t[i - w];
  if (y < h - 1) {
    s = t[i + w]; // the row below
  }
  if (x < w - 1)
    e = t[i + 1];
  else
    e = 2 * c;
  const float west = x > 0 ? t[i - 1] + 1 : c;
  out[y * get_global_size(0) + x] = c + n + s + e + west;
}

// Conversions stay as the assignments made them.
kernel void types(global const short *in, global const float4 *v,
                  global int *out, int n) {
  int i = get_global_id(0);
  int s = in[i], taken = 3;
  short q = 0;
  uchar b = 9;
  float4 sum = v[i & 1];
  if (i + 1 < n)
    s += in[i + 1] * 3;
  if (i < n - 2)
    q = in[i + 2] + s;
  else
    q = s ? 3 : 4;
  if (i < n - 3)
    b -= in[in[i] & 3] + 200;
  if (n & 1)
    sum = v[i & 3].x;
  if (n & 2)
    sum *= v[i & 7] + 2.0f;
  s = n > taken ? in[i & 3] ? 1 : 2 : 0;
  if (i < 9)
    s -= sum.x < 0 ? in[i] : 2;
  out[i] = s + q + b + convert_int_sat(sum.y);
}

// A comma in the condition.
kernel void comma(global const float *t, global float *out, int p, int q, int r) {
  int i = get_global_id(0);
  float n = t[i];
  if (p, q)
    n += t[i + r];
  out[i] = n;
}
//--- after.cl
kernel void neighbours(global const float *t, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  if (x >= w || y >= h)
    return;
  float c = t[i];
  float n = c, s = c, e = c;
  const bool taken = y > 0;
  const float loaded = t[taken ? i - w : i];
  n = taken ? loaded : n;
  // the row below
  const bool taken2 = y < h - 1;
  const float loaded2 = t[taken2 ? i + w : i];
  s = taken2 ? loaded2 : s;
  const bool taken3 = x < w - 1;
  const float loaded3 = t[taken3 ? i + 1 : i];
  e = taken3 ? loaded3 : 2 * c;
  const bool taken4 = x > 0;
  const float loaded4 = t[taken4 ? i - 1 : i];
  const float west = taken4 ? loaded4 + 1 : c;
  out[y * get_global_size(0) + x] = c + n + s + e + west;
}

// Conversions stay as the assignments made them.
kernel void types(global const short *in, global const float4 *v,
                  global int *out, int n) {
  int i = get_global_id(0);
  int s = in[i], taken = 3;
  short q = 0;
  uchar b = 9;
  float4 sum = v[i & 1];
  const bool taken2 = i + 1 < n;
  const short loaded = in[taken2 ? i + 1 : i];
  s = taken2 ? s + loaded * 3 : s;
  const bool taken3 = i < n - 2;
  const short loaded2 = in[taken3 ? i + 2 : i];
  q = taken3 ? (short)(loaded2 + s) : (short)(s ? 3 : 4);
  const bool taken4 = i < n - 3;
  const short loaded3 = in[taken4 ? in[i] & 3 : i];
  b = taken4 ? (uchar)(b - (loaded3 + 200)) : b;
  const bool taken5 = n & 1;
  const float4 loaded4 = v[taken5 ? i & 3 : i & 1];
  sum = taken5 ? (float4)(loaded4.x) : sum;
  const bool taken6 = n & 2;
  const float4 loaded5 = v[taken6 ? i & 7 : i & 1];
  sum = taken6 ? sum * (loaded5 + 2.0f) : sum;
  const bool taken7 = n > taken;
  const short loaded6 = in[taken7 ? i & 3 : i];
  s = taken7 ? loaded6 ? 1 : 2 : 0;
  if (i < 9)
    s -= sum.x < 0 ? in[i] : 2;
  out[i] = s + q + b + convert_int_sat(sum.y);
}

// A comma in the condition.
kernel void comma(global const float *t, global float *out, int p, int q, int r) {
  int i = get_global_id(0);
  float n = t[i];
  const bool taken = (p, q);
  const float loaded = t[taken ? i + r : i];
  n = taken ? n + loaded : n;
  out[i] = n;
}
//--- assumes.cl
kernel void tail(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float s = 1;
  // In a loop, the element of the round before may be another one.
  for (int k = 0; k < 3; ++k)
    if (i + k < n) {
    } else {
      s += 1;
    }
  {
    int i = 0;
    s += in[i];
  }
  if (i < n)
    s += in[i];
  out[i] = s;
}
// Neither a statement within an expression nor the operand of typeof reads in[n] always.
kernel void within_expression(global const int *in, global int *out, int n, int most) {
  int i = get_global_id(0), s = 0;
  int first = ({
    int v = 0;
    if (n < most)
      v = in[n];
    v;
  });
  if (i >= most)
    s = in[i - most];
  out[i] = s + first;
}
kernel void type_of(global const int *in, global int *out, int n, int most) {
  int i = get_global_id(0), s = 0;
  int first = (__typeof__(in[n]))most;
  if (i >= most)
    s = in[i - most];
  out[i] = s + first;
}
//--- assumes-after.cl
kernel void tail(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float s = 1;
  // In a loop, the element of the round before may be another one.
  for (int k = 0; k < 3; ++k)
    if (i + k < n) {
    } else {
      s += 1;
    }
  {
    int i = 0;
    s += in[i];
  }
  const bool taken = i < n;
  const float loaded = in[taken ? i : 0];
  s = taken ? s + loaded : s;
  out[i] = s;
}
// Neither a statement within an expression nor the operand of typeof reads in[n] always.
kernel void within_expression(global const int *in, global int *out, int n, int most) {
  int i = get_global_id(0), s = 0;
  int first = ({
    int v = 0;
    const bool taken = n < most;
    const int loaded = in[taken ? n : 0];
    v = taken ? loaded : v;
    v;
  });
  const bool taken2 = i >= most;
  const int loaded2 = in[taken2 ? i - most : 0];
  s = taken2 ? loaded2 : s;
  out[i] = s + first;
}
kernel void type_of(global const int *in, global int *out, int n, int most) {
  int i = get_global_id(0), s = 0;
  int first = (__typeof__(in[n]))most;
  const bool taken = i >= most;
  const int loaded = in[taken ? i - most : 0];
  s = taken ? loaded : s;
  out[i] = s + first;
}
//--- declines.cl
#define AT(i) in[i]

// CHECK: declined speculate-load: the condition or the load comes from a macro, or a preprocessor directive stands there
kernel void from_macro(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = in[0];
  if (i < n)
    s = AT(i);
  out[i] = s;
}

// CHECK: declined speculate-load: the condition, the target or the value has side effects or is volatile
kernel void counts(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = in[0];
  if (i++ < n)
    s = in[i];
  out[i] = s;
}

// CHECK: declined speculate-load: the condition, the target or the value has side effects or is volatile
kernel void is_volatile(volatile global const int *in, global int *out, int n) {
  int i = get_global_id(0), s = in[0];
  if (i < n)
    s = in[i];
  out[i] = s;
}

// CHECK: declined speculate-load: the condition is a vector, which chooses lane by lane
kernel void lanes(global const int4 *in, global int4 *out, int4 n) {
  int i = get_global_id(0);
  int4 s = in[0];
  s = n > 3 ? in[i] : s;
  out[i] = s;
}

// CHECK: declined speculate-load: what is assigned is neither a number nor a vector of numbers: 's'
kernel void pointers(global const ulong *in, global float *out, int n) {
  int i = get_global_id(0);
  global const float *s = out;
  if (i < n)
    s = (global const float *)in[i];
  out[i] = s[3];
}

// CHECK: declined speculate-load: where the branch is not taken, the target has no value that is known to be there
kernel void no_value(global const int *in, global int *out, int n) {
  int i = get_global_id(0), s;
  if (i < n)
    s = in[i];
  out[i] = i < n ? s : 0;
}

// No site: the store must not happen.
kernel void stores(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i];
}

// CHECK: declined speculate-load: work-items may wait for each other in the function, or order memory before the branch, so that another one may write what this one would now read
kernel void waits(global int *in, global int *out, int n) {
  int i = get_global_id(0), s = in[i];
  in[i] = 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i < n)
    s = in[i ^ 1];
  out[i] = s;
}
//--- read.cl
// A read beyond what the original reads, whose value is not used.
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), v = 0;
  if (i + 64 < 64)
    v = in[i + 64];
  out[i] = in[i] + v;
}
//--- read-wrong.cl
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0);
  volatile int v = in[i + 64];
  out[i] = in[i] + (i + 64 < 64 ? v : 0);
}
