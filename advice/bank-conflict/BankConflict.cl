// bank-conflict: what it speaks of, and what looks like it.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=bank-conflict %t/speaks.cl | FileCheck %t/speaks.cl --implicit-check-not=': advice '
// RUN: clrewrite measure --no-config --target=gfx906 --advise=bank-conflict %t/silent.cl | FileCheck %t/silent.cl --implicit-check-not=': advice '

//--- speaks.cl
__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void transpose(__global const float *in, __global float *out, int n) {
  __local float tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[(row + y + i) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 32; i += 8)
    // CHECK: speaks.cl:[[@LINE+1]]: advice bank-conflict: reads of tile wait for each other: the lanes of a wave are 32 elements apart here (the stride of dimension 0's id), so that one bank of local memory gives 32 words to 32 lanes; let rows be one element longer
    out[(column + y + i) * n + row + x] = tile[x][y + i];
}

// Rows of 16 words: every second lane has the same bank.
__kernel void narrow(__global const float *in, __global float *out) {
  __local float tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  // CHECK: speaks.cl:[[@LINE+1]]: advice bank-conflict: writes of tile wait for each other: the lanes of a wave are 16 elements apart here (the stride of dimension 0's id), so that one bank of local memory takes 8 words from 16 lanes
  tile[x][y] = in[get_global_id(1) * 16 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * 16 + x] = tile[y][x];
}

// By a pointer, and by a function.
float column(__local const float *p, int c) {
  // CHECK: speaks.cl:[[@LINE+1]]: advice bank-conflict: reads of p wait for each other: the lanes of a wave are 64 elements
  return p[get_local_id(0) * 64 + c];
}

__kernel void through(__global float *out, __local float *t, int c) {
  t[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = column(t, c);
}

// All but one lane, and half of them.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void most(__global float *out, __local float *a) {
  int x = get_local_id(0);
  if (x == 0)
    return;
  // CHECK: speaks.cl:[[@LINE+2]]: advice bank-conflict: reads of a wait for each other: the lanes of a wave are 32 elements
  if (x < 16)
    out[x] = a[x * 32];
}

// Wide elements: 16 bytes each, 512 bytes apart.
__kernel void wide(__global const float4 *in, __global float4 *out) {
  __local float4 tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: speaks.cl:[[@LINE+1]]: advice bank-conflict: reads of tile wait for each other: the lanes of a wave are 32 elements apart here {{.*}} gives 16 words to 16 lanes
  out[get_global_id(0)] = tile[x][y];
}

// Rows of bytes need four more.
__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void bytes(__global const uchar *in, __global uchar *out) {
  __local uchar tile[32][128];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: speaks.cl:[[@LINE+1]]: advice bank-conflict: reads of tile wait for each other: the lanes of a wave are 128 elements apart here {{.*}} gives 32 words to 32 lanes; let rows be 4 elements longer
  out[get_global_id(0)] = tile[x][y];
}

//--- silent.cl
// CHECK: silent.cl
// Rows of 33 words have a column in all banks.
__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void padded(__global const float *in, __global float *out) {
  __local float tile[32][33];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[x][y];
}

// Lanes that lie side by side, also where elements are wide or narrow.
__kernel void beside(__global const float4 *in, __global float4 *out,
                     __local float4 *a, __local uchar *b) {
  int x = get_local_id(0);
  a[x] = in[get_global_id(0)];
  b[x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[x ^ 1] + b[x];
}

// One word for all lanes, and two words in a bank.
__kernel void shared_word(__global float *out, __local float *a) {
  int x = get_local_id(0), y = get_local_id(1);
  a[x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[y * 32] + a[2 * x];
}

// One lane, and a stride that only the host knows.
__kernel void few(__global float *out, __local float *a, int pitch) {
  int x = get_local_id(0);
  if (x == 0)
    a[x * 32] = 1;
  a[x * pitch] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[x];
}

// Two work-items in a row are no crowd.
__attribute__((reqd_work_group_size(2, 64, 1)))
__kernel void pairs(__global float *out, __local float *a, __local uchar *b) {
  int x = get_local_id(0), y = get_local_id(1);
  a[x * 32 + y] = x;
  b[x * 32 + y] = y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[x] + b[x];
}

// Vectors that lie side by side, by the address of an element; and what is not
// evaluated.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void addresses(__global float4 *out, __local float *a) {
  int x = get_local_id(0);
  out[get_global_id(0)] = vload4(0, &a[x * 4]) +
                          *(__local float4 *)&a[x * 4] + sizeof(a[x * 64]);
}

// Few lanes, by other ways.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void fewer(__global float *out, __local float *a) {
  int x = get_local_id(0);
  if (x < 2)
    out[x] = a[x * 32];
  if (!(x >= 4))
    out[x] = a[x * 32];
  out[x] = x == 0 ? a[x * 32] : 0;
  for (int i = x; i < 2; i += 256)
    out[i] = a[i * 32];
  if (x != 0)
    return;
  out[0] = a[x * 32];
}

// A function has the lanes of the kernels that call it.
float of_pairs(__local const float *p) { return p[get_local_id(0) * 32]; }

__attribute__((reqd_work_group_size(2, 64, 1)))
__kernel void calls_it(__global float *out, __local float *a) {
  out[get_global_id(0)] = of_pairs(a);
}

// Global memory is column-access's.
__kernel void global_columns(__global const float *in, __global float *out) {
  out[get_global_id(0)] = in[get_global_id(0) * 32];
}
