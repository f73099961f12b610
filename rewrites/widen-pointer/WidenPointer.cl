// widen-pointer: the kernels that get wider elements and those that convert them, and
// what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// VERIFY: after.cl no: the host's part changes; verify.test does it
// RACES: after.cl no: the host's part changes; verify.test does it

//--- before.cl
kernel void tone(const global uchar *restrict in, global unsigned char *out,
                 constant short *curve, int gain) {
  size_t i = get_global_id(0);
  int v = in[i] - 16; // may go below zero
  uchar same = in[i + 1];
  float f = (float)in[i] * 0.5f;
  out[2 * i] = same;
  out[2 * i + 1] = v * gain + curve[in[i]];
  if (f > 10.0f)
    out[2 * i] += abs_diff(in[i], in[i + 1]);
  *(out + 2 * i + 1) ^= convert_uchar_sat(f) << 1;
  out[0] = 255;
}

kernel void steps(global ushort *p, global float *out) {
  size_t i = get_global_id(0);
  p += 4 * i;
  p[0]++;
  --p[1];
  *p <<= 3;
  p[2] = max(p[0], p[1]) + p[p[3] & 3];
  p[3] -= out[i];
  float4 v = (float4)(p[0], p[1], p[2], p[3]);
  uint4 u = (uint4)(1) * (p[0] > p[1] ? p[0] : p[1]);
  out[i] = v.x + v.y + convert_float(p[2]) + u.x + (~p[3]) + -p[1];
}

kernel void sums(global const char *c, global int *out) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 4; ++k, sum <<= 1)
    sum += c[4 * i + k] >> 1;
  out[i] = c[i] ? sum : -sum;
}
//--- after.cl
kernel void tone(const global int *restrict in, global int *out,
                 constant int *curve, int gain) {
  size_t i = get_global_id(0);
  int v = in[i] - 16; // may go below zero
  uchar same = ((uchar)in[i + 1]);
  float f = (float)in[i] * 0.5f;
  out[2 * i] = same;
  out[2 * i + 1] = (uchar)(v * gain + curve[in[i]]);
  if (f > 10.0f)
    out[2 * i] = (uchar)(out[2 * i] + abs_diff(((uchar)in[i]), ((uchar)in[i + 1])));
  *(out + 2 * i + 1) = (uchar)(*(out + 2 * i + 1) ^ (convert_uchar_sat(f) << 1));
  out[0] = 255;
}

kernel void steps(global int *p, global float *out) {
  size_t i = get_global_id(0);
  p += 4 * i;
  p[0] = (ushort)(p[0] + 1);
  p[1] = (ushort)(p[1] - 1);
  *p = (ushort)(*p << 3);
  p[2] = (ushort)(max(((ushort)p[0]), ((ushort)p[1])) + p[p[3] & 3]);
  p[3] = (ushort)(p[3] - out[i]);
  float4 v = (float4)(p[0], p[1], p[2], p[3]);
  uint4 u = (uint4)(1) * (p[0] > p[1] ? p[0] : p[1]);
  out[i] = v.x + v.y + convert_float(((ushort)p[2])) + u.x + (~p[3]) + -p[1];
}

kernel void sums(global const int *c, global int *out) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 4; ++k, sum <<= 1)
    sum += c[4 * i + k] >> 1;
  out[i] = c[i] ? sum : -sum;
}

kernel void widen_uchar_to_int(const global uchar *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void narrow_int_to_uchar(const global int *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = (uchar)in[i];
}

kernel void widen_ushort_to_int(const global ushort *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void narrow_int_to_ushort(const global int *in, global ushort *out) {
  size_t i = get_global_id(0);
  out[i] = (ushort)in[i];
}

kernel void widen_short_to_int(const global short *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void narrow_int_to_short(const global int *in, global short *out) {
  size_t i = get_global_id(0);
  out[i] = (short)in[i];
}

kernel void widen_char_to_int(const global char *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void narrow_int_to_char(const global int *in, global char *out) {
  size_t i = get_global_id(0);
  out[i] = (char)in[i];
}
//--- declines.cl
typedef uchar pixel;
#define BYTE uchar

// CHECK: declined widen-pointer: the element type is spelled by a macro or a typedef of the program
kernel void of_typedef(global pixel *p) { p[0] = 1; }

// CHECK: declined widen-pointer: the element type is spelled by a macro or a typedef of the program
kernel void of_macro(global BYTE *p) { p[0] = 1; }

// CHECK: declined widen-pointer: the elements are volatile
kernel void of_volatile(volatile global uchar *p) { p[0] = 1; }

// CHECK: declined widen-pointer: the kernel is called by other code or declared more than once
kernel void inner(global uchar *p) { p[0] = 1; }
// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void calls(global uchar *p) { inner(p); }

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void loads(global uchar *p, global uchar4 *out) { out[0] = vload4(0, p); }

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void copies(global short *p, int y) {
  global short *row = p + 8 * y;
  row[0] = 1;
}

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void casts(global short *p, global int *out) {
  out[0] = *(global int *)p;
}

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void addresses(global short *p, global int *out) {
  global short *q = &p[3];
  out[0] = *q;
}

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void compares(global short *p, global int *out) {
  if (p)
    out[0] = p[0];
}

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void measures(global short *p, global int *out) { out[0] = sizeof(p[0]); }

// CHECK: declined widen-pointer: the pointer is used other than to read or write one element
kernel void walks(global short *p, global int *out) { out[0] = *p++; }

// CHECK: declined widen-pointer: the value of an assignment to an element is used
kernel void value_used(global uchar *p, global int *out) { out[0] = p[0] = out[1]; }

// CHECK: declined widen-pointer: the element or the value of a compound assignment has side effects, or the element depends on another
kernel void index_acts(global uchar *p, int i) {
  p[i++] += 2;
  p[i] = 3;
}

// CHECK: declined widen-pointer: the element or the value of a compound assignment has side effects, or the element depends on another
kernel void value_acts(global uchar *p, global int *at) {
  p[at[0]] += atomic_inc(at);
}

// CHECK: declined widen-pointer: the value of an assignment to an element is used
kernel void statement_value(global uchar *p, global int *out) {
  out[0] = ({ p[0] = out[1]; });
}

#define ELEMENT p[1]
// CHECK: declined widen-pointer: an access to an element comes from a macro's body
kernel void by_macro(global uchar *p, global int *out) {
  uchar u = ELEMENT;
  out[0] = u;
}
//--- widen.cl
// Widening that truncates.
kernel void k(global const short *in, global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] * 3;
}
//--- widen-wrong.cl
kernel void k(global const short *in, global int *out) {
  int i = get_global_id(0);
  out[i] = (short)(in[i] * 3);
}
