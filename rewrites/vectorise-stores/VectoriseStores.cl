// vectorise-stores: which loops store behind them, and what is declined.
//
// PAIR: before.cl after.cl
// Rows that overlap and are stored as vectors all the same are found to be wrong.
// WRONG: after.cl block if (pitch >= 4 || pitch <= -4) => if (true)
// oclgrind can't call fract with a pointer to private memory, so that the last kernel
// is left out.
// RACES: after.cl --kernel=block
// RACES: after.cl --kernel=wide
// RACES: after.cl --kernel=row
// RACES: after.cl --kernel=numbers
// RACES: after.cl --kernel=names
//
// RUN: split-file %s %t
// RUN: clrewrite --only=vectorise-stores --no-measure --verbose %t/none.cl | count 0

//--- before.cl
void sums(float *x) {
  for (int k = 1; k < 4; ++k)
    x[k] += x[k - 1];
}

// Rows may overlap: the distance is tested. Those of two work-items may, too: one
// is launched.
// clrewrite: launch global=1 local=1
kernel void block(global const float *in, global float *out, int pitch) {
  int bx = get_global_id(0) * 4, by = get_global_id(1) * 4;
  float m[4][4];
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++)
      m[j][i] = in[((by + j) & 7) * 8 + ((bx + i) & 7)];
  for (int i = 0; i < 4; i++) {
    float c[4];
    for (int j = 0; j < 4; j++)
      c[j] = m[j][i];
    sums(c); // of the column
    for (int j = 0; j < 4; j++)
      out[(by + j) * pitch + bx + i] = c[j]; // far apart
  } // all columns
  out[0] = 1;
}

// One row, and reads of what can't be the same memory.
kernel void row(global const uchar *restrict in, constant float *f,
                global ushort *out) {
  size_t at = get_global_id(0) * 8;
  #pragma unroll
  for (int i = 0; i < 8; ++i)
    out[at + i] = convert_ushort_sat(in[i] * f[i]);
}

// The rows are 3 * 2 elements apart; the numbers do not start at 0.
kernel void numbers(global int *out, constant int *work, int n) {
  __attribute__((opencl_unroll_hint(2)))
  for (short k = 2; k <= 3; k += 1)
    for (uint r = 1; r != 4; ++r)
      out[k + 6 * (r + 1ul) - 6] = work[n & 3] + k * 10 + r;
}

// What is wider than 32 bits could wrap; an unsigned distance is not negative.
// clrewrite: launch global=1 local=1
kernel void wide(global int *out, ulong pitch, uint width) {
  size_t x = get_global_id(0) * 2, y = get_global_id(1) * 3;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j)
      out[i + (j + y) * pitch + x] = i + 2 * j;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      out[(2 * j + y) * width + x + i] = 3 * i - j;
    }
  for (ulong i = 1; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[i + (y + j) * get_global_size(0) + 9] = i;
}

// Names that are declared twice, comments, and a distance that a macro gives.
typedef float real;
#define PITCH 64
kernel void names(global real *out, int i, int j) {
  int kept = i * 4 + j;
  for (int i = 0; i < 4; ++i)
    for (int j = 1; j <= 3; ++j) {
      out[kept + i + // across
          j * PITCH] = i * j;
    }
  for (int i = 0; i < 2; ++i)
    out /* here */ [kept + /* there */ i] = i;
  out[100] = i + j;
}

// Local memory; conversions are those of the assignment.
kernel void tile(global const float *in, global float *out, local uchar *t) {
  int l = get_local_id(0);
  for (int i = 0; i < 4; ++i) {
    float whole;
    float part = fract(in[l] * 100, &whole);
    t[4 * l + i] = whole + i * part;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l] + 256 * t[l + 1];
}
//--- after.cl
void sums(float *x) {
  for (int k = 1; k < 4; ++k)
    x[k] += x[k - 1];
}

void block_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

