// align-access: each alternative's text, and the functions that are declined.
//
// PAIR: before.cl after.cl
// AGAIN-after-COUNT-2: declined align-access: no vloadN or vstoreN is of 2
// PAIR: before.cl plain.cl --alternative=plain --unsafe-fixes
// FIX-plain: applied align-access [plain] (assumes): legal; not measured
// FIX-plain-NEXT: note: the buffers 'out', 'in' start at a multiple of 16 bytes, as memory objects do (an SVM pointer, or host memory in use, may not)
// AGAIN-plain-COUNT-2: declined align-access: no vloadN or vstoreN is of 2
// PAIR: before.cl plain-all.cl --alternative=plain-all --unsafe-fixes
// FIX-plain-all: host memory in use, may not), the addresses 'in + (n - n % 4)', 'in + 2 * i' are multiples of 16 bytes
// FIX-plain-all: note: the address 'in + n' is a multiple of 8 bytes
// AGAIN-plain-all-COUNT-2: declined align-access: no vloadN or vstoreN is of 2
// VERIFY: plain-all.cl no: guessed arguments don't keep what it assumes of addresses
// WRONG: after.cl doubled ((const __global ushort8 *)at)[index2] => ((const __global ushort8 *)at)[0]
//
// `n` is an offset: guessed, it leads out of `in`. oclgrind 21.10 dies of
// (float4)(vector2, vector2), with which align-access loads what is not aligned
// (SIGSEGV, also for a kernel that does nothing else): so the pair's third kernel
// is left out.
// RACES: after.cl --kernel=doubled
// RACES: after.cl --kernel=spaces --global=8 --local=8 --set=n=3
// RACES: plain.cl --kernel=doubled
// RACES: plain.cl --kernel=spaces --global=8 --local=8 --set=n=3
// RACES: plain-all.cl no: guessed arguments don't keep what it assumes of addresses
//
// The elements are what the program says in every build.
// PAIR: own.cl own-after.cl
// RACES: own-after.cl --kernel=relu
// WRONG: own-after.cl relu ((const __global T8 *)at)[index] => ((const __global T8 *)at)[index + 1]
//
// A loop whose buffers are aligned has no test in it.
// PAIR: loops.cl loops-after.cl
// AGAIN-loops-after: is not looked at in any build
// RACES: loops-after.cl --kernel=both --set=n=2
// WRONG: loops-after.cl most ((const __global float4 *)at)[index] => ((const __global float4 *)at)[index + 1]
//
// RUN: split-file %s %t
// RUN: clrewrite verify --set=n=3 %t/loops.cl %t/loops-after.cl -- -D STRIDE=3 -D ODD -D OFF=1 | FileCheck %s --check-prefix=LOOPS
// LOOPS-DAG: {{^}}apart: same
// LOOPS-DAG: {{^}}both: same
// LOOPS-DAG: {{^}}calling: same
// LOOPS-DAG: {{^}}chosen: same
// LOOPS-DAG: {{^}}hidden: same
// LOOPS-DAG: {{^}}most: same
// LOOPS-DAG: {{^}}constants: same
// LOOPS-DAG: {{^}}named: same
// LOOPS-DAG: {{^}}strided: same
// An initialiser that names its own variable is no value.
// RUN: cp %t/itself.cl %t/itself-out.cl
// RUN: clrewrite --only=align-access --no-measure --verify=off --fix %t/itself-out.cl | FileCheck %s --check-prefix=ITSELF
// ITSELF: applied align-access [tested]
//
// A header that an arm of an #if includes defines a macro for some builds.
// RUN: cp %t/included.cl %t/included-out.cl
// RUN: clrewrite --only=align-access --no-measure --verify=off --fix %t/included-out.cl -- -I %t | FileCheck %s --check-prefix=ITSELF
//
// RUN: clrewrite verify %t/own.cl %t/own-after.cl -- -D WIDE -D CLIP=6 | FileCheck %s --check-prefix=WIDE
// WIDE: relu: same
// WIDE: shift: same
// RUN: cp %t/before.cl %t/generic.cl
// RUN: clrewrite --only=align-access --no-measure --fix %t/generic.cl -- -cl-std=CL2.0
// RUN: diff -u %t/after.cl %t/generic.cl

