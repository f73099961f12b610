// share-window: each alternative's text, and the functions that are declined.
//
// PAIR: before.cl after.cl
// oclgrind dies of vectors that are joined.
// RACES: after.cl --kernel=box
// PAIR: before.cl vload.cl --alternative=vload
// RACES: vload.cl --kernel=taps
// RACES: vload.cl --kernel=moves
// RACES: vload.cl --kernel=far
// RACES: vload.cl --kernel=spaces
// RACES: vload.cl --kernel=written
// RACES: vload.cl --kernel=box
// A row that is one element off is found to be wrong.
// WRONG: vload.cl spaces tile[k][l] => tile[k][l + 1]
//
// RUN: split-file %s %t
// RUN: cp %t/before.cl %t/generic.cl
// RUN: clrewrite --only=share-window --no-measure --fix %t/generic.cl -- -cl-std=CL2.0
// RUN: diff -u %t/after.cl %t/generic.cl

//--- before.cl
// Three rows, of which the middle one has its neighbours alone.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void edges(__global const uchar *in, __global uchar *out, int pitch) {
  size_t x = get_global_id(0) * 16 + 16, y = get_global_id(1) + 1;
  __global const uchar *p = in + y * pitch + x;
  short16 a = convert_short16(vload16(0, p - pitch - 1)),
          b = convert_short16(vload16(0, p - pitch)),
          c = convert_short16(vload16(0, p - pitch + 1)),
          d = convert_short16(vload16(0, p - 1)),
          e = convert_short16(vload16(0, p + 1)),
          f = convert_short16(vload16(0, 2 + (p + pitch) - 1));
  short16 g = convert_short16(vload16(0, &p[pitch - 1]));
  vstore16(convert_uchar16_sat(abs(a + b - c) + abs(d - e) + abs(f - g)), 0,
           out + y * pitch + x);
}
// What row is called is taken; the index counts vectors, in 64 bits.
// clrewrite: launch global=16 local=16 in=128 out=64
__kernel void taps(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  uint j = i;
  float4 row = 0, row_at = 1;
  for (int k = 0; k < 2; ++k) {
    row += vload4(i, in /* a */ + 4) /* b */ * 0.5f - vload4(i, in + 5);
    row_at *= vload4(i + k, in + 6) + vload4(i + k + 1, in + 3);
    row_at -= vload4(j, &in[k]) + vload4(j, in + 1 + k);
  }
  out[i] = row + row_at;
}
// A pointer moves, and only what stands before it is one window; the last store
// comes after its loads.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void moves(__global const int *in, __global int8 *out) {
  size_t i = get_global_id(0);
  __global const int *p = in + 8 * i;
  int8 s = vload8(0, p), t;
  s += vload8(0, p + 7);
  p += 3;
  s -= vload8(0, p + 1) * 3;
  t = vload8(0, p).s76543210 + vload8(0, p + 2).s0;
  t.s01 = vload2(0, p) + vload2(0, p + 1);
  out[i] = s;
  out[i] += vload8(0, p + 4) + t - vload8(2, p - 13);
}
// Too far for one row: two rows.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void far(__global const short *in, __global short8 *out) {
  size_t i = get_global_id(0);
  __global const short *p = in + 4 * i;
  out[i] = vload8(0, p) - vload8(0, p + 4) * vload8(0, p + 8) +
           vload8(0, p + 12) * vload8(0, p + 20);
}
#define PITCH 20
// Without braces, in other spaces, through a macro, in what is not long.
static inline float2 pair(__constant float *t, int n) {
  return vload2(0, t + n) - vload2(0, t + n + 1);
}
// clrewrite: launch global=16 local=16 in=512 table=64 out=64
__kernel void spaces(__global const float *in, __constant float *table,
                     __global float4 *out) {
  __local float tile[4][PITCH];
  int i = get_global_id(0), l = get_local_id(0) & 15;
  float4 s = 0;
  for (int k = 0; k < 4 * PITCH && l == 0; ++k)
    tile[k / PITCH][k % PITCH] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    s += vload4(0, &tile[k][l]) * vload4(0, tile[k] + l + 1); // beside
  if (l & 1) s -= vload4(0, in + PITCH * l + 1) - vload4(0, in + l * PITCH + 3) +
                  vload4(0, in + PITCH * l);
  else
    s.lo += pair(table, l);
  out[i] = s;
}
#define ROW(k) (k) * 12
#define SAME(k) k
// Macros that are a part of addresses; names that are declared again.
// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void written(__global const int *in, __global int4 *out, int n) {
  int i = get_global_id(0);
  int4 s = vload4(0, in + ROW(i) + 1) - vload4(0, in + ROW(i));
  s += vload4(SAME(i), SAME(in) + 2) * vload4(SAME(i), SAME(in) + 1);
  {
    __global const int *at = in + i;
    int4 t = vload4(0, at), m = vload4(1, at - 1); int w = t.x, v = t.y;
    s += t - m;
    if (w > v)
      for (int in = 0; in < 2; ++in)
        s ^= vload4(0, at + in).wzyx;
  }
  do s += vload4(0, (in) + i * 2) - vload4(0, in + i * 2 + 3); while (s.x == 1);
  out[i] = s;
}
// Loops over numbers: the row is loaded before them.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void box(__global const uchar *restrict in,
                  __global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1);
  __global const uchar *p = in + y * pitch + x;
  ushort16 sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = -1; i <= 1; ++i) // three of a row
      sum += convert_ushort16(vload16(0, p + j * pitch + i));
  vstore16(convert_uchar16(sum / (ushort16)(9)), 0, out + y * pitch + x);
}
// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void loops(__global const int *in, __global int8 *out, int n) {
  int i = get_global_id(0), at = i * 8 + 4;
  int8 s = vload8(0, in + at);
  s -= vload8(0, in + at + 1);
  for (short k = 0; k != 3 && k < 3; k++)
    s += vload8(0, in + at + k);
  for (short k = 0; k < 3; k++) {
    const int8 mine = vload8(i, in + 3);
    int weight = 2 * n + k;
    s ^= weight * vload8(0, &in[n + k - at + 200]) /* moved */ - mine;
    s -= vload8(0, n + k - at + 200 + in).s1 * vload8(0, &in[at + n + k + 1]);
  }
  for (int k = 2; 4 >= k; k += 1) {
    s += vload8(0, in + 8 - (k - at)) * k;
    s *= vload8(0, 3 + (in - k) + at);
  }
  for (int k = 0; k < 9; ++k)
    s += vload8(0, in + k + at) * vload8(0, in + k + at + 1);
  out[i] = s;
}
//--- after.cl
uchar16 edges_load_uchar16(size_t index, const __global uchar *at) {
  if (((uintptr_t)at & (sizeof(uchar16) - 1)) == 0)
    return ((const __global uchar16 *)at)[index];
  return (uchar16)(vload8(2 * index, at), vload8(2 * index + 1, at));
}

