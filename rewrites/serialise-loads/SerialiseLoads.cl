// serialise-loads: which loads are a chain, the text of the alternatives, and
// the sites that are declined.
//
// PAIR: before.cl after.cl
// PAIR: before.cl rolled.cl --alternative=roll-last-2
// PAIR: image.cl image-after.cl
// RACES: image-after.cl no: oclgrind takes an image's pixels for uninitialised
// WRONG: after.cl cross16 in[i + 1] => in[i + 2]
//
// It pays where values are wide.
// RUN: split-file %s %t
// RUN: not clrewrite --only=serialise-loads --verify=off --target=gfx600 --only-target %t/before.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: serialise-loads [roll-last-2] (exact): gfx600: occupancy rises from

//--- before.cl
kernel void cross16(global const float16 *in, global float16 *out, int w) {
  int i = get_global_id(0);
  out[i] = in[i + w] + in[i] + in[i + 1] + in[i + 2] + in[i + 2 * w];
}
kernel void corners8(global const int8 *in, global int8 *out, int a, int b,
                     int c, int d) {
  int i = get_global_id(0);
  int8 sum = in[i + a] + in[i + b] - in[i + c] - in[i + d];
  out[i] = sum;
}
kernel void with_vload(global const float *in, global float8 *out, int w) {
  int i = get_global_id(0);
  float8 s;
  s = convert_float8(*(global const int8 *)(in + 8 * i)) +
      vload8(i + w, in) * 0.5f +
      *(global const float8 *)&in[8 * (i + 3)] /* the last */;
  out[i] = s;
}
kernel void scalars(global const uchar *in, global uchar *out, local int *l,
                    constant uint *table) {
  int i = get_global_id(0), t = get_local_id(0);
  l[t] = i;
  if (i & 1)
    out[i] = (in[i] + in[i + 1] + in[i + 3]) >> 1;
  else
    out[i] = l[t] * 3 - in[i] - in[i + 2];
  uint mix = table[in[i] & 3] ^ table[in[i + 1] & 3] ^ table[in[i + 2] & 3];
  out[i] += mix;
}
struct cell {
  float4 value;
};
kernel void cells(global const struct cell *c, global float4 *out) {
  int i = get_global_id(0);
  out[i] = c[i].value - (c + 1)->value - c[i + 2].value;
}
//--- after.cl
kernel void cross16(global const float16 *in, global float16 *out, int w) {
  int i = get_global_id(0);
  float16 combined = in[i + w];
  combined += in[i],
      combined += in[i + 1],
      combined += in[i + 2],
      combined += in[i + 2 * w];
  out[i] = combined;
}
kernel void corners8(global const int8 *in, global int8 *out, int a, int b,
                     int c, int d) {
  int i = get_global_id(0);
  int8 sum = in[i + a];
  sum += in[i + b],
      sum -= in[i + c],
      sum -= in[i + d];
  out[i] = sum;
}
kernel void with_vload(global const float *in, global float8 *out, int w) {
  int i = get_global_id(0);
  float8 s;
  /* the last */
  s = convert_float8(*(global const int8 *)(in + 8 * i)),
      s += vload8(i + w, in) * 0.5f,
      s += *(global const float8 *)&in[8 * (i + 3)];
  out[i] = s;
}
kernel void scalars(global const uchar *in, global uchar *out, local int *l,
                    constant uint *table) {
  int i = get_global_id(0), t = get_local_id(0);
  l[t] = i;
  if (i & 1)
    { int combined = in[i];
    combined += in[i + 1],
        combined += in[i + 3];
    out[i] = (combined) >> 1; }
  else
    { int combined2 = l[t];
    combined2 *= 3,
        combined2 -= in[i],
        combined2 -= in[i + 2];
    out[i] = combined2; }
  uint mix = table[in[i] & 3];
  mix ^= table[in[i + 1] & 3],
      mix ^= table[in[i + 2] & 3];
  out[i] += mix;
}
struct cell {
  float4 value;
};
kernel void cells(global const struct cell *c, global float4 *out) {
  int i = get_global_id(0);
  float4 combined = c[i].value;
  combined -= (c + 1)->value,
      combined -= c[i + 2].value;
  out[i] = combined;
}
//--- rolled.cl
kernel void cross16(global const float16 *in, global float16 *out, int w) {
  int i = get_global_id(0);
  float16 combined = in[i + w];
  combined += in[i];
  combined += in[i + 1];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term)
    combined += in[i + (term ? (2 * w) : 2)];
  out[i] = combined;
}
kernel void corners8(global const int8 *in, global int8 *out, int a, int b,
                     int c, int d) {
  int i = get_global_id(0);
  int8 sum = in[i + a];
  sum += in[i + b];
  __attribute__((opencl_unroll_hint(1)))
  for (int term = 0; term < 2; ++term)
    sum -= in[i + (term ? d : c)];
  out[i] = sum;
}
kernel void with_vload(global const float *in, global float8 *out, int w) {
  int i = get_global_id(0);
  float8 s;
  s = convert_float8(*(global const int8 *)(in + 8 * i)) +
      vload8(i + w, in) * 0.5f +
      *(global const float8 *)&in[8 * (i + 3)] /* the last */;
  out[i] = s;
}
kernel void scalars(global const uchar *in, global uchar *out, local int *l,
                    constant uint *table) {
  int i = get_global_id(0), t = get_local_id(0);
  l[t] = i;
  if (i & 1)
    { int combined = in[i];
    __attribute__((opencl_unroll_hint(1)))
    for (int term = 0; term < 2; ++term)
      combined += in[(i + (1 + 2 * term))];
    out[i] = (combined) >> 1; }
  else
    { int combined2 = l[t];
    combined2 *= 3;
    __attribute__((opencl_unroll_hint(1)))
    for (int term2 = 0; term2 < 2; ++term2)
      combined2 -= in[(i + 2 * term2)];
    out[i] = combined2; }
  uint mix = table[in[i] & 3];
  __attribute__((opencl_unroll_hint(1)))
  for (int term3 = 0; term3 < 2; ++term3)
    mix ^= table[in[(i + (1 + term3))] & 3];
  out[i] += mix;
}
struct cell {
  float4 value;
};
kernel void cells(global const struct cell *c, global float4 *out) {
  int i = get_global_id(0);
  out[i] = c[i].value - (c + 1)->value - c[i + 2].value;
}
//--- image.cl
kernel void pixels(read_only image2d_t image, sampler_t s, global float4 *out) {
  int x = get_global_id(0);
  out[x] = read_imagef(image, s, (int2)(x, 0)) +
           read_imagef(image, s, (int2)(x, 1)) +
           read_imagef(image, s, (int2)(x, 2));
}
//--- image-after.cl
kernel void pixels(read_only image2d_t image, sampler_t s, global float4 *out) {
  int x = get_global_id(0);
  float4 combined = read_imagef(image, s, (int2)(x, 0));
  combined += read_imagef(image, s, (int2)(x, 1)),
      combined += read_imagef(image, s, (int2)(x, 2));
  out[x] = combined;
}
//--- declines.cl
#define AT(k) in[i + (k)]
kernel void declined(global const float4 *in, global float4 *out, int n,
                     volatile global float4 *v) {
  int i = get_global_id(0);
  // CHECK: declined serialise-loads: the expression, or a part of its statement, comes from a macro or holds a preprocessor directive
  out[i] = AT(0) + AT(1) + AT(2);
  // CHECK: declined serialise-loads: the loads are evaluated on some paths only (?:, &&, ||), or not in a statement of their own
  out[i] = n ? in[i] + in[i + 1] + in[i + 2] : in[i];
  // CHECK: declined serialise-loads: an operand has side effects
  out[i] = in[n++] + in[i + 1] + in[i + 2];
  // CHECK: declined serialise-loads: an operand has side effects
  out[i] = v[i] + in[i + 1] + in[i + 2];
  // CHECK: declined serialise-loads: the rest of the statement has side effects or declares several variables
  out[n++] = in[i] + in[i + 1] + in[i + 2];
  // CHECK: declined serialise-loads: a compiler may contract a float product with the sum that it feeds; taken apart, another product might be contracted, and the last bit could differ
  out[i] += in[i] * in[i + 1] * in[i + 2] * in[i + 3];
}
kernel void not_sites(global const float4 *in, global float4 *out) {
  int i = get_global_id(0);
  float4 own[3] = {in[i], in[i + 1], in[i + 2]};
  out[i] = own[0] + own[1] + own[2];
  out[i + 1] = in[i] + in[i + 1];
  out[i + 2] = in[i].x + in[i].y * 2;
  out[i + 3] = vload4(0, (global const float *)in) +
               vload4(1, (global const float *)in) +
               vload4(2, (global const float *)in);
}
//--- order.cl
// The order of evaluation, with side effects.
int next(global int *state) { return state[0] = state[0] * 5 + 1; }
kernel void k(global int *state, global int *out) {
  int i = get_global_id(0);
  int a = next(state + i);
  int b = next(state + i);
  out[i] = a - b;
}
//--- order-wrong.cl
int next(global int *state) { return state[0] = state[0] * 5 + 1; }
kernel void k(global int *state, global int *out) {
  int i = get_global_id(0);
  int b = next(state + i);
  int a = next(state + i);
  out[i] = a - b;
}