//--- before.cl
// Doubles.
typedef float4 row_t;

/* Stands with its kernel. */
// And so does this.
__kernel void doubled(__global const ushort *in, __global ushort *out) {
  size_t i = get_global_id(0);
  vstore8(vload8(i, in) /* stays */ * (ushort8)(2), i, out);
}
#define index 7
// Some addresses are told, and others are not.
__kernel void offsets(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  const int base = 8 * i;
  const __global float *rows = in + 16;
  row_t sum = vload4(i, (__global const float *)in + (base & ~3)) +
              vload4(0, &rows[base + (i << 2)]) + vload4(1, rows - 4 * n);
  sum += vload4(0, in + (n - n % 4)) + vload4(0, in + 2 * i);
  sum.xyz += vload3(i, in);
  if (i < n)
    vstore4(sum, 0, out + 4 * i);
  else
    vstore4(-sum, i, out);
}
static inline float2 tap(const __global float *in, int n) {
  return vload2(0, in + n);
}
__kernel void spaces(__global const float *in, __global double2 *out,
                     __constant double *table, __local char *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  vstore4((char4)(l, 1, 2, 3), l, tile);
  char4 mine = vload4(l, tile);
  float kept[4] = {mine.x, mine.y, mine.z, mine.w};
  out[i] = convert_double2(tap(in, n) + vload2(1, kept)) + vload2(0, table);
}
//--- after.cl
// Doubles.
typedef float4 row_t;

ushort8 doubled_load_ushort8(size_t index2, const __global ushort *at) {
  if (((uintptr_t)at & (sizeof(ushort8) - 1)) == 0)
    return ((const __global ushort8 *)at)[index2];
  return (ushort8)(vload4(2 * index2, at), vload4(2 * index2 + 1, at));
}

void doubled_store_ushort8(ushort8 value, size_t index2, __global ushort *at) {
  if (((uintptr_t)at & (sizeof(ushort8) - 1)) == 0)
    ((__global ushort8 *)at)[index2] = value;
  else
    vstore8(value, index2, at);
}

/* Stands with its kernel. */
// And so does this.
__kernel void doubled(__global const ushort *in, __global ushort *out) {
  size_t i = get_global_id(0);
  doubled_store_ushort8(doubled_load_ushort8(i, in) /* stays */ * (ushort8)(2), i, out);
}
#define index 7
float4 offsets_load_float4(size_t index2, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index2];
  return (float4)(vload2(2 * index2, at), vload2(2 * index2 + 1, at));
}

void offsets_store_float4(float4 value, size_t index2, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index2] = value;
  else
    vstore4(value, index2, at);
}

// Some addresses are told, and others are not.
__kernel void offsets(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  const int base = 8 * i;
  const __global float *rows = in + 16;
  row_t sum = offsets_load_float4(i, (__global const float *)in + (base & ~3)) +
              offsets_load_float4(0, &rows[base + (i << 2)]) + offsets_load_float4(1, rows - 4 * n);
  sum += offsets_load_float4(0, in + (n - n % 4)) + offsets_load_float4(0, in + 2 * i);
  sum.xyz += vload3(i, in);
  if (i < n)
    offsets_store_float4(sum, 0, out + 4 * i);
  else
    offsets_store_float4(-sum, i, out);
}
static inline float2 tap_load_float2(size_t index2, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float2) - 1)) == 0)
    return ((const __global float2 *)at)[index2];
  return (float2)(at[2 * index2], at[2 * index2 + 1]);
}

static inline float2 tap(const __global float *in, int n) {
  return tap_load_float2(0, in + n);
}
double2 spaces_load_constant_double2(size_t index2, __constant double *at) {
  if (((uintptr_t)at & (sizeof(double2) - 1)) == 0)
    return ((__constant double2 *)at)[index2];
  return (double2)(at[2 * index2], at[2 * index2 + 1]);
}

