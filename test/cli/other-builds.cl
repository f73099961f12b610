// Edits hold for other build options too: what takes a macro apart that may be
// another one, or writes out a type that may be, is declined.
//
// RUN: split-file %s %t
// RUN: not clrewrite --no-measure --verify=off --only=split-vector --verbose %t/types.cl -- -D GIVEN=float | FileCheck %t/types.cl --implicit-check-not=declined --implicit-check-not=legal:
// RUN: not clrewrite --no-measure --verify=off --only=serialise-vload,roll-terms --verbose %t/macros.cl | FileCheck %t/macros.cl --implicit-check-not=declined --implicit-check-not=legal:
// RUN: clrewrite --no-measure --verify=off --only=split-vector --verbose %t/functions.cl | FileCheck %t/functions.cl --implicit-check-not=declined --implicit-check-not=legal:
// RUN: clrewrite --no-measure --verify=off --only=hoist-invariant --verbose %t/moved.cl | FileCheck %t/moved.cl --implicit-check-not=declined --implicit-check-not=legal:
// RUN: not clrewrite --no-measure --verify=off --only=serialise-loads --verbose %t/headed.cl | FileCheck %t/headed.cl --implicit-check-not=declined --implicit-check-not=legal:

//--- float.h
#ifndef FLOAT_H
#define FLOAT_H
#define SINGLE float
#ifndef SAMPLE
#define SAMPLE float
#endif
typedef SINGLE single;
#endif
//--- types.cl
#include "float.h"
#ifndef PIXEL
#define PIXEL float
#endif
#define REAL \
  float
#ifdef DOUBLE
typedef double real;
#else
typedef float real;
#endif
typedef struct {
  real x;
  struct { float4 y; } inner;
} pair;
typedef struct { float x; } one;
typedef REAL fine;
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define PIXEL4 JOINED(PIXEL, 4)
#define REAL4 JOINED(REAL, 4)
#ifndef LOAD
#define LOAD vload4
#endif

// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_macro(global const PIXEL *in, global float *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_option(global const GIVEN *in, global float *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: legal: split-vector
kernel void from_one_macro(global const REAL *in, global float *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_typedefs(global const real *in, global float *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
// What the compiler's own macros give is fixed.
// CHECK-DAG: :[[@LINE+2]]: legal: split-vector
kernel void from_one_typedef(global const fine *in, constant one *all, global float *out) {
  float4 x = vload4(1, in) + all->x;
  x += (float4)(FLT_MAX / 2) * M_PI_F;
  vstore4(x, get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_field(global const float *in, constant pair *all, global float *out) {
  vstore4(vload4(1, in) * (float4)all->x, get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: a macro in what it would replace may be another one with other build options: 'PIXEL4'
kernel void pasted(global const float *in, global float *out) {
  PIXEL4 x = vload4(1, in);
  vstore4(x, get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: legal: split-vector
kernel void pasted_of_one(global const float *in, global float *out) {
  REAL4 x = vload4(1, in);
  vstore4(x, get_global_id(0), out);
}
PIXEL factor(int i) {
  return i;
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_function(global const float *in, global float *out) {
  vstore4(vload4(1, in) * (float4)factor(3), get_global_id(0), out);
}
constant PIXEL table[2] = {1, 2};
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void from_table(global const float *in, global float *out) {
  vstore4(vload4(1, in) * (float4)table[1], get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: a macro in what it would replace may be another one with other build options: 'LOAD'
kernel void by_macro(global const float *in, global float *out) {
  vstore4(LOAD(1, in), get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: declined split-vector: the code there may mean something else with other build options
kernel void included(global const SAMPLE *in, global float *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
// CHECK-DAG: :[[@LINE+2]]: legal: split-vector
kernel void included_once(global const single *in, global SINGLE *out) {
  vstore4(vload4(1, in), get_global_id(0), out);
}
//--- macros.cl
#ifdef PRODUCT
#define OF *
#else
#define OF +
#endif
#define MINUS -
#ifndef COUNT
#define COUNT 3
#endif
kernel void operator_of_builds(global const int *in, global int8 *out) {
  int8 sum = out[get_global_id(0)];
// CHECK-DAG: :[[@LINE+1]]: declined serialise-vload: a macro in what it would replace may be another one with other build options
  sum += vload8(0, in) OF vload8(1, in + 8) OF vload8(2, in);
  out[get_global_id(0)] = sum;
}
#define AGAIN +
#ifdef PRODUCT
/* A directive as well. */ %:undef AGAIN
/* And this. */ # /**/ define AGAIN *
#endif
kernel void operator_behind_comments(global const int *in, global int8 *out) {
  int8 sum = out[get_global_id(0)];
// CHECK-DAG: :[[@LINE+1]]: declined serialise-vload: a macro in what it would replace may be another one with other build options
  sum += vload8(0, in) AGAIN vload8(1, in + 8) AGAIN vload8(2, in);
  out[get_global_id(0)] = sum;
}
kernel void one_operator(global const int *in, global int8 *out) {
  int8 sum = out[get_global_id(0)];
// CHECK-DAG: :[[@LINE+1]]: legal: serialise-vload
  sum += vload8(0, in) MINUS vload8(1, in + 8) MINUS vload8(2, in);
  out[get_global_id(0)] = sum;
}
// A number that stays is the one that it is.
kernel void number(global const int *in, global int8 *out) {
  int8 sum = out[get_global_id(0)];
// CHECK-DAG: :[[@LINE+1]]: legal: serialise-vload
  sum += vload8(0, in) + vload8(1, in + COUNT) + vload8(COUNT, in);
  out[get_global_id(0)] = sum;
}
kernel void steps(global const float4 *in, global float4 *out) {
  int i = get_global_id(0);
  float4 a = in[i], b = in[i + COUNT], c = in[i + 2 * COUNT];
  // CHECK-DAG: :[[@LINE+1]]: legal: roll-terms
  out[i] = a + b + c;
}
//--- functions.cl
#ifdef SATURATED
#define CONVERT(x) convert_uchar8_sat(x)
#else
#define CONVERT(x) convert_uchar8(x)
#endif
// CHECK: declined split-vector: something that must change comes from a macro or another file, or a preprocessor directive stands between
kernel void parts(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  int8 x = convert_int8(vload8(i, in));
  x = x * 3 + 1;
  vstore8(CONVERT(x), i, out);
}
//--- moved.cl
#ifdef WIDE
typedef ulong word;
#else
typedef uint word;
#endif
#ifndef NUMBER
#define NUMBER int
#endif

void fill(uint *to, word from) {
  for (int i = 0; i < 8; ++i)
    to[i] = from * i;
}

// CHECK: :[[@LINE+2]]: declined hoist-invariant: the code there may mean something else with other build options: {{.*}}: 'word' in line
kernel void moves(global uint *out, word key, int n) {
  for (int i = 0; i < n; ++i) {
    uint w[8];
    fill(w, key);
    out[i] += w[i & 7];
  }
}
// With other options the counter has no sign, and -1 is far above 0.
typedef NUMBER number;
// CHECK: :[[@LINE+2]]: declined hoist-invariant: the code there may mean something else with other build options: {{.*}}: 'number' in line
kernel void asks(global uint *out, number key, int n) {
  for (number i = 0; i < n; ++i) {
    uint w[8];
    fill(w, key);
    out[i] += w[i & 7];
  }
}
//--- headed.cl
// One statement becomes several: a branch before it would be about the first alone.
#ifdef SOME
#define WHERE(c) if (c)
#else
#define WHERE(c)
#endif
kernel void headed(global const uint *p, global uint *out, int i, int w) {
  uint s = 0;
#ifdef SOME
  if (i > 3)
#endif
// CHECK-DAG: :[[@LINE+1]]: declined serialise-loads: a branch or a loop may stand before its statement with other build options, and be about the first of several then: 'if (i > 3)'; put the statement into braces
  s = p[i] + p[i + 1] + p[i + w] + p[i + 3 * w];
  out[0] = s;
// CHECK-DAG: :[[@LINE+1]]: declined serialise-loads: a branch or a loop may stand before its statement with other build options, and be about the first of several then: 'WHERE(i > 3)'; put the statement into braces
  WHERE(i > 3) s = p[i] + p[i + 1] + p[i + w] + p[i + 3 * w];
  out[1] = s;
#ifdef SOME
  for (int k = 0; k < 2; ++k)
#else
  ++s;
#endif
// CHECK-DAG: :[[@LINE+1]]: declined serialise-loads: a branch or a loop may stand before its statement with other build options, and be about the first of several then: 'for (int k = 0; k < 2; ++k)'; put the statement into braces
  s += p[i] + p[i + 1] + p[i + w] + p[i + 3 * w];
  out[2] = s;
// What stands there ends in each build.
#ifdef SOME
  s *= 3;
#elif defined(OTHERS)
  if (i > 3)
    s = 3;
#endif
// CHECK-DAG: :[[@LINE+1]]: legal: serialise-loads
  s += p[i] + p[i + 1] + p[i + w] + p[i + 3 * w];
  out[3] = s;
}
