// private-array: only what is measured to lie in scratch memory.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=private-array %t/k.cl | FileCheck %t/k.cl --implicit-check-not=': advice '
// Nothing is known without measuring.
// RUN: clrewrite --no-config --no-measure --only=reroll --target=gfx906 --advise=private-array %t/k.cl | not grep advice

//--- k.cl
__kernel void stack(__global const int *in, __global int *out, int n) {
  int pile[300];
  int top = 0;
  for (int k = 0; k < n; ++k)
    if (in[k] > 0 && top < 300)
      // CHECK: k.cl:[[@LINE+1]]: advice private-array: pile (1200 B a work-item) is indexed by top++, which the compiler does not resolve, and lies in scratch memory ({{[0-9]+}} B on gfx906)
      pile[top++] = in[k] * get_global_id(0);
  int sum = 0;
  while (top > 0)
    sum = sum * 3 + pile[--top];
  out[get_global_id(0)] = sum;
}

// Unrolled: in registers.
__kernel void unrolled(__global const int *in, __global int *out) {
  int a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = in[get_global_id(0) * 4 + k];
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    sum = sum * 7 + a[3 - k];
  out[get_global_id(0)] = sum;
}

// A table that all share, and local memory.
__kernel void tables(__global const int *in, __global int *out,
                     __local int *room) {
  const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  room[get_local_id(0)] = table[in[get_global_id(0)] & 7];
  out[get_global_id(0)] = room[get_local_id(0)];
}