char4 spaces_load_local_char4(size_t index2, const __local char *at) {
  if (((uintptr_t)at & (sizeof(char4) - 1)) == 0)
    return ((const __local char4 *)at)[index2];
  return (char4)(vload2(2 * index2, at), vload2(2 * index2 + 1, at));
}

void spaces_store_local_char4(char4 value, size_t index2, __local char *at) {
  if (((uintptr_t)at & (sizeof(char4) - 1)) == 0)
    ((__local char4 *)at)[index2] = value;
  else
    vstore4(value, index2, at);
}

__kernel void spaces(__global const float *in, __global double2 *out,
                     __constant double *table, __local char *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  spaces_store_local_char4((char4)(l, 1, 2, 3), l, tile);
  char4 mine = spaces_load_local_char4(l, tile);
  float kept[4] = {mine.x, mine.y, mine.z, mine.w};
  out[i] = convert_double2(tap(in, n) + vload2(1, kept)) + spaces_load_constant_double2(0, table);
}
//--- plain.cl
// Doubles.
typedef float4 row_t;

ushort8 doubled_load_aligned_ushort8(size_t index2, const __global ushort *at) {
  return ((const __global ushort8 *)at)[index2];
}

void doubled_store_aligned_ushort8(ushort8 value, size_t index2,
                                   __global ushort *at) {
  ((__global ushort8 *)at)[index2] = value;
}

/* Stands with its kernel. */
// And so does this.
__kernel void doubled(__global const ushort *in, __global ushort *out) {
  size_t i = get_global_id(0);
  doubled_store_aligned_ushort8(doubled_load_aligned_ushort8(i, in) /* stays */ * (ushort8)(2), i, out);
}
#define index 7
float4 offsets_load_aligned_float4(size_t index2, const __global float *at) {
  return ((const __global float4 *)at)[index2];
}

float4 offsets_load_float4(size_t index2, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index2];
  return (float4)(vload2(2 * index2, at), vload2(2 * index2 + 1, at));
}

void offsets_store_aligned_float4(float4 value, size_t index2,
                                  __global float *at) {
  ((__global float4 *)at)[index2] = value;
}

// Some addresses are told, and others are not.
__kernel void offsets(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  const int base = 8 * i;
  const __global float *rows = in + 16;
  row_t sum = offsets_load_aligned_float4(i, (__global const float *)in + (base & ~3)) +
              offsets_load_aligned_float4(0, &rows[base + (i << 2)]) + offsets_load_aligned_float4(1, rows - 4 * n);
  sum += offsets_load_float4(0, in + (n - n % 4)) + offsets_load_float4(0, in + 2 * i);
  sum.xyz += vload3(i, in);
  if (i < n)
    offsets_store_aligned_float4(sum, 0, out + 4 * i);
  else
    offsets_store_aligned_float4(-sum, i, out);
}
static inline float2 tap(const __global float *in, int n) {
  return vload2(0, in + n);
}
double2 spaces_load_aligned_constant_double2(size_t index2,
                                             __constant double *at) {
  return ((__constant double2 *)at)[index2];
}

char4 spaces_load_local_char4(size_t index2, const __local char *at) {
  if (((uintptr_t)at & (sizeof(char4) - 1)) == 0)
    return ((const __local char4 *)at)[index2];
  return (char4)(vload2(2 * index2, at), vload2(2 * index2 + 1, at));
}

void spaces_store_local_char4(char4 value, size_t index2, __local char *at) {
  if (((uintptr_t)at & (sizeof(char4) - 1)) == 0)
    ((__local char4 *)at)[index2] = value;
  else
    vstore4(value, index2, at);
}