// Rows may overlap: the distance is tested. Those of two work-items may, too: one
// is launched.
// clrewrite: launch global=1 local=1
kernel void block(global const float *in, global float *out, int pitch) {
  int bx = get_global_id(0) * 4, by = get_global_id(1) * 4;
  float m[4][4];
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++)
      m[j][i] = in[((by + j) & 7) * 8 + ((bx + i) & 7)];
  float kept[4][4];
  for (int i = 0; i < 4; i++) {
    float c[4];
    for (int j = 0; j < 4; j++)
      c[j] = m[j][i];
    sums(c); // of the column
    for (int j = 0; j < 4; j++)
      kept[j][i] = c[j]; // far apart
  } // all columns
  if (pitch >= 4 || pitch <= -4)
    for (int j = 0; j < 4; j++)
      block_store_float4(vload4(0, kept[j]), 0, &out[(by + j) * pitch + bx]);
  else
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        out[(by + j) * pitch + bx + i] = kept[j][i];
  out[0] = 1;
}

void row_store_ushort8(ushort8 value, size_t index, __global ushort *at) {
  if (((uintptr_t)at & (sizeof(ushort8) - 1)) == 0)
    ((__global ushort8 *)at)[index] = value;
  else
    vstore8(value, index, at);
}

// One row, and reads of what can't be the same memory.
kernel void row(global const uchar *restrict in, constant float *f,
                global ushort *out) {
  size_t at = get_global_id(0) * 8;
  ushort kept[8];
  #pragma unroll
  for (int i = 0; i < 8; ++i)
    kept[i] = convert_ushort_sat(in[i] * f[i]);
  row_store_ushort8(vload8(0, kept), 0, &out[at]);
}