// Three rows, of which the middle one has its neighbours alone.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void edges(__global const uchar *in, __global uchar *out, int pitch) {
  size_t x = get_global_id(0) * 16 + 16, y = get_global_id(1) + 1;
  __global const uchar *p = in + y * pitch + x;
  const __global uchar *row_at = p - pitch;
  const uchar16 row = edges_load_uchar16(0, row_at);
  const uchar16 row2 = edges_load_uchar16(0, p);
  const __global uchar *row_at2 = 2 + (p + pitch) - 2;
  const uchar16 row3 = edges_load_uchar16(0, row_at2);
  short16 a = convert_short16((uchar16)(row_at[-1], row.s01234567, row.s89ab, row.scde)),
          b = convert_short16(row),
          c = convert_short16((uchar16)(row.s12345678, row.s9abc, row.sdef, row_at[16])),
          d = convert_short16((uchar16)(p[-1], row2.s01234567, row2.s89ab, row2.scde)),
          e = convert_short16((uchar16)(row2.s12345678, row2.s9abc, row2.sdef, p[16])),
          f = convert_short16((uchar16)(row3.s12345678, row3.s9abc, row3.sdef, row_at2[16]));
  short16 g = convert_short16((uchar16)(row_at2[-1], row3.s01234567, row3.s89ab, row3.scde));
  vstore16(convert_uchar16_sat(abs(a + b - c) + abs(d - e) + abs(f - g)), 0,
           out + y * pitch + x);
}
float4 taps_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

// What row is called is taken; the index counts vectors, in 64 bits.
// clrewrite: launch global=16 local=16 in=128 out=64
__kernel void taps(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  uint j = i;
  float4 row = 0, row_at = 1;
  const __global float *row_at2 = (&in[0]) + 4 * (size_t)j;
  const float4 row2 = taps_load_float4(0, row_at2);
  for (int k = 0; k < 2; ++k) {
    const __global float *row_at3 = in /* a */ + 4 + 4 * (size_t)i;
    const float4 row3 = taps_load_float4(0, row_at3);
    row += row3 /* b */ * 0.5f - (float4)(row3.s123, row_at3[4]);
    const __global float *row_at4 = in + 6 + 4 * (size_t)(i + k);
    const float4 row4 = taps_load_float4(0, row_at4);
    row_at *= row4 + (float4)(row4.s123, row_at4[4]);
    row_at -= (k == 0 ? row2 : (float4)(row2.s123, row_at2[4])) + (k == 0 ? (float4)(row2.s123, row_at2[4]) : (float4)(row2.s23, row_at2[4], row_at2[5]));
  }
  out[i] = row + row_at;
}
int2 moves_load_int2(size_t index, const __global int *at) {
  if (((uintptr_t)at & (sizeof(int2) - 1)) == 0)
    return ((const __global int2 *)at)[index];
  return (int2)(at[2 * index], at[2 * index + 1]);
}