__kernel void spaces(__global const float *in, __global double2 *out,
                     __constant double *table, __local char *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  spaces_store_local_char4((char4)(l, 1, 2, 3), l, tile);
  char4 mine = spaces_load_local_char4(l, tile);
  float kept[4] = {mine.x, mine.y, mine.z, mine.w};
  out[i] = convert_double2(tap(in, n) + vload2(1, kept)) + spaces_load_aligned_constant_double2(0, table);
}
//--- plain-all.cl
// Doubles.
typedef float4 row_t;

/* Stands with its kernel. */
// And so does this.
__kernel void doubled(__global const ushort *in, __global ushort *out) {
  size_t i = get_global_id(0);
  vstore8(vload8(i, in) /* stays */ * (ushort8)(2), i, out);
}
#define index 7
float4 offsets_load_aligned_float4(size_t index2, const __global float *at) {
  return ((const __global float4 *)at)[index2];
}

void offsets_store_aligned_float4(float4 value, size_t index2,
                                  __global float *at) {
  ((__global float4 *)at)[index2] = value;
}

// Some addresses are told, and others are not.
__kernel void offsets(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  const int base = 8 * i;
  const __global float *rows = in + 16;
  row_t sum = offsets_load_aligned_float4(i, (__global const float *)in + (base & ~3)) +
              offsets_load_aligned_float4(0, &rows[base + (i << 2)]) + offsets_load_aligned_float4(1, rows - 4 * n);
  sum += offsets_load_aligned_float4(0, in + (n - n % 4)) + offsets_load_aligned_float4(0, in + 2 * i);
  sum.xyz += vload3(i, in);
  if (i < n)
    offsets_store_aligned_float4(sum, 0, out + 4 * i);
  else
    offsets_store_aligned_float4(-sum, i, out);
}
static inline float2 tap_load_aligned_float2(size_t index2,
                                             const __global float *at) {
  return ((const __global float2 *)at)[index2];
}

static inline float2 tap(const __global float *in, int n) {
  return tap_load_aligned_float2(0, in + n);
}
double2 spaces_load_aligned_constant_double2(size_t index2,
                                             __constant double *at) {
  return ((__constant double2 *)at)[index2];
}

char4 spaces_load_aligned_local_char4(size_t index2, const __local char *at) {
  return ((const __local char4 *)at)[index2];
}

void spaces_store_aligned_local_char4(char4 value, size_t index2,
                                      __local char *at) {
  ((__local char4 *)at)[index2] = value;
}

__kernel void spaces(__global const float *in, __global double2 *out,
                     __constant double *table, __local char *tile, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  spaces_store_aligned_local_char4((char4)(l, 1, 2, 3), l, tile);
  char4 mine = spaces_load_aligned_local_char4(l, tile);
  float kept[4] = {mine.x, mine.y, mine.z, mine.w};
  out[i] = convert_double2(tap(in, n) + vload2(1, kept)) + spaces_load_aligned_constant_double2(0, table);
}
//--- own.cl
#ifdef WIDE
#define T double
#define T8 double8
#else
#define T float
#define T8 float8
#endif
#define SIZES const int width, const int height,
#ifdef WIDE
#define MORE
#else
#define MORE const int depth,
#endif
kernel void relu(global const T *in, global T *out) {
  int i = get_global_id(0) << 3;
  T8 x = vload8(0, in + i);
#ifdef CLIP
  x = min(x, (T8)(CLIP));
#endif
  vstore8(max(x, (T8)(0)), 0, out + i);
}
// The program has no names for four and two of T.
kernel void shift(MORE SIZES __global const T *restrict in, __global T *out, __global T *pairs
#ifdef CLIP
                  , float unused
#endif
) {
  int i = get_global_id(0);
  const global T *row = in + 4 * i;
  vstore4(vload4(0, &row[width]) + vload4(width, in), i, out);
  vstore2(vload2(i, row + height), i, pairs);
}
//--- own-after.cl
#ifdef WIDE
#define T double
#define T8 double8
#else
#define T float
#define T8 float8
#endif
#define SIZES const int width, const int height,
#ifdef WIDE
#define MORE
#else
#define MORE const int depth,
#endif
T8 relu_load_T8(size_t index, const __global T *at) {
  if (((uintptr_t)at & (sizeof(T8) - 1)) == 0)
    return ((const __global T8 *)at)[index];
  return (T8)(vload4(2 * index, at), vload4(2 * index + 1, at));
}