void numbers_store_int2(int2 value, size_t index, __global int *at) {
  if (((uintptr_t)at & (sizeof(int2) - 1)) == 0)
    ((__global int2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

// The rows are 3 * 2 elements apart; the numbers do not start at 0.
kernel void numbers(global int *out, constant int *work, int n) {
  int kept[3][2];
  __attribute__((opencl_unroll_hint(2)))
  for (short k = 2; k <= 3; k += 1)
    for (uint r = 1; r != 4; ++r)
      kept[r - 1][k - 2] = work[n & 3] + k * 10 + r;
  for (uint r = 1; r != 4; ++r)
    numbers_store_int2(vload2(0, kept[r - 1]), 0, &out[2 + 6 * (r + 1ul) - 6]);
}

void wide_store_int2(int2 value, size_t index, __global int *at) {
  if (((uintptr_t)at & (sizeof(int2) - 1)) == 0)
    ((__global int2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

void wide_store_int22(int2 value, size_t index, __global int *at) {
  if (((uintptr_t)at & (sizeof(int2) - 1)) == 0)
    ((__global int2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

void wide_store_int23(int2 value, size_t index, __global int *at) {
  if (((uintptr_t)at & (sizeof(int2) - 1)) == 0)
    ((__global int2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

// What is wider than 32 bits could wrap; an unsigned distance is not negative.
// clrewrite: launch global=1 local=1
kernel void wide(global int *out, ulong pitch, uint width) {
  size_t x = get_global_id(0) * 2, y = get_global_id(1) * 3;
  int kept[3][2];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j)
      kept[j][i] = i + 2 * j;
  }
  if (pitch >= 2 && pitch <= 0xffffffff)
    for (int j = 0; j < 3; ++j)
      wide_store_int2(vload2(0, kept[j]), 0, &out[0 + (j + y) * pitch + x]);
  else
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        out[i + (j + y) * pitch + x] = kept[j][i];
  int kept2[3][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      kept2[j][i] = 3 * i - j;
    }
  if (width >= 1)
    for (int j = 0; j < 3; ++j)
      wide_store_int22(vload2(0, kept2[j]), 0, &out[(2 * j + y) * width + x]);
  else
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        out[(2 * j + y) * width + x + i] = kept2[j][i];
  int kept3[3][2];
  for (ulong i = 1; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      kept3[j][i - 1] = i;
  if (get_global_size(0) >= 2 && get_global_size(0) <= 0xffffffff)
    for (int j = 0; j < 3; ++j)
      wide_store_int23(vload2(0, kept3[j]), 0,
                       &out[(ulong)1 + (y + j) * get_global_size(0) + 9]);
  else
    for (ulong i = 1; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        out[i + (y + j) * get_global_size(0) + 9] = kept3[j][i - 1];
}

// Names that are declared twice, comments, and a distance that a macro gives.
typedef float real;
#define PITCH 64
void names_store_float4(float4 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    ((__global float4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

void names_store_float2(float2 value, size_t index, __global float *at) {
  if (((uintptr_t)at & (sizeof(float2) - 1)) == 0)
    ((__global float2 *)at)[index] = value;
  else
    vstore2(value, index, at);
}

kernel void names(global real *out, int i, int j) {
  int kept = i * 4 + j;
  real kept2[3][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 1; j <= 3; ++j) {
      kept2[j - 1][i] = i * j;
    }
  if (PITCH >= 4 || PITCH <= -4)
    for (int j = 1; j <= 3; ++j)
      names_store_float4(vload4(0, kept2[j - 1]), 0,
                         &out[kept + 0 + // across
          j * PITCH]);
  else
    for (int i = 0; i < 4; ++i)
      for (int j = 1; j <= 3; ++j)
        out[kept + i + // across
          j * PITCH] = kept2[j - 1][i];
  real kept3[2];
  for (int i = 0; i < 2; ++i)
    kept3[i] = i;
  /* here */
  names_store_float2(vload2(0, kept3), 0, &out[kept + /* there */ 0]);
  out[100] = i + j;
}

void tile_store_local_uchar4(uchar4 value, size_t index, __local uchar *at) {
  if (((uintptr_t)at & (sizeof(uchar4) - 1)) == 0)
    ((__local uchar4 *)at)[index] = value;
  else
    vstore4(value, index, at);
}

// Local memory; conversions are those of the assignment.
kernel void tile(global const float *in, global float *out, local uchar *t) {
  int l = get_local_id(0);
  uchar kept[4];
  for (int i = 0; i < 4; ++i) {
    float whole;
    float part = fract(in[l] * 100, &whole);
    kept[i] = whole + i * part;
  }
  tile_store_local_uchar4(vload4(0, kept), 0, &t[4 * l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l] + 256 * t[l + 1];
}
//--- none.cl
// No site: the variable moves whole rows, or the number of turns fits no
// vector, or the memory is private.
kernel void others(global float *out, int pitch, int n) {
  float own[8];
  for (int i = 0; i < 8; ++i)
    out[i * pitch] = i;
  for (int i = 0; i < 8; ++i)
    out[2 * i] = i;
  for (int i = 0; i < 3; ++i)
    out[i] = i;
  for (int i = 0; i < n; ++i)
    out[i] = i;
  for (int i = 0; i < 8; i += 2)
    out[i] = i;
  for (int i = 0; i < 8; ++i)
    own[i] = i;
  for (int i = 0; i < 4; ++i)
    ((global float4 *)out)[i] = own[i];
  if (n)
    for (int i = 0; i < 8; ++i)
      out[i] = i;
}
//--- declines.cl
#ifndef SIGN
#define SIGN +
#endif
#ifndef PITCH
#define PITCH pitch
#endif
#ifdef SMALL
typedef char element;
#else
typedef uchar element;
#endif
// CHECK: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro
kernel void signs(global int *out) {
  int x = get_global_id(0) * 8;
  for (int i = 0; i < 4; ++i)
    out[x SIGN i] = i;
}
// CHECK: declined vectorise-stores: the elements that one turn stores are less than a row apart
kernel void pitches(global int *out, int pitch) {
  int x = get_global_id(0) * 4;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      out[j * PITCH + x + i] = i;
}
// CHECK: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro
kernel void elements(global element *out) {
  int x = get_global_id(0) * 4;
  for (int i = 0; i < 4; ++i)
    out[x + i] = i;
}
#define N 8
#define AT(x) (x)
#ifndef TYPE
#define TYPE float
#endif

// CHECK: :[[@LINE+2]]: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro, or a preprocessor directive other than #pragma stands there
kernel void macro_turns(global int *out) {
  for (int i = 0; i < N; ++i)
    out[i] = i;
}
// CHECK: :[[@LINE+2]]: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro, or a preprocessor directive other than #pragma stands there
kernel void macro_place(global int *out) {
  for (int i = 0; i < 8; ++i)
    out[AT(i)] = i;
}
// CHECK: :[[@LINE+2]]: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro, or a preprocessor directive other than #pragma stands there
kernel void arms(global int *out) {
  for (int i = 0; i < 8; ++i)
#ifdef N
    out[i] = i;
#else
    out[i] = i + 1;
#endif
}

// CHECK: :[[@LINE+2]]: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro, or a preprocessor directive other than #pragma stands there
kernel void of_type(global const TYPE *in, global TYPE *out) {
  for (int i = 0; i < 8; ++i)
    out[i] = i;
}
// CHECK: :[[@LINE+5]]: declined vectorise-stores: the loop's head, the store's place, its type or the number of turns comes from a macro, or a preprocessor directive other than #pragma stands there
kernel void hinted(global int *out) {
#ifndef NO_HINTS
  __attribute__((opencl_unroll_hint(2)))
#endif
  for (int i = 0; i < 8; ++i)
    out[i] = i;
}

// CHECK: declined vectorise-stores: the store is part of another statement or expression than the body of the loop, or of one loop of 16 turns or less in it: 'out[i]' in line {{[0-9]+}}; have each turn of the loop run it, as a statement
kernel void conditional(global int *out, int n) {
  for (int i = 0; i < 8; ++i)
    if (i < n)
      out[i] = i;
}
// CHECK: declined vectorise-stores: the loop or a turn of it may end before all its stores: 'continue'
kernel void continues(global int *out, int n) {
  for (int i = 0; i < 8; ++i) {
    if (i == n)
      continue;
    out[i] = i;
  }
}
// CHECK: declined vectorise-stores: the loop or a turn of it may end before all its stores: 'break'
kernel void some_rows(global float *restrict out, global const float *restrict in) {
  int x = get_global_id(0) * 8;
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 4; j++) {
      if (in[x + j] < 0.0f)
        break;
      out[j * 64 + x + i] = in[x + i] * j;
    }
  }
}
// CHECK: declined vectorise-stores: the loop or a turn of it may end before all its stores: 'continue'
kernel void some_of_each_row(global float *restrict out, global const float *restrict in) {
  int x = get_global_id(0) * 8;
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 4; j++) {
      if (in[x + j] < 0.0f)
        continue;
      out[j * 64 + x + i] = in[x + i] * j;
    }
  }
}
// CHECK: declined vectorise-stores: the loop or a turn of it may end before all its stores: 'break'
kernel void breaks(global int *out, int n) {
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    if (i == n)
      break;
  }
}
// CHECK: declined vectorise-stores: the store is part of another statement or expression than the body of the loop, or of one loop of 16 turns or less in it: 'out[i]'
kernel void chosen(global int *out, int n) {
  for (int i = 0; i < 8; ++i)
    n < 3 && (out[i] = i);
}
// CHECK: declined vectorise-stores: the store is part of another statement or expression than the body of the loop, or of one loop of 16 turns or less in it: 'out[i]'
kernel void used(global int *out, int n) {
  int last;
  for (int i = 0; i < 8; ++i)
    last = out[i] = i;
  out[8] = last;
}
// CHECK: declined vectorise-stores: the store is part of another statement or expression than the body of the loop, or of one loop of 16 turns or less in it: 'out[i + 8 * j]'
kernel void many(global int *out, int n) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < n; ++j)
      out[i + 8 * j] = i;
}
// CHECK: declined vectorise-stores: a jump leads into the loop: 'case'
kernel void entered(global int *out, int n) {
  switch (n) {
  case 0:
    out[8] = 1;
    for (int i = 0; i < 8; ++i) {
    case 1:;
      out[i] = i;
    }
  }
}

// CHECK: declined vectorise-stores: the index is no sum, in int or in 64 bits, of the loop's variable and of what stays the same in it
kernel void wraps(global int *out, uint x) {
  for (int i = 0; i < 8; ++i)
    out[x + i] = i;
}
// CHECK: declined vectorise-stores: the index is no sum, in int or in 64 bits, of the loop's variable and of what stays the same in it
kernel void moves(global int *out, int x) {
  for (int i = 0; i < 8; ++i) {
    out[x + i] = i;
    x += 8;
  }
}
// CHECK: declined vectorise-stores: the index is no sum, in int or in 64 bits, of the loop's variable and of what stays the same in it
kernel void pointer_moves(global int *out) {
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    ++out;
  }
}
// CHECK: declined vectorise-stores: the index is no sum, in int or in 64 bits, of the loop's variable and of what stays the same in it
kernel void own_names(global int *out) {
  for (int i = 0; i < 8; ++i) {
    int x = 8;
    out[x + i] = i;
  }
}
// CHECK: declined vectorise-stores: the index is no sum, in int or in 64 bits, of the loop's variable and of what stays the same in it
kernel void permuted(global int *out, int x) {
  for (int i = 0; i < 8; ++i)
    out[i ^ x] = i;
}

// CHECK: declined vectorise-stores: the elements that one turn stores are less than a row apart, or no single number or value says how far
kernel void overlap(global int *out) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      out[i + 7 * j] = j;
}
// CHECK: declined vectorise-stores: the elements that one turn stores are less than a row apart, or no single number or value says how far
kernel void one_row(global int *out) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      out[i] = j;
}
// CHECK: declined vectorise-stores: the elements that one turn stores are less than a row apart, or no single number or value says how far
kernel void planes(global int *out, int w, int h) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      out[i + j * w * h] = j;
}

// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void two(global int *out, global int *other) {
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    other[i] = i;
  }
}
// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void is_volatile(volatile global int *out) {
  for (int i = 0; i < 8; ++i)
    out[i] = i;
}
// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void waits(global int *out) {
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void counts(global int *restrict out, global int *restrict n) {
  for (int i = 0; i < 8; ++i)
    out[i] = atomic_inc(n);
}
int unknown(int);
void notes(global int *at, int i) { *at = i; }
// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void asks(global int *out) {
  for (int i = 0; i < 8; ++i)
    out[i] = unknown(i);
}
// CHECK: declined vectorise-stores: the loop has other effects that can be seen outside, accesses volatile memory, or calls what can't be looked into
kernel void tells(global int *out, global int *last) {
  for (int i = 0; i < 8; ++i) {
    out[i] = i;
    notes(last, i);
  }
}

// const alone says nothing about other names of the memory.
// CHECK: declined vectorise-stores: the loop reads what its stores may change: neither pointer is restrict
kernel void copies(global const int *in, global int *out) {
  for (int i = 0; i < 8; ++i)
    out[i] = in[7 - i];
}
// CHECK: declined vectorise-stores: the loop reads what its stores may change: neither pointer is restrict
kernel void own_elements(global int *restrict out) {
  for (int i = 0; i < 8; ++i)
    out[i + 1] = out[i] + 1;
}
int at(global const int *restrict p, int i) { return p[i]; }
// CHECK: declined vectorise-stores: the loop reads what its stores may change: neither pointer is restrict
kernel void reads_elsewhere(global const int *in, global int *out) {
  for (int i = 0; i < 8; ++i)
    out[i] = at(in, i);
}
// A pointer that leads into the same buffer.
// CHECK: declined vectorise-stores: the loop reads what its stores may change: neither pointer is restrict
kernel void derived(global int *restrict out) {
  global const int *before = out + 1;
  for (int i = 0; i < 8; ++i)
    out[i + 2] = before[i];
}

// CHECK: declined vectorise-stores: the program gives another meaning to size_t, uintptr_t, vloadN, vstoreN or a type
kernel void own_vload(global int *out, int vload8) {
  for (int i = 0; i < 8; ++i)
    out[i] = vload8;
}

// CHECK: :[[@LINE+7]]: declined vectorise-stores: a directive other than #if stands in the function's head, or its braces do not pair
kernel void
#define M 3
split_head(
    global int *out)
#undef M
{
  for (int i = 0; i < 2; ++i)
    out[i] = i;
}
//--- beyond.cl
// A store where there was none before.
kernel void k(global const short *in, global short *out) {
  int i = get_global_id(0);
  out[i] = in[i];
}
//--- beyond-wrong.cl
kernel void k(global const short *in, global short *out) {
  int i = get_global_id(0);
  out[i] = in[i];
  if (i == 5)
    out[-1] = 0; // undefined
}