int8 moves_load_int8(size_t index, const __global int *at) {
  if (((uintptr_t)at & (sizeof(int8) - 1)) == 0)
    return ((const __global int8 *)at)[index];
  return (int8)(vload4(2 * index, at), vload4(2 * index + 1, at));
}

// A pointer moves, and only what stands before it is one window; the last store
// comes after its loads.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void moves(__global const int *in, __global int8 *out) {
  size_t i = get_global_id(0);
  __global const int *p = in + 8 * i;
  const int8 row = moves_load_int8(0, p);
  int8 s = row, t;
  s += (int8)(row.s7, p[8], p[9], p[10], p[11], p[12], p[13], p[14]);
  p += 3;
  const int8 row2 = moves_load_int8(0, p);
  s -= (int8)(row2.s1234, row2.s567, p[8]) * 3;
  t = row2.s76543210 + ((int8)(row2.s2345, row2.s67, p[8], p[9])).s0;
  const int2 row3 = moves_load_int2(0, p);
  t.s01 = row3 + (int2)(row3.s1, p[2]);
  out[i] = s;
  const __global int *row_at = p + 3;
  const int8 row4 = moves_load_int8(0, row_at);
  out[i] += (int8)(row4.s1234, row4.s567, row_at[8]) + t - row4;
}
short8 far_load_short8(size_t index, const __global short *at) {
  if (((uintptr_t)at & (sizeof(short8) - 1)) == 0)
    return ((const __global short8 *)at)[index];
  return (short8)(vload4(2 * index, at), vload4(2 * index + 1, at));
}

// Too far for one row: two rows.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void far(__global const short *in, __global short8 *out) {
  size_t i = get_global_id(0);
  __global const short *p = in + 4 * i;
  const short8 row = far_load_short8(0, p);
  const __global short *row_at = p + 8;
  const short8 row2 = far_load_short8(0, row_at);
  out[i] = row - (short8)(row.s4567, p[8], p[9], p[10], p[11]) * row2 +
           (short8)(row2.s4567, row_at[8], row_at[9], row_at[10], row_at[11]) * vload8(0, p + 20);
}
#define PITCH 20
static inline float2 pair_load_constant_float2(size_t index,
                                               __constant float *at) {
  if (((uintptr_t)at & (sizeof(float2) - 1)) == 0)
    return ((__constant float2 *)at)[index];
  return (float2)(at[2 * index], at[2 * index + 1]);
}