void relu_store_T8(T8 value, size_t index, __global T *at) {
  if (((uintptr_t)at & (sizeof(T8) - 1)) == 0)
    ((__global T8 *)at)[index] = value;
  else
    vstore8(value, index, at);
}

kernel void relu(global const T *in, global T *out) {
  int i = get_global_id(0) << 3;
  T8 x = relu_load_T8(0, in + i);
#ifdef CLIP
  x = min(x, (T8)(CLIP));
#endif
  relu_store_T8(max(x, (T8)(0)), 0, out + i);
}
typedef T shift_T2 __attribute__((ext_vector_type(2)));
shift_T2 shift_load_T2(size_t index, const __global T *at) {
  if (((uintptr_t)at & (sizeof(shift_T2) - 1)) == 0)
    return ((const __global shift_T2 *)at)[index];
  return (shift_T2)(at[2 * index], at[2 * index + 1]);
}

typedef T shift_T4 __attribute__((ext_vector_type(4)));
shift_T4 shift_load_T4(size_t index, const __global T *at) {
  if (((uintptr_t)at & (sizeof(shift_T4) - 1)) == 0)
    return ((const __global shift_T4 *)at)[index];
  return (shift_T4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void shift_store_T2(shift_T2 value, size_t index, __global T *at) {
  if (((uintptr_t)at & (sizeof(shift_T2) - 1)) == 0)
    ((__global shift_T2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

void shift_store_T4(shift_T4 value, size_t index, __global T *at) {
  if (((uintptr_t)at & (sizeof(shift_T4) - 1)) == 0)
    ((__global shift_T4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

// The program has no names for four and two of T.
kernel void shift(MORE SIZES __global const T *restrict in, __global T *out, __global T *pairs
#ifdef CLIP
                  , float unused
#endif
) {
  int i = get_global_id(0);
  const global T *row = in + 4 * i;
  shift_store_T4(shift_load_T4(0, &row[width]) + shift_load_T4(width, in), i, out);
  shift_store_T2(shift_load_T2(i, row + height), i, pairs);
}
//--- loops.cl
#define NEXT(i) i = i + 1
kernel void most(global const float *in, global float *out, int w, int n) {
  int x = get_global_id(0);
  float4 best = -1.0f;
  // Every row.
  for (int i = 0; i < n; i++) {
    best = fmax(best, vload4(i * w + x, in)); // the loop's last line
  }
  vstore4(best, x, out);
}
kernel void both(global const float *in, global const uchar *weights, global float *out, int n) {
  int x = get_global_id(0);
  global const uchar *own = weights + 8 * x;
  float8 sum = 0;
  for (int i = 0; i < n; NEXT(i)) {
    sum += convert_float8(vload8(i, own)) * vload8(i, &in[16 * x]);
    switch (i & 3) {
    case 0:
      sum *= 0.5f;
      break;
    default:
      if (sum.x > 1000) {
        vstore8(sum, 2 * x, out);
        return;
      }
    }
  }
  vstore8(sum, 2 * x, out);
}
// Nothing tells that rows begin at a multiple of a vector; a label can't stand there twice;
// a loop may be about the next one.
kernel void apart(global const float *in, global float *out, int pitch, int n) {
  int x = get_global_id(0);
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += vload4(x, in + i * pitch);
  for (int i = 0; i < n; i++) {
    if (sum.x > 100)
      goto next;
    sum += vload4(i, in);
  next:;
  }
  if (n > 1)
    for (int i = 0; i < n; i++)
      sum += vload4(i, in);
  vstore4(sum, x, out);
}
// An offset that a macro is, or that is chosen by another build, is no multiple of 4 there.
#ifndef STRIDE
#define STRIDE 8
#endif
kernel void strided(global const float *in, global float *out, int n, int pitch) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += vload4(0, in + STRIDE * i);
  for (int i = 0; i < n; i++)
    sum += vload4(i, in) * vload4(0, in + i * pitch);
  vstore4(sum, get_global_id(0), out);
}
kernel void chosen(global const float *in, global float *out, int n) {
  float4 sum = 0;
#ifdef ODD
  int first = 3;
#else
  int first = 4;
#endif
  for (int i = 0; i < n; i++)
    sum += vload4(i, in + first);
  vstore4(sum, get_global_id(0), out);
}
// The name of the buffer is another variable's in front of the loop; the pointer moves; the
// argument is the program's own.
kernel void hidden(global const float *in, global float *out, int n) {
  float4 sum = 0;
  global const float *from = in;
  {
    float4 in = 3;
    for (int i = 0; i < n; i++)
      sum += vload4(i, from) * in;
  }
  for (int i = 0; i < n; i++) {
    sum += vload4(i, from);
    from += 2;
  }
  vstore4(sum, get_global_id(0), out);
}
void called(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += vload4(i, in);
  vstore4(sum, get_global_id(0), out);
}
kernel void calling(global const float *in, global float *out, int n) {
  called(in + 1, out, n);
}
// The constant is another one in another build; a name of the test is the program's own there.
#ifndef OFF
#define OFF 4
#endif
constant int start = OFF;
kernel void constants(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += vload4(i, in + start);
  vstore4(sum, get_global_id(0), out);
}
kernel void named(global const float *in, global float *out, int n) {
  int float4 = n / 2;
  for (int i = 0; i < float4; i++)
    vstore4(vload4(i, in), 8 * get_global_id(0) + i, out);
  global const float *from = in;
  {
    enum { in, other };
    for (int i = 0; i < float4; i++)
      vstore4(vload4(i, from), 8 * get_global_id(0) + i + 4, out);
  }
}
//--- loops-after.cl
#define NEXT(i) i = i + 1
float4 most_load_aligned_float4(size_t index, const __global float *at) {
  return ((const __global float4 *)at)[index];
}

void most_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

kernel void most(global const float *in, global float *out, int w, int n) {
  int x = get_global_id(0);
  float4 best = -1.0f;
  // Every row.
  // by clrewrite: aligned buffers need no test in the loop
  if (((uintptr_t)in & (sizeof(float4) - 1)) == 0) {
    for (int i = 0; i < n; i++) {
      best = fmax(best, most_load_aligned_float4(i * w + x, in)); // the loop's last line
    }
  } else {
    for (int i = 0; i < n; i++) {
      best = fmax(best, vload4(i * w + x, in)); // the loop's last line
    }
  }
  most_store_float4(best, x, out);
}
float8 both_load_aligned_float8(size_t index, const __global float *at) {
  return ((const __global float8 *)at)[index];
}

uchar8 both_load_aligned_uchar8(size_t index, const __global uchar *at) {
  return ((const __global uchar8 *)at)[index];
}

void both_store_aligned_float8(float8 value, size_t index, __global float *at) {
  ((__global float8 *)at)[index] = value;
}

void both_store_float8(float8 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float8) - 1)) == 0)
    ((__global float8 *)at)[index] = value;
  else
    vstore8(value, index, at);
}

kernel void both(global const float *in, global const uchar *weights, global float *out, int n) {
  int x = get_global_id(0);
  global const uchar *own = weights + 8 * x;
  float8 sum = 0;
  // by clrewrite: aligned buffers need no test in the loop
  if (((uintptr_t)weights & (sizeof(uchar8) - 1)) == 0 &&
      ((uintptr_t)in & (sizeof(float8) - 1)) == 0 &&
      ((uintptr_t)out & (sizeof(float8) - 1)) == 0) {
    for (int i = 0; i < n; NEXT(i)) {
      sum += convert_float8(both_load_aligned_uchar8(i, own)) * both_load_aligned_float8(i, &in[16 * x]);
      switch (i & 3) {
      case 0:
        sum *= 0.5f;
        break;
      default:
        if (sum.x > 1000) {
          both_store_aligned_float8(sum, 2 * x, out);
          return;
        }
      }
    }
  } else {
    for (int i = 0; i < n; NEXT(i)) {
      sum += convert_float8(vload8(i, own)) * vload8(i, &in[16 * x]);
      switch (i & 3) {
      case 0:
        sum *= 0.5f;
        break;
      default:
        if (sum.x > 1000) {
          vstore8(sum, 2 * x, out);
          return;
        }
      }
    }
  }
  both_store_float8(sum, 2 * x, out);
}
float4 apart_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void apart_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

// Nothing tells that rows begin at a multiple of a vector; a label can't stand there twice;
// a loop may be about the next one.
kernel void apart(global const float *in, global float *out, int pitch, int n) {
  int x = get_global_id(0);
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += apart_load_float4(x, in + i * pitch);
  for (int i = 0; i < n; i++) {
    if (sum.x > 100)
      goto next;
    sum += apart_load_float4(i, in);
  next:;
  }
  if (n > 1)
    for (int i = 0; i < n; i++)
      sum += apart_load_float4(i, in);
  apart_store_float4(sum, x, out);
}
// An offset that a macro is, or that is chosen by another build, is no multiple of 4 there.
#ifndef STRIDE
#define STRIDE 8
#endif
float4 strided_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void strided_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

kernel void strided(global const float *in, global float *out, int n, int pitch) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += strided_load_float4(0, in + STRIDE * i);
  for (int i = 0; i < n; i++)
    sum += strided_load_float4(i, in) * strided_load_float4(0, in + i * pitch);
  strided_store_float4(sum, get_global_id(0), out);
}
float4 chosen_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void chosen_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

kernel void chosen(global const float *in, global float *out, int n) {
  float4 sum = 0;
#ifdef ODD
  int first = 3;
#else
  int first = 4;
#endif
  for (int i = 0; i < n; i++)
    sum += chosen_load_float4(i, in + first);
  chosen_store_float4(sum, get_global_id(0), out);
}
float4 hidden_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void hidden_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

// The name of the buffer is another variable's in front of the loop; the pointer moves; the
// argument is the program's own.
kernel void hidden(global const float *in, global float *out, int n) {
  float4 sum = 0;
  global const float *from = in;
  {
    float4 in = 3;
    for (int i = 0; i < n; i++)
      sum += hidden_load_float4(i, from) * in;
  }
  for (int i = 0; i < n; i++) {
    sum += hidden_load_float4(i, from);
    from += 2;
  }
  hidden_store_float4(sum, get_global_id(0), out);
}
float4 called_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void called_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

void called(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += called_load_float4(i, in);
  called_store_float4(sum, get_global_id(0), out);
}
kernel void calling(global const float *in, global float *out, int n) {
  called(in + 1, out, n);
}
// The constant is another one in another build; a name of the test is the program's own there.
#ifndef OFF
#define OFF 4
#endif
constant int start = OFF;
float4 constants_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void constants_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

kernel void constants(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += constants_load_float4(i, in + start);
  constants_store_float4(sum, get_global_id(0), out);
}
float4 named_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

void named_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

kernel void named(global const float *in, global float *out, int n) {
  int float4 = n / 2;
  for (int i = 0; i < float4; i++)
    named_store_float4(named_load_float4(i, in), 8 * get_global_id(0) + i, out);
  global const float *from = in;
  {
    enum { in, other };
    for (int i = 0; i < float4; i++)
      named_store_float4(named_load_float4(i, from), 8 * get_global_id(0) + i + 4, out);
  }
}
//--- itself.cl
kernel void itself(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++) {
    int at = 4 * at;
    sum += vload4(i, in + at);
  }
  vstore4(sum, get_global_id(0), out);
}
//--- gpu.h
#define OFF 4
//--- cpu.h
#define OFF 1
//--- included.cl
#ifdef CPU
#include "cpu.h"
#else
#include "gpu.h"
#endif
kernel void included(global const float *in, global float *out, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; i++)
    sum += vload4(i, in + OFF);
  vstore4(sum, get_global_id(0), out);
}
//--- declines.cl
#define LOAD(k) vload4(i, in + (k))
// CHECK: declined align-access: every vloadN and vstoreN comes from a macro
__kernel void macros(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  out[i] = LOAD(0) + LOAD(n);
}
// CHECK: declined align-access: no vloadN or vstoreN is of 2, 4, 8 or 16 elements, not volatile, in global, local or constant memory
__kernel void threes(__global const float *in, __global float *out) {
  float own[8] = {in[0]};
  vstore3(vload3(0, in) + vload3(1, own), get_global_id(0), out);
}
// CHECK: declined align-access: no vloadN or vstoreN is of 2, 4, 8 or 16 elements, not volatile, in global, local or constant memory
__kernel void private_memory(__global float *out) {
  float own[8] = {out[0], 1, 2, 3, 4};
  out[get_global_id(0)] = vload4(1, own).x;
}
// CHECK: declined align-access: a directive other than #if stands in the function's head, or its braces do not pair
__kernel
#define IN_HEAD
void head(__global const float *in, __global float4 *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), in);
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
#ifdef WIDE
__kernel void arms(__global const float *in, __global float4 *out, int n) {
#else
__kernel void arms(__global const float *in, __global float4 *out) {
#endif
  out[get_global_id(0)] = vload4(get_global_id(0), in);
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void two_arms(
#ifdef SIGNED
    global const char *in,
#else
    global const uchar *in,
#endif
    global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
}
#ifdef SIGNED
#define U char
#define FROM other
#define POINTER(t) constant t *
#else
#define U uchar
#define FROM in
#define POINTER(t) global const t *
#endif
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void chosen(global const U *in, global const ushort *other, global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), FROM).x;
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void pointed(POINTER(uchar) in, global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
}
#define BUFFER(t) global const t *
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void declared_by_macro(
#ifdef SIGNED
    BUFFER(char) in,
#else
    global const uchar *in,
#endif
    global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void chosen_here(global const uchar *in, global const char *other, global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0),
#ifdef SIGNED
                                 other
#else
                                 in
#endif
                                 ).x;
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void told_by_type(global const U *in, global char *out) {
  global const __typeof__(*in) *row = in + 4;
  out[get_global_id(0)] = vload4(get_global_id(0), row).x;
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void narrowed(global const
#ifdef SIGNED
                     signed
#endif
                     char *in, global char *out) {
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
}
#ifndef SIGNED
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void in_an_arm(global const U *in, global char *out) {
#ifndef LITTLE
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
#endif
}
#endif
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void defined_anew(global const U *in, global char *out) {
#undef U
#define U short
  out[get_global_id(0)] = vload4(get_global_id(0), in).x;
}
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void hidden(global const U *in, global short *out, global int *wide) {
  {
#ifdef SIGNED
    global const int *in = wide;
#endif
    out[get_global_id(0)] = vload4(get_global_id(0), in).x;
  }
}
constant uchar table[64] = {1};
// CHECK: declined align-access: with other build options each vloadN and vstoreN may have another pointer, or a pointer to another type
kernel void chosen_table(global U *out
#ifndef SIGNED
                         , constant U *table
#endif
) {
  out[get_global_id(0)] = vload4(get_global_id(0), table).x;
}
#define ushort8 uint8
// CHECK: declined align-access: the program gives another meaning to size_t, uintptr_t, vloadN or the vector's type
__kernel void renamed(__global const ushort *in, __global ushort *out) {
  vstore8(vload8(0, in), get_global_id(0), out);
}
// Tested already, by hand; half has twins of its own (vloada_half4).
__kernel void not_sites(__global const float *in, __global float4 *out,
                        __global const half *small) {
  int i = get_global_id(0);
  out[i] = ((size_t)in & 15) == 0 ? ((__global const float4 *)in)[i]
                                  : vload4(i, in);
  out[i] += vload_half4(i, small);
}
