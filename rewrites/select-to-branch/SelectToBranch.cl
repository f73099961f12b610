// select-to-branch: what is loaded only where it is chosen, and what is
// declined.
//
// PAIR: before.cl after.cl
// AGAIN-after: declined select-to-branch: the choice, or what it loads, comes from a macro or shares its declaration

//--- before.cl
kernel void masked(global const float *in, constant float *f,
                   global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 5; ++k) {
    int c = (x + k) & 15;
    float v = in[c]; // one element
    const float weight = f[k];
    s += weight * select(0.0f, v, c == x + w);
  }
  out[x] = s;
}

// select() that loads by itself; it converts both values to its own type.
kernel void itself(global const uchar *in, global const int *at,
                   global int *out, int n) {
  int i = get_global_id(0);
  uchar low = in[i];
  short a = select((short)low, (short)in[i & 7], (short)(n > 3));
  char b = 1 + select((char)3, (char)at[i & 3], (char)(n & 2));
  out[i] = abs(select((char)a, (char)at[i & 7], (char)n)) + b + 2 * a;
}

// Both arms; a sum that only one arm needs; a vector chosen as a whole.
kernel void arms(global const int *in, global const float4 *v,
                 global float4 *out, int n) {
  int i = get_global_id(0);
  int left = in[i & 3], right = 2;
  int more = in[i & 7];
  short narrow = in[i & 15];
  float4 whole = v[i & 3];
  int s = n > 2 ? left : more + right;
  float4 t = n > 3 ? whole * 2 : 1.0f;
  s -= n > 4 ? narrow + 1 : 0;
  out[i] = t + s;
}

int low(global const int *p, int i, int n) {
  int v = p[i];
  return i < n ? v : 7;
}

kernel void returned(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  out[i] = low(in, i & 7, n);
}

// A cast that a lane is taken of, and one that keeps the width of other devices.
kernel void lane(global const float *t, global float *out, int n) {
  int i = get_global_id(0);
  float4 v = t[i];
  out[i] = n > 3 ? v.x : 0.0f;
}
kernel void width(global const size_t *in, global ulong *out, int n) {
  int i = get_global_id(0);
  ulong k = in[i];
  out[i] = n > 3 ? k << 20 : 0;
}
//--- after.cl
kernel void masked(global const float *in, constant float *f,
                   global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 5; ++k) {
    int c = (x + k) & 15;
    // one element
    const float weight = f[k];
    s += weight * (c == x + w ? in[c] : 0.0f);
  }
  out[x] = s;
}

// select() that loads by itself; it converts both values to its own type.
kernel void itself(global const uchar *in, global const int *at,
                   global int *out, int n) {
  int i = get_global_id(0);
  short a = (short)((short)(n > 3) ? (short)in[i & 7] : (short)in[i]);
  char b = 1 + (char)((char)(n & 2) ? (char)at[i & 3] : (char)3);
  out[i] = abs((char)((char)n ? (char)at[i & 7] : (char)a)) + b + 2 * a;
}

// Both arms; a sum that only one arm needs; a vector chosen as a whole.
kernel void arms(global const int *in, global const float4 *v,
                 global float4 *out, int n) {
  int i = get_global_id(0);
  int left = in[i & 3], right = 2;
  int more = in[i & 7];
  int s = n > 2 ? left : more + right;
  float4 t = n > 3 ? v[i & 3] * 2 : 1.0f;
  s -= n > 4 ? (short)in[i & 15] + 1 : 0;
  out[i] = t + s;
}

int low(global const int *p, int i, int n) {
  return i < n ? p[i] : 7;
}

kernel void returned(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  out[i] = low(in, i & 7, n);
}

// A cast that a lane is taken of, and one that keeps the width of other devices.
kernel void lane(global const float *t, global float *out, int n) {
  int i = get_global_id(0);
  out[i] = n > 3 ? ((float4)t[i]).x : 0.0f;
}
kernel void width(global const size_t *in, global ulong *out, int n) {
  int i = get_global_id(0);
  out[i] = n > 3 ? (ulong)in[i] << 20 : 0;
}
//--- declines.cl
#define PICK(a, b, c) ((c) ? (b) : (a))
#define LOAD(p, i) int v = p[i]