// Without braces, in other spaces, through a macro, in what is not long.
static inline float2 pair(__constant float *t, int n) {
  __constant float *row_at = t + n;
  const float2 row = pair_load_constant_float2(0, row_at);
  return row - (float2)(row.s1, row_at[2]);
}
float4 spaces_load_float4(size_t index, const __global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

float4 spaces_load_local_float4(size_t index, const __local float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const __local float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

// clrewrite: launch global=16 local=16 in=512 table=64 out=64
__kernel void spaces(__global const float *in, __constant float *table,
                     __global float4 *out) {
  __local float tile[4][PITCH];
  int i = get_global_id(0), l = get_local_id(0) & 15;
  float4 s = 0;
  for (int k = 0; k < 4 * PITCH && l == 0; ++k)
    tile[k / PITCH][k % PITCH] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    { const __local float *row_at = &tile[k][l];
    const float4 row = spaces_load_local_float4(0, row_at);
    s += row * (float4)(row.s123, row_at[4]); } // beside
  if (l & 1) { const __global float *row_at2 = in + PITCH * l;
  const float4 row2 = spaces_load_float4(0, row_at2);
  s -= (float4)(row2.s123, row_at2[4]) - vload4(0, in + l * PITCH + 3) +
                  row2; }
  else
    s.lo += pair(table, l);
  out[i] = s;
}
#define ROW(k) (k) * 12
#define SAME(k) k
int4 written_load_int4(size_t index, const __global int *at) {
  if (((uintptr_t)at & (sizeof(int4) - 1)) == 0)
    return ((const __global int4 *)at)[index];
  return (int4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

// Macros that are a part of addresses; names that are declared again.
// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void written(__global const int *in, __global int4 *out, int n) {
  int i = get_global_id(0);
  const __global int *row_at = in + ROW(i);
  const int4 row = written_load_int4(0, row_at);
  int4 s = (int4)(row.s123, row_at[4]) - row;
  const __global int *row_at2 = SAME(in) + 1 + 4 * (size_t)SAME(i);
  const int4 row2 = written_load_int4(0, row_at2);
  s += (int4)(row2.s123, row_at2[4]) * row2;
  {
    __global const int *at = in + i;
    const int4 row3 = written_load_int4(0, at);
    int4 t = row3, m = (int4)(row3.s3, at[4], at[5], at[6]); int w = t.x, v = t.y;
    s += t - m;
    if (w > v)
      { const int4 row4 = written_load_int4(0, at);
      for (int in = 0; in < 2; ++in)
        s ^= (in == 0 ? row4 : (int4)(row4.s123, at[4])).wzyx; }
  }
  do { const __global int *row_at3 = (in) + i * 2;
  const int4 row5 = written_load_int4(0, row_at3);
  s += row5 - (int4)(row5.s3, row_at3[4], row_at3[5], row_at3[6]); } while (s.x == 1);
  out[i] = s;
}
uchar16 box_load_uchar16(size_t index, const __global uchar *at) {
  if (((uintptr_t)at & (sizeof(uchar16) - 1)) == 0)
    return ((const __global uchar16 *)at)[index];
  return (uchar16)(vload8(2 * index, at), vload8(2 * index + 1, at));
}

// Loops over numbers: the row is loaded before them.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void box(__global const uchar *restrict in,
                  __global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1);
  __global const uchar *p = in + y * pitch + x;
  ushort16 sum = 0;
  for (int j = 0; j < 3; ++j)
    { const __global uchar *row_at = p + j * pitch - 1;
    const uchar16 row2 = box_load_uchar16(0, row_at);
    for (int i = -1; i <= 1; ++i) // three of a row
      sum += convert_ushort16((i == -1 ? row2 : i == 0 ? (uchar16)(row2.s12345678, row2.s9abc, row2.sdef, row_at[16]) : (uchar16)(row2.s23456789, row2.sabcd, row2.sef, row_at[16], row_at[17]))); }
  vstore16(convert_uchar16(sum / (ushort16)(9)), 0, out + y * pitch + x);
}
int8 loops_load_int8(size_t index, const __global int *at) {
  if (((uintptr_t)at & (sizeof(int8) - 1)) == 0)
    return ((const __global int8 *)at)[index];
  return (int8)(vload4(2 * index, at), vload4(2 * index + 1, at));
}

// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void loops(__global const int *in, __global int8 *out, int n) {
  int i = get_global_id(0), at = i * 8 + 4;
  const __global int *row_at = in + at;
  const int8 row = loops_load_int8(0, row_at);
  int8 s = row;
  s -= (int8)(row.s1234, row.s567, row_at[8]);
  for (short k = 0; k != 3 && k < 3; k++)
    s += vload8(0, in + at + k);
  const __global int *row_at2 = &in[n + 0 - at + 200];
  const int8 row2 = loops_load_int8(0, row_at2);
  const __global int *row_at3 = &in[at + n + 0 + 1];
  const int8 row3 = loops_load_int8(0, row_at3);
  for (short k = 0; k < 3; k++) {
    const int8 mine = vload8(i, in + 3);
    int weight = 2 * n + k;
    s ^= weight * (k == 0 ? row2 : k == 1 ? (int8)(row2.s1234, row2.s567, row_at2[8]) : (int8)(row2.s2345, row2.s67, row_at2[8], row_at2[9])) /* moved */ - mine;
    s -= (k == 0 ? row2 : k == 1 ? (int8)(row2.s1234, row2.s567, row_at2[8]) : (int8)(row2.s2345, row2.s67, row_at2[8], row_at2[9])).s1 * (k == 0 ? row3 : k == 1 ? (int8)(row3.s1234, row3.s567, row_at3[8]) : (int8)(row3.s2345, row3.s67, row_at3[8], row_at3[9]));
  }
  const __global int *row_at4 = in + 8 - (4 - at);
  const int8 row4 = loops_load_int8(0, row_at4);
  for (int k = 2; 4 >= k; k += 1) {
    s += (k == 2 ? (int8)(row4.s2345, row4.s67, row_at4[8], row_at4[9]) : k == 3 ? (int8)(row4.s1234, row4.s567, row_at4[8]) : row4) * k;
    s *= (k == 2 ? (int8)(row_at4[-3], row_at4[-2], row_at4[-1], row4.s0123, row4.s4) : k == 3 ? (int8)(row_at4[-4], row_at4[-3], row_at4[-2], row_at4[-1], row4.s0123) : (int8)(row_at4[-5], row_at4[-4], row_at4[-3], row_at4[-2], row_at4[-1], row4.s012));
  }
  for (int k = 0; k < 9; ++k)
    { const __global int *row_at5 = in + k + at;
    const int8 row5 = loops_load_int8(0, row_at5);
    s += row5 * (int8)(row5.s1234, row5.s567, row_at5[8]); }
  out[i] = s;
}
//--- vload.cl
// Three rows, of which the middle one has its neighbours alone.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void edges(__global const uchar *in, __global uchar *out, int pitch) {
  size_t x = get_global_id(0) * 16 + 16, y = get_global_id(1) + 1;
  __global const uchar *p = in + y * pitch + x;
  const __global uchar *row_at = p - pitch;
  const uchar16 row = vload16(0, row_at);
  const uchar16 row2 = vload16(0, p);
  const __global uchar *row_at2 = 2 + (p + pitch) - 2;
  const uchar16 row3 = vload16(0, row_at2);
  short16 a = convert_short16((uchar16)(row_at[-1], row.s01234567, row.s89ab, row.scde)),
          b = convert_short16(row),
          c = convert_short16((uchar16)(row.s12345678, row.s9abc, row.sdef, row_at[16])),
          d = convert_short16((uchar16)(p[-1], row2.s01234567, row2.s89ab, row2.scde)),
          e = convert_short16((uchar16)(row2.s12345678, row2.s9abc, row2.sdef, p[16])),
          f = convert_short16((uchar16)(row3.s12345678, row3.s9abc, row3.sdef, row_at2[16]));
  short16 g = convert_short16((uchar16)(row_at2[-1], row3.s01234567, row3.s89ab, row3.scde));
  vstore16(convert_uchar16_sat(abs(a + b - c) + abs(d - e) + abs(f - g)), 0,
           out + y * pitch + x);
}
// What row is called is taken; the index counts vectors, in 64 bits.
// clrewrite: launch global=16 local=16 in=128 out=64
__kernel void taps(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  uint j = i;
  float4 row = 0, row_at = 1;
  const __global float *row_at2 = (&in[0]) + 4 * (size_t)j;
  const float4 row2 = vload4(0, row_at2);
  for (int k = 0; k < 2; ++k) {
    const __global float *row_at3 = in /* a */ + 4 + 4 * (size_t)i;
    const float4 row3 = vload4(0, row_at3);
    row += row3 /* b */ * 0.5f - (float4)(row3.s123, row_at3[4]);
    const __global float *row_at4 = in + 6 + 4 * (size_t)(i + k);
    const float4 row4 = vload4(0, row_at4);
    row_at *= row4 + (float4)(row4.s123, row_at4[4]);
    row_at -= (k == 0 ? row2 : (float4)(row2.s123, row_at2[4])) + (k == 0 ? (float4)(row2.s123, row_at2[4]) : (float4)(row2.s23, row_at2[4], row_at2[5]));
  }
  out[i] = row + row_at;
}
// A pointer moves, and only what stands before it is one window; the last store
// comes after its loads.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void moves(__global const int *in, __global int8 *out) {
  size_t i = get_global_id(0);
  __global const int *p = in + 8 * i;
  const int8 row = vload8(0, p);
  int8 s = row, t;
  s += (int8)(row.s7, p[8], p[9], p[10], p[11], p[12], p[13], p[14]);
  p += 3;
  const int8 row2 = vload8(0, p);
  s -= (int8)(row2.s1234, row2.s567, p[8]) * 3;
  t = row2.s76543210 + ((int8)(row2.s2345, row2.s67, p[8], p[9])).s0;
  const int2 row3 = vload2(0, p);
  t.s01 = row3 + (int2)(row3.s1, p[2]);
  out[i] = s;
  const __global int *row_at = p + 3;
  const int8 row4 = vload8(0, row_at);
  out[i] += (int8)(row4.s1234, row4.s567, row_at[8]) + t - row4;
}
// Too far for one row: two rows.
// clrewrite: launch global=16 local=16 in=512 out=64
__kernel void far(__global const short *in, __global short8 *out) {
  size_t i = get_global_id(0);
  __global const short *p = in + 4 * i;
  const short8 row = vload8(0, p);
  const __global short *row_at = p + 8;
  const short8 row2 = vload8(0, row_at);
  out[i] = row - (short8)(row.s4567, p[8], p[9], p[10], p[11]) * row2 +
           (short8)(row2.s4567, row_at[8], row_at[9], row_at[10], row_at[11]) * vload8(0, p + 20);
}
#define PITCH 20
// Without braces, in other spaces, through a macro, in what is not long.
static inline float2 pair(__constant float *t, int n) {
  __constant float *row_at = t + n;
  const float2 row = vload2(0, row_at);
  return row - (float2)(row.s1, row_at[2]);
}
// clrewrite: launch global=16 local=16 in=512 table=64 out=64
__kernel void spaces(__global const float *in, __constant float *table,
                     __global float4 *out) {
  __local float tile[4][PITCH];
  int i = get_global_id(0), l = get_local_id(0) & 15;
  float4 s = 0;
  for (int k = 0; k < 4 * PITCH && l == 0; ++k)
    tile[k / PITCH][k % PITCH] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    { const __local float *row_at = &tile[k][l];
    const float4 row = vload4(0, row_at);
    s += row * (float4)(row.s123, row_at[4]); } // beside
  if (l & 1) { const __global float *row_at2 = in + PITCH * l;
  const float4 row2 = vload4(0, row_at2);
  s -= (float4)(row2.s123, row_at2[4]) - vload4(0, in + l * PITCH + 3) +
                  row2; }
  else
    s.lo += pair(table, l);
  out[i] = s;
}
#define ROW(k) (k) * 12
#define SAME(k) k
// Macros that are a part of addresses; names that are declared again.
// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void written(__global const int *in, __global int4 *out, int n) {
  int i = get_global_id(0);
  const __global int *row_at = in + ROW(i);
  const int4 row = vload4(0, row_at);
  int4 s = (int4)(row.s123, row_at[4]) - row;
  const __global int *row_at2 = SAME(in) + 1 + 4 * (size_t)SAME(i);
  const int4 row2 = vload4(0, row_at2);
  s += (int4)(row2.s123, row_at2[4]) * row2;
  {
    __global const int *at = in + i;
    const int4 row3 = vload4(0, at);
    int4 t = row3, m = (int4)(row3.s3, at[4], at[5], at[6]); int w = t.x, v = t.y;
    s += t - m;
    if (w > v)
      { const int4 row4 = vload4(0, at);
      for (int in = 0; in < 2; ++in)
        s ^= (in == 0 ? row4 : (int4)(row4.s123, at[4])).wzyx; }
  }
  do { const __global int *row_at3 = (in) + i * 2;
  const int4 row5 = vload4(0, row_at3);
  s += row5 - (int4)(row5.s3, row_at3[4], row_at3[5], row_at3[6]); } while (s.x == 1);
  out[i] = s;
}
// Loops over numbers: the row is loaded before them.
// clrewrite: launch global=4x4 local=4x4 pitch=96 in=1K out=1K
__kernel void box(__global const uchar *restrict in,
                  __global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + 1, y = get_global_id(1);
  __global const uchar *p = in + y * pitch + x;
  ushort16 sum = 0;
  for (int j = 0; j < 3; ++j)
    { const __global uchar *row_at = p + j * pitch - 1;
    const uchar16 row2 = vload16(0, row_at);
    for (int i = -1; i <= 1; ++i) // three of a row
      sum += convert_ushort16((i == -1 ? row2 : i == 0 ? (uchar16)(row2.s12345678, row2.s9abc, row2.sdef, row_at[16]) : (uchar16)(row2.s23456789, row2.sabcd, row2.sef, row_at[16], row_at[17]))); }
  vstore16(convert_uchar16(sum / (ushort16)(9)), 0, out + y * pitch + x);
}
// clrewrite: launch global=16 local=16 in=512 out=64 n=3
__kernel void loops(__global const int *in, __global int8 *out, int n) {
  int i = get_global_id(0), at = i * 8 + 4;
  const __global int *row_at = in + at;
  const int8 row = vload8(0, row_at);
  int8 s = row;
  s -= (int8)(row.s1234, row.s567, row_at[8]);
  for (short k = 0; k != 3 && k < 3; k++)
    s += vload8(0, in + at + k);
  const __global int *row_at2 = &in[n + 0 - at + 200];
  const int8 row2 = vload8(0, row_at2);
  const __global int *row_at3 = &in[at + n + 0 + 1];
  const int8 row3 = vload8(0, row_at3);
  for (short k = 0; k < 3; k++) {
    const int8 mine = vload8(i, in + 3);
    int weight = 2 * n + k;
    s ^= weight * (k == 0 ? row2 : k == 1 ? (int8)(row2.s1234, row2.s567, row_at2[8]) : (int8)(row2.s2345, row2.s67, row_at2[8], row_at2[9])) /* moved */ - mine;
    s -= (k == 0 ? row2 : k == 1 ? (int8)(row2.s1234, row2.s567, row_at2[8]) : (int8)(row2.s2345, row2.s67, row_at2[8], row_at2[9])).s1 * (k == 0 ? row3 : k == 1 ? (int8)(row3.s1234, row3.s567, row_at3[8]) : (int8)(row3.s2345, row3.s67, row_at3[8], row_at3[9]));
  }
  const __global int *row_at4 = in + 8 - (4 - at);
  const int8 row4 = vload8(0, row_at4);
  for (int k = 2; 4 >= k; k += 1) {
    s += (k == 2 ? (int8)(row4.s2345, row4.s67, row_at4[8], row_at4[9]) : k == 3 ? (int8)(row4.s1234, row4.s567, row_at4[8]) : row4) * k;
    s *= (k == 2 ? (int8)(row_at4[-3], row_at4[-2], row_at4[-1], row4.s0123, row4.s4) : k == 3 ? (int8)(row_at4[-4], row_at4[-3], row_at4[-2], row_at4[-1], row4.s0123) : (int8)(row_at4[-5], row_at4[-4], row_at4[-3], row_at4[-2], row_at4[-1], row4.s012));
  }
  for (int k = 0; k < 9; ++k)
    { const __global int *row_at5 = in + k + at;
    const int8 row5 = vload8(0, row_at5);
    s += row5 * (int8)(row5.s1234, row5.s567, row_at5[8]); }
  out[i] = s;
}
//--- declines.cl
#ifndef PIXEL
#define PIXEL uchar
#endif
#ifdef WIDE
typedef short sample;
#else
typedef uchar sample;
#endif
#ifndef SIGN
#define SIGN +
#endif
// CHECK: declined share-window: the code there may mean something else with other build options
__kernel void pixels(__global const PIXEL *in, __global short8 *out) {
  out[0] = convert_short8(vload8(0, in)) + convert_short8(vload8(0, in + 1));
}
// CHECK: declined share-window: the code there may mean something else with other build options
__kernel void samples(__global const sample *in, __global short8 *out) {
  out[0] = convert_short8(vload8(0, in)) + convert_short8(vload8(0, in + 1));
}
// CHECK: declined share-window: a macro in what it would replace may be another one with other build options: 'SIGN'
__kernel void signs(__global const int *in, __global int8 *out) {
  out[0] = vload8(0, in + 9) + vload8(0, in + 9 SIGN 1);
}
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void pragma(__global const int *in, __global int8 *out) {
  int8 s = 0;
#pragma of_another_compiler
  // on the loop
  for (int k = 0; k < 3; ++k)
    s += vload8(0, in + k);
  out[0] = s;
}
#define LOAD(k) vload4(i, in + (k))
// CHECK: declined share-window: of overlapping vloadN, all but one come from macros, or their offsets or types do
__kernel void macros(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = LOAD(0) + LOAD(1);
}
#define NEXT 1
// CHECK: declined share-window: of overlapping vloadN, all but one come from macros, or their offsets or types do
__kernel void offsets(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = vload4(i, in) + vload4(i, in + NEXT);
}
#define ARGS(k) i, in + k
#define PLUS n +
// CHECK: declined share-window: of overlapping vloadN, all but one come from macros, or their offsets or types do
__kernel void arguments(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  out[i] -= vload4(0, in + PLUS 2) * vload4(0, in + PLUS 1);
  out[i] = vload4(ARGS(0)) + vload4(ARGS(1));
}
#define RADIUS 1
// CHECK: declined share-window: of overlapping vloadN, all but one come from macros, or their offsets or types do
__kernel void radius(__global const float *in, __global float4 *out) {
  float4 s = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    s += vload4(0, in + 4 * get_global_id(0) + k);
  out[get_global_id(0)] = s;
}
// CHECK: declined share-window: overlapping vloadN are of three elements or in private memory, where they are no aligned whole
__kernel void memories(__global const float *in, __global float *out) {
  float own[8] = {in[0]};
  float3 s = vload3(0, in) + vload3(0, in + 1);
  s.xy += vload2(0, own) + vload2(0, own + 1);
  vstore3(s, get_global_id(0), out);
}
// CHECK: declined share-window: the addresses of overlapping vloadN have side effects, or depend on memory
__kernel void effects(__global const float *in, __global const int *at,
                      __global float4 *out) {
  __global const float *rows[2] = {in, in + 64}, *moved = in;
  __global const float **alias = &moved;
  int i = get_global_id(0), k = 0;
  out[i] = vload4(k++, in) - vload4(k++, in + 1);
  out[i] += vload4(i, rows[1]) + vload4(i, rows[1] + 1);
  out[i] += vload4(at[0], in) + vload4(at[0], in + 1);
  float4 a = vload4(0, moved);
  *alias = in + 3;
  out[i] += a - vload4(0, moved + 1);
}
void note(__global float *log) { log[1] = 1; }
// Stores, barriers and calls between them, and addresses that change.
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void between(__global float *in, __global float4 *out,
                      __local float *tile, __global int *count) {
  int i = get_global_id(0), x = 4 * i;
  float4 s = vload4(0, in + x);
  out[i] = s;
  s += vload4(0, in + x + 1);
  note(in);
  s += vload4(0, in + x + 2);
  atomic_inc(count);
  s += vload4(0, in + x + 3);
  x += 4;
  s += vload4(0, in + x + 1);
  ++x;
  s += vload4(0, in + x);
  if (x == 3)
    in[x] = 4;
  s += vload4(0, in + x - 1);
  s += vload4(0, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  s += vload4(0, tile + 1);
  out[i] = s;
}
// Values that not every work-item loads, and what is not in a block.
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void paths(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 s = n ? vload4(i, in) : vload4(i, in + 1);
  bool b = n > 3 || vload4(i, in + 2).x > 0;
  s += sizeof(vload4(i, in - 1)) + b;
  if (n > 4)
    s += vload4(i, in + 1);
  else
    s -= vload4(i, in);
  switch (n) {
  case 1:
    s += vload4(i, in + 1) - vload4(i, in);
  case 2:
    s *= vload4(i, in + 2);
    s -= vload4(i, in + 3);
  }
  for (float4 t = vload4(i, in) - vload4(i, in + 1); s.x > 0; s -= t)
    if (s.y > 4)
      break;
  while (vload4(i, in).x - vload4(i, in + 1).x > s.x)
    s.x += 1;
  if (n > 5)
    return;
  out[i] = s;
}
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void directives(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
#ifndef WIDE
  float4 s = vload4(i, in);
#else
  float4 s = 0;
#endif
  out[i] = s + vload4(i, in + 1);
}
#define K k
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void loops(__global float *in, __global float4 *out, int n) {
  int i = get_global_id(0), at = 4 * i;
  float4 s = 0;
  for (int k = 0; k < 3; ++k)
    in[i] += vload4(i, in + k).x;
  for (int k = 0; k < 3; ++k) {
    s += vload4(i, in + k);
    if (s.x > 3)
      break;
  }
  for (int k = 0; k < 3; ++k) {
    s += vload4(0, in + at + k);
    at += i;
  }
  for (int k = 0; k < 3; ++k) {
    int here = at + 3 * k;
    s += vload4(0, in + here + k);
  }
  for (int k = 0; k < 3; ++k) {
    s += vload4(0, in + k);
    k += n;
  }
  for (int k = 0; k < 3; ++k)
    s += vload4(0, in + K);
  for (int k = 0; k < 3; ++k)
    s += k == 1 ? vload4(0, in + k) : 0;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    s += vload4(0, in + k);
  for (int k = 0; k < 3; ++k)
#ifdef WIDE
    s *= 3;
#else
    s += vload4(0, in + k);
#endif
  for (int k = 0; k < 3; ++k)
    ;
  out[i] = s;
}
// CHECK: declined share-window: overlapping vloadN may not all run, or something between them may change what they load
__kernel void late(__global const float *in, __global const int *ints,
                   __global float4 *out) {
  int i = get_global_id(0);
  int at = i + 1, sum = vload4(at, ints).x + vload4(at, ints + 1).x;
  __global const float *p = in + i;
  float4 s = vload4(0, p);
  {
    __global const float *q = p, *p = q + 1;
    s += vload4(0, p + 1);
    const __global float *r = in + 3 * i; float4 t = vload4(0, r + 1);
    s += t;
  }
  __global const float *r = in + i, *stop = r + 4; const float4 u = vload4(0, r), v = s;
  int k = sum, step = (k += 4, 3);
  s += u + v + vload4(0, r + step) + vload4(0, stop);
  const size_t n = i + 1; float4 w = vload4(n, in);
  const int m = i, o = (s += w, m), *none = 0;
  __global const float *t = in + 2 * i; float4 y = vload4(0, t), z = (s = y, y); y += vload4(0, t + 2);
  out[i] = s + z - y;
}
#define ushort8 uint8
// CHECK: declined share-window: the program gives another meaning to size_t, uintptr_t, vloadN or the vector's type
__kernel void renamed(__global const ushort *in, __global ushort *out) {
  vstore8(vload8(0, in) - vload8(0, in + 1), get_global_id(0), out);
}
// One address; vectors side by side; an unsigned int that may wrap; other
// macros of one value; a function of the program.
#define LEFT 8
#define RIGHT 8
float4 vload4x(int i, __global const float *p) { return p[i]; }
__kernel void not_sites(__global const float *in, __global const float *other,
                        __global float4 *out) {
  uint u = get_global_id(0);
  out[u] = vload4(u, in) + vload4(u, in) - vload4(u + 1, in);
  out[u] -= vload4(0, in + (u - 1)) + vload4(0, in + u);
  out[u] += vload4x(0, in) - vload4x(1, in) + vload4(0, other + 1);
  out[u] *= vload4(0, in + 2 * u) - vload4(0, in + 3 * u);
  for (int k = 0; k < 3; ++k)
    out[u] += vload4(k, in) + vload4(0, in + k * u) + vload4(0, in + (u + k));
  for (int k = 0; k < 1; ++k)
    out[u] += vload4(0, in + 3 + k);
  for (uint k = 0; k < u; ++k)
    out[u] += vload4(0, in + 5 + k) - vload4(0, in + (int)k);
}