// CHECK: declined select-to-branch: the choice is made lane by lane
kernel void lanes(global const int4 *in, global int4 *out, int n) {
  int i = get_global_id(0);
  int4 v = in[i];
  out[i] = select((int4)(0), v, (int4)(n) > (int4)(0, 1, 2, 3));
}

// CHECK: declined select-to-branch: the choice is made lane by lane
kernel void lanes_again(global const int4 *in, global int4 *out, int n) {
  int i = get_global_id(0);
  int4 v = in[i];
  out[i] = (int4)(n) > (int4)(0, 1, 2, 3) ? v : 0;
}

// No site: the value is needed anyway.
kernel void used_twice(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = (n > i ? v : 0) + v;
}

// CHECK: declined select-to-branch: a part of the choice, or of what it loads, has side effects or is volatile, or its address is taken
kernel void counts(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[n++ & 7];
  out[i] = (n > i ? v : 0);
}

// CHECK: declined select-to-branch: a part of the choice, or of what it loads, has side effects or is volatile, or its address is taken
kernel void is_volatile(volatile global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = n > i ? v : 0;
}

// CHECK: declined select-to-branch: a part of the choice, or of what it loads, has side effects or is volatile, or its address is taken
kernel void addressed(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = n > i ? *&v : 0;
}

// CHECK: declined select-to-branch: between the load and the choice stands more than declarations without side effects, or they are not in one block
kernel void stored_between(global int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = 3;
  in[i] = n > i ? v : 0;
}

// CHECK: declined select-to-branch: between the load and the choice stands more than declarations without side effects, or they are not in one block
kernel void barrier_between(global int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = n > i ? v : 0;
}

// CHECK: declined select-to-branch: between the load and the choice stands more than declarations without side effects, or they are not in one block
kernel void in_loop(global int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  for (int k = 0; k < 3; ++k)
    out[i] += n > k ? v : 0;
}

// CHECK: declined select-to-branch: between the load and the choice stands more than declarations without side effects, or they are not in one block
kernel void hidden_name(global int *in, global int *out, int n) {
  int i = get_global_id(0);
  {
    int v = in[n];
    int n = 2;
    out[i] = n > i ? v : 0;
  }
}

// CHECK: declined select-to-branch: between the load and the choice stands more than declarations without side effects, or they are not in one block
kernel void hides_itself(global int *in, global int *out, int n) {
  int i = get_global_id(0);
  {
    int v = in[n];
    int n = i > 2 ? v : 0;
    out[i] = n;
  }
}

// CHECK: declined select-to-branch: a float product would come to stand in a sum, with which the compiler may contract it, or the condition is a constant
kernel void product(global const float *in, global float *out, float n) {
  int i = get_global_id(0);
  float v = in[i] * n;
  out[i] = n > 3 ? v + n : n;
}

// CHECK: declined select-to-branch: a float product would come to stand in a sum, with which the compiler may contract it, or the condition is a constant: '1'
kernel void always(global const float *in, global float *out, float w, float s) {
  int i = get_global_id(0);
  out[i] = s + select(0.0f, w * in[i], 1);
}

// CHECK: declined select-to-branch: the name of what is loaded, a macro that may stand for it, or an #include stands where this build does not see the variable: 'v' in line [[@LINE+6]]
kernel void used_elsewhere(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = n > 3 ? v : 0;
#ifdef MORE
  out[i + n] = v;
#endif
}

// CHECK: declined select-to-branch: the choice, or what it loads, comes from a macro or shares its declaration
kernel void from_macro(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = PICK(0, v, n > i);
}

// CHECK: declined select-to-branch: the choice, or what it loads, comes from a macro or shares its declaration
kernel void declared_by_macro(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  LOAD(in, i);
  out[i] = n > i ? v : 0;
}
//--- nan.cl
// NaN in a minimum: a comparison with it is false, fmin returns the other.
kernel void k(global const float *in, global float *out, float most) {
  int i = get_global_id(0);
  float v = in[i];
  if (v > most)
    v = most;
  out[i] = v;
}
//--- nan-wrong.cl
kernel void k(global const float *in, global float *out, float most) {
  int i = get_global_id(0);
  out[i] = fmin(in[i], most);
}
