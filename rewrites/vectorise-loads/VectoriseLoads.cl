// vectorise-loads: which elements are loaded ahead, what is tested before that, and what is
// declined.
//
// PAIR: before.cl after.cl
// Another element than the turn's own; a vector that goes beyond the last turn; one at any
// address; one behind indices that wrap; a difference that overflows.
// WRONG: after.cl sixteen ahead[turn] => ahead[turn ^ 1]
// WRONG: after.cl rows n - k > 3 => n - k > 0
// WRONG: after.cl between (uint)last - k > 7 => (uint)last - k > 6
// WRONG: after.cl upto (uint)last - k + 1 > 3 => (uint)last - k > 2
// WRONG: after.cl pairs ahead2[turn] => ahead[turn]
// WRONG: after.cl bytes size - k > 15 => size - k > 13
//
// RUN: split-file %s %t
// Of several runs each is read as vectors alone, too; bytes by four as well as by sixteen.
// RUN: not clrewrite --no-config --only=vectorise-loads --verify=off --target=gfx906,sm_90 --verbose %t/choices.cl | FileCheck %s --check-prefix=CHOICES
// CHOICES-DAG: pays: vectorise-loads [by-16]
// CHOICES-DAG: left alone vectorise-loads [by-16-1, by-4, by-4-1]
// CHOICES-DAG: left alone vectorise-loads [by-16-2]
// CHOICES-DAG: left alone vectorise-loads [by-4-2]
//
// RUN: clrewrite --no-config --no-measure --only=vectorise-loads --verify=off --verbose %t/stays.cl | count 0
//
// A number of turns that the width divides needs no turn before the first vector and none
// behind the last. A macro's number is asked for, as another build may have another one.
// RUN: clrewrite --no-config --no-measure --only=vectorise-loads --alternative=by-4-whole --verify=off --fix %t/whole.cl
// RUN: FileCheck %s --check-prefix=WHOLE < %t/whole.cl
// RUN: clrewrite verify %t/whole-before.cl %t/whole.cl
// RUN: clrewrite verify %t/whole-before.cl %t/whole.cl -- -DTAPS=13
// RUN: clrewrite verify %t/whole-before.cl %t/whole.cl -- -DTAPS=0
// WHOLE: if (((uintptr_t)&in[i * 12 + k] & (sizeof(float4) - 1)) == 0)
// WHOLE: } while (k < 12);
// WHOLE-NEXT: else
// WHOLE-NEXT: for (; k < 12; k++)
// WHOLE: if (k <= (TAPS) && ((TAPS) - k + 1) % 4 == 0 &&
// WHOLE: } while (k <= (TAPS));
//
// By default the estimates decide, without a launch too: rows that lanes have each pay, what
// they share does not.
// RUN: clrewrite --no-config --target=gfx906,sm_90 --verify=off --fix --verbose %t/pays.cl | FileCheck %s --check-prefix=PAYS
// PAYS: applied vectorise-loads [by-4] (exact): sm_90: the estimate falls from
// RUN: FileCheck %s --check-prefix=WRITTEN < %t/pays.cl
// WRITTEN: kernel void own(
// WRITTEN: vstore4(*(const __global float4 *)&in[y * pitch + x], 0, ahead);
// WRITTEN: kernel void together(
// WRITTEN-NOT: vstore
//
// What was rewritten has nothing more to rewrite.
// RUN: clrewrite --no-config --no-measure --only=vectorise-loads --verify=off %t/after.cl | count 0

//--- whole.cl
#ifndef TAPS
#define TAPS 8
#endif
kernel void literal(global const float *in, global float *out) {
  int i = get_global_id(0);
  float kept[12];
  for (int k = 0; k < 12; k++)
    kept[k] = in[i * 12 + k];
  for (int k = 0; k < 12; k++)
    out[i * 12 + k] = kept[11 - k];
}
kernel void macro(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 1; k <= TAPS; k++)
    sum = sum * 0.5f + in[i * 24 + k];
  out[i] = sum;
}
//--- whole-before.cl
#ifndef TAPS
#define TAPS 8
#endif
kernel void literal(global const float *in, global float *out) {
  int i = get_global_id(0);
  float kept[12];
  for (int k = 0; k < 12; k++)
    kept[k] = in[i * 12 + k];
  for (int k = 0; k < 12; k++)
    out[i * 12 + k] = kept[11 - k];
}
kernel void macro(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 1; k <= TAPS; k++)
    sum = sum * 0.5f + in[i * 24 + k];
  out[i] = sum;
}
//--- before.cl
kernel void rows(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[i * n + k];
  out[i] = sum;
}

// Two runs; the variable is the function's, and has its value behind the loop.
kernel void pairs(global const int *a, constant int *b, global int *out, int n) {
  int i = get_global_id(0), k, sum = 0;
  for (k = 0; k < n; ++k) { // along
    sum = sum * 5 + a[i * n + k];
    sum ^= b[k];
  }
  out[i] = sum + k;
}

// A sum in uint may wrap; bytes, and tabs.
kernel void bytes(global const uchar *in, global uint *out, uint size) {
	uint p = get_global_id(0), a = 1, b = 0;
	for (uint k = 0; k < size; k++) {
		a += in[p * size + k];
		b += a;
	}
	out[p] = b << 16 | (a & 0xffff);
}

// Another start than 0, which may be below it.
// clrewrite: launch global=16 local=4 first=3 last=23 in=4K
kernel void between(global const short *in, global int *out, int first, int last) {
  int i = get_global_id(0), sum = 0;
  for (int k = first; k < last; k += 1)
    sum += in[i * last + k];
  out[i] = sum;
}

// clrewrite: launch global=16 local=4 first=2 last=19 in=4K
kernel void upto(global const uint *in, global uint *out, int first, int last) {
  int i = get_global_id(0);
  uint sum = 0;
  for (int k = first; k <= last; k++)
    sum = sum * 3 + in[i * 20 + k];
  out[i] = sum;
}

// Pointers and indices that the body names, elements of eight bytes, a wide variable.
kernel void named(global const ulong *in, global ulong *out, long n) {
  size_t i = get_global_id(0);
  ulong sum = 0;
  for (long k = 0; k < n; k++) {
    global const ulong *row = in + i * n;
    const long at = k + 0;
    sum += row[at] >> (*(row + k) & 7);
  }
  out[i] = sum;
}

// A number of turns that is known, an array of the work-item's own, loops within.
kernel void sixteen(global const float *in, global float *out) {
  int i = get_global_id(0);
  float kept[4] = {0, 0, 0, 0};
  for (int k = 0; k < 16; k++) {
    const float value = in[i * 16 + k + 4];
    for (int m = 0; m < 4; m++)
      kept[m] += value * m;
  }
  out[i] = kept[0] + kept[1] + kept[2] + kept[3];
}

// Local memory may be written: it is none of what is read ahead.
kernel void counts(global const uchar *in, global uint *out, local uint *own, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  own[l] = 0;
  for (int k = 0; k < n; ++k)
    own[l] += in[i * n + k] > 100;
  out[i] = own[l];
}

// The vectors of signed char are those of char. Neighbours of one place never begin
// vectors together.
kernel void levels(global const signed char *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 1; k < n; ++k)
    sum += in[i * n + k - 1] * 3 + in[i * n + k];
  out[i] = sum;
}

// Numbers that the build gives, or that are made of others.
#ifndef TAPS
#define TAPS 1 << 4
#endif
#define LAST (TAPS - 1)
kernel void taps(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k <= LAST; k++)
    sum += in[i * 20 + k];
  for (int k = 0; k < TAPS; k++)
    sum -= in[i * 20 + k] * k;
  out[i] = sum;
}

// What a variable of the body stands for keeps its place among the operators.
#define PITCH 9 + 1
kernel void pitches(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) {
    const int pitch = PITCH;
    sum += in[i * pitch + k];
  }
  out[i] = sum;
}
//--- after.cl
kernel void rows(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    for (; k < n &&
         ((uintptr_t)&in[i * n + k] & (sizeof(float4) - 1)) != 0; k++)
      sum += in[i * n + k];
    if (n - k > 3)
      do {
        float ahead[4];
        vstore4(*(const __global float4 *)&in[i * n + k], 0, ahead);
        for (int turn = 0; turn < 4; turn++, k++)
          sum += ahead[turn];
      } while (n - k > 3);
    for (; k < n; k++)
      sum += in[i * n + k];
  }
  out[i] = sum;
}

// Two runs; the variable is the function's, and has its value behind the loop.
kernel void pairs(global const int *a, constant int *b, global int *out, int n) {
  int i = get_global_id(0), k, sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  k = 0;
  if (n - k > 3 &&
      ((uintptr_t)&a[i * n + k] & (sizeof(int4) - 1)) == 0 &&
      ((uintptr_t)&b[k] & (sizeof(int4) - 1)) == 0)
    do {
      int ahead[4];
      vstore4(*(const __global int4 *)&a[i * n + k], 0, ahead);
      int ahead2[4];
      vstore4(*(const __constant int4 *)&b[k], 0, ahead2);
      for (int turn = 0; turn < 4; turn++, k++) { // along
        sum = sum * 5 + ahead[turn];
        sum ^= ahead2[turn];
      }
    } while (n - k > 3);
  for (; k < n; ++k) { // along
    sum = sum * 5 + a[i * n + k];
    sum ^= b[k];
  }
  out[i] = sum + k;
}

// A sum in uint may wrap; bytes, and tabs.
kernel void bytes(global const uchar *in, global uint *out, uint size) {
	uint p = get_global_id(0), a = 1, b = 0;
	// by clrewrite: vectors, where the address is a multiple of their size
	{
		uint k = 0;
		for (; k < size && (p * size + k) % 16 != 0; k++) {
			a += in[p * size + k];
			b += a;
		}
		if (size - k > 15 &&
				((uintptr_t)(in) & (sizeof(uchar16) - 1)) == 0)
			do {
				uchar ahead[16];
				vstore16(*(const __global uchar16 *)&in[p * size + k], 0, ahead);
				for (int turn = 0; turn < 16; turn++, k++) {
					a += ahead[turn];
					b += a;
				}
			} while (size - k > 15);
		for (; k < size; k++) {
			a += in[p * size + k];
			b += a;
		}
	}
	out[p] = b << 16 | (a & 0xffff);
}

// Another start than 0, which may be below it.
// clrewrite: launch global=16 local=4 first=3 last=23 in=4K
kernel void between(global const short *in, global int *out, int first, int last) {
  int i = get_global_id(0), sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = first;
    for (; k < last &&
         ((uintptr_t)&in[i * last + k] & (sizeof(short8) - 1)) != 0; k++)
      sum += in[i * last + k];
    if (k < last && (uint)last - k > 7)
      do {
        short ahead[8];
        vstore8(*(const __global short8 *)&in[i * last + k], 0, ahead);
        for (int turn = 0; turn < 8; turn++, k++)
          sum += ahead[turn];
      } while ((uint)last - k > 7);
    for (; k < last; k += 1)
      sum += in[i * last + k];
  }
  out[i] = sum;
}

// clrewrite: launch global=16 local=4 first=2 last=19 in=4K
kernel void upto(global const uint *in, global uint *out, int first, int last) {
  int i = get_global_id(0);
  uint sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = first;
    for (; k <= last &&
         ((uintptr_t)&in[i * 20 + k] & (sizeof(uint4) - 1)) != 0; k++)
      sum = sum * 3 + in[i * 20 + k];
    if (k <= last && (uint)last - k + 1 > 3)
      do {
        uint ahead[4];
        vstore4(*(const __global uint4 *)&in[i * 20 + k], 0, ahead);
        for (int turn = 0; turn < 4; turn++, k++)
          sum = sum * 3 + ahead[turn];
      } while ((uint)last - k + 1 > 3);
    for (; k <= last; k++)
      sum = sum * 3 + in[i * 20 + k];
  }
  out[i] = sum;
}

// Pointers and indices that the body names, elements of eight bytes, a wide variable.
kernel void named(global const ulong *in, global ulong *out, long n) {
  size_t i = get_global_id(0);
  ulong sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    long k = 0;
    if (n - k > 1 &&
        ((uintptr_t)&(in + i * n)[k + 0] & (sizeof(ulong2) - 1)) == 0 &&
        ((uintptr_t)&*((in + i * n) + k) & (sizeof(ulong2) - 1)) == 0)
      do {
        ulong ahead[2];
        vstore2(*(const __global ulong2 *)&(in + i * n)[k + 0], 0, ahead);
        ulong ahead2[2];
        vstore2(*(const __global ulong2 *)&*((in + i * n) + k), 0, ahead2);
        for (int turn = 0; turn < 2; turn++, k++) {
          global const ulong *row = in + i * n;
          const long at = k + 0;
          sum += ahead[turn] >> (ahead2[turn] & 7);
        }
      } while (n - k > 1);
    for (; k < n; k++) {
      global const ulong *row = in + i * n;
      const long at = k + 0;
      sum += row[at] >> (*(row + k) & 7);
    }
  }
  out[i] = sum;
}

// A number of turns that is known, an array of the work-item's own, loops within.
kernel void sixteen(global const float *in, global float *out) {
  int i = get_global_id(0);
  float kept[4] = {0, 0, 0, 0};
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    if (((uintptr_t)&in[i * 16 + k + 4] & (sizeof(float4) - 1)) == 0)
      do {
        float ahead[4];
        vstore4(*(const __global float4 *)&in[i * 16 + k + 4], 0, ahead);
        for (int turn = 0; turn < 4; turn++, k++) {
          const float value = ahead[turn];
          for (int m = 0; m < 4; m++)
            kept[m] += value * m;
        }
      } while (k < 16);
    else
      for (; k < 16; k++) {
        const float value = in[i * 16 + k + 4];
        for (int m = 0; m < 4; m++)
          kept[m] += value * m;
      }
  }
  out[i] = kept[0] + kept[1] + kept[2] + kept[3];
}

// Local memory may be written: it is none of what is read ahead.
kernel void counts(global const uchar *in, global uint *out, local uint *own, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  own[l] = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    for (; k < n &&
         ((uintptr_t)&in[i * n + k] & (sizeof(uchar16) - 1)) != 0; k++)
      own[l] += in[i * n + k] > 100;
    if (n - k > 15)
      do {
        uchar ahead[16];
        vstore16(*(const __global uchar16 *)&in[i * n + k], 0, ahead);
        for (int turn = 0; turn < 16; turn++, k++)
          own[l] += ahead[turn] > 100;
      } while (n - k > 15);
    for (; k < n; ++k)
      own[l] += in[i * n + k] > 100;
  }
  out[i] = own[l];
}

// The vectors of signed char are those of char. Neighbours of one place never begin
// vectors together.
kernel void levels(global const signed char *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 1;
    for (; k < n &&
         ((uintptr_t)&in[i * n + k - 1] & (sizeof(char16) - 1)) != 0; k++)
      sum += in[i * n + k - 1] * 3 + in[i * n + k];
    if (k < n && n - k > 15)
      do {
        char ahead[16];
        vstore16(*(const __global char16 *)&in[i * n + k - 1], 0, ahead);
        for (int turn = 0; turn < 16; turn++, k++)
          sum += ahead[turn] * 3 + in[i * n + k];
      } while (n - k > 15);
    for (; k < n; ++k)
      sum += in[i * n + k - 1] * 3 + in[i * n + k];
  }
  out[i] = sum;
}

// Numbers that the build gives, or that are made of others.
#ifndef TAPS
#define TAPS 1 << 4
#endif
#define LAST (TAPS - 1)
kernel void taps(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    for (; k <= (LAST) &&
         ((uintptr_t)&in[i * 20 + k] & (sizeof(float4) - 1)) != 0; k++)
      sum += in[i * 20 + k];
    if ((LAST) - k + 1 > 3)
      do {
        float ahead[4];
        vstore4(*(const __global float4 *)&in[i * 20 + k], 0, ahead);
        for (int turn = 0; turn < 4; turn++, k++)
          sum += ahead[turn];
      } while ((LAST) - k + 1 > 3);
    for (; k <= LAST; k++)
      sum += in[i * 20 + k];
  }
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    if (k < (TAPS) && ((TAPS) - k) % 4 == 0 &&
        ((uintptr_t)&in[i * 20 + k] & (sizeof(float4) - 1)) == 0)
      do {
        float ahead2[4];
        vstore4(*(const __global float4 *)&in[i * 20 + k], 0, ahead2);
        for (int turn2 = 0; turn2 < 4; turn2++, k++)
          sum -= ahead2[turn2] * k;
      } while (k < (TAPS));
    else
      for (; k < TAPS; k++)
        sum -= in[i * 20 + k] * k;
  }
  out[i] = sum;
}

// What a variable of the body stands for keeps its place among the operators.
#define PITCH 9 + 1
kernel void pitches(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // by clrewrite: vectors, where the address is a multiple of their size
  {
    int k = 0;
    for (; k < n &&
         ((uintptr_t)&in[i * (PITCH) + k] & (sizeof(float4) - 1)) != 0; k++) {
      const int pitch = PITCH;
      sum += in[i * pitch + k];
    }
    if (n - k > 3)
      do {
        float ahead[4];
        vstore4(*(const __global float4 *)&in[i * (PITCH) + k], 0, ahead);
        for (int turn = 0; turn < 4; turn++, k++) {
          const int pitch = PITCH;
          sum += ahead[turn];
        }
      } while (n - k > 3);
    for (; k < n; k++) {
      const int pitch = PITCH;
      sum += in[i * pitch + k];
    }
  }
  out[i] = sum;
}
//--- choices.cl
kernel void nearest(global const uchar *in, constant uchar *book, global uint *out, uint width) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < width; k++)
    sum += abs_diff(in[i * width + k], book[k]);
  out[i] = sum;
}
//--- pays.cl
kernel void own(global const float *in, global float *sums, int pitch, int columns) {
  int y = get_global_id(0);
  float sum = 0;
  for (int x = 0; x < columns; x++)
    sum += in[y * pitch + x];
  sums[y] = sum;
}
kernel void together(global const float *in, global float *sums, int pitch, int rows) {
  int x = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < rows; y++)
    sum += in[y * pitch + x];
  sums[x] = sum;
}
//--- declines.cl
kernel void stands(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
#define EACH for (int k = 0; k < n; ++k)
  // CHECK: declined vectorise-loads: the loop or a part of it comes from a macro, or a directive stands in it
  EACH sum += in[i * n + k];
  // CHECK: declined vectorise-loads: before the loop stands what may be about it
  #pragma unroll 4
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}

#ifdef OTHER
#define AT(r, c) ((c) * n + (r))
typedef double real;
#else
#define AT(r, c) ((r) * n + (c))
typedef float real;
#endif
kernel void macros(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    sum += in[AT(i, k)];
  out[i] = sum;
}
kernel void types(global const real *in, global real *out, int n) {
  int i = get_global_id(0);
  real sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}

kernel void chosen(
#ifdef OTHER
    global const double *in,
#else
    global const float *in,
#endif
    global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}
kernel void chosen_end(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
#ifdef OTHER
  uint end = n;
#else
  int end = n;
#endif
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k <= end; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}

struct Row {
  int first;
#ifdef OTHER
  double d[16];
#else
  float d[16];
#endif
};
kernel void chosen_field(global const struct Row *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    sum += in[i].d[k];
  out[i] = sum;
}

#ifdef OTHER
void note(global float *p) { *p += 1; }
#else
void note(global float *p) {}
#endif
kernel void chosen_function(global float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k) {
    sum += in[i * n + k];
    note(&in[i * n + k + 1]);
  }
  out[i] = sum;
}

// In another build this is a condition, and a name.
#ifdef OTHER
#define FEW 16 & 30
#define MANY 1 + u
#else
#define FEW 16
#define MANY 9
#endif
kernel void conditions(global const float *in, global float *out, int u) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < FEW; ++k)
    sum += in[i * 16 + k];
  // CHECK: declined vectorise-loads: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < MANY; ++k)
    sum += in[i * 16 + k];
  out[i] = sum;
}

kernel void is_long(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  // CHECK: declined vectorise-loads: the body of the loop, which would stand there three times, is long
  for (int k = 0; k < n; ++k) {
    sum = sum * 3 + (in[i * n + k] ^ (sum >> 0)) - (in[i * n + k] & 0x00000000) * 0;
    sum = sum * 4 + (in[i * n + k] ^ (sum >> 1)) - (in[i * n + k] & 0x00250000) * 1;
    sum = sum * 5 + (in[i * n + k] ^ (sum >> 2)) - (in[i * n + k] & 0x004a0000) * 2;
    sum = sum * 6 + (in[i * n + k] ^ (sum >> 3)) - (in[i * n + k] & 0x006f0000) * 3;
    sum = sum * 7 + (in[i * n + k] ^ (sum >> 4)) - (in[i * n + k] & 0x00940000) * 4;
    sum = sum * 8 + (in[i * n + k] ^ (sum >> 5)) - (in[i * n + k] & 0x00b90000) * 5;
    sum = sum * 9 + (in[i * n + k] ^ (sum >> 6)) - (in[i * n + k] & 0x00de0000) * 6;
    sum = sum * 10 + (in[i * n + k] ^ (sum >> 7)) - (in[i * n + k] & 0x01030000) * 7;
    sum = sum * 11 + (in[i * n + k] ^ (sum >> 8)) - (in[i * n + k] & 0x01280000) * 8;
    sum = sum * 12 + (in[i * n + k] ^ (sum >> 9)) - (in[i * n + k] & 0x014d0000) * 9;
    sum = sum * 13 + (in[i * n + k] ^ (sum >> 10)) - (in[i * n + k] & 0x01720000) * 10;
    sum = sum * 14 + (in[i * n + k] ^ (sum >> 11)) - (in[i * n + k] & 0x01970000) * 11;
    sum = sum * 15 + (in[i * n + k] ^ (sum >> 12)) - (in[i * n + k] & 0x01bc0000) * 12;
    sum = sum * 16 + (in[i * n + k] ^ (sum >> 13)) - (in[i * n + k] & 0x01e10000) * 13;
    sum = sum * 17 + (in[i * n + k] ^ (sum >> 14)) - (in[i * n + k] & 0x02060000) * 14;
    sum = sum * 18 + (in[i * n + k] ^ (sum >> 15)) - (in[i * n + k] & 0x022b0000) * 15;
    sum = sum * 19 + (in[i * n + k] ^ (sum >> 16)) - (in[i * n + k] & 0x02500000) * 16;
    sum = sum * 20 + (in[i * n + k] ^ (sum >> 17)) - (in[i * n + k] & 0x02750000) * 17;
    sum = sum * 21 + (in[i * n + k] ^ (sum >> 18)) - (in[i * n + k] & 0x029a0000) * 18;
    sum = sum * 22 + (in[i * n + k] ^ (sum >> 19)) - (in[i * n + k] & 0x02bf0000) * 19;
    sum = sum * 23 + (in[i * n + k] ^ (sum >> 20)) - (in[i * n + k] & 0x02e40000) * 20;
    sum = sum * 24 + (in[i * n + k] ^ (sum >> 21)) - (in[i * n + k] & 0x03090000) * 21;
    sum = sum * 25 + (in[i * n + k] ^ (sum >> 22)) - (in[i * n + k] & 0x032e0000) * 22;
    sum = sum * 26 + (in[i * n + k] ^ (sum >> 23)) - (in[i * n + k] & 0x03530000) * 23;
    sum = sum * 27 + (in[i * n + k] ^ (sum >> 24)) - (in[i * n + k] & 0x03780000) * 24;
    sum = sum * 28 + (in[i * n + k] ^ (sum >> 25)) - (in[i * n + k] & 0x039d0000) * 25;
    sum = sum * 29 + (in[i * n + k] ^ (sum >> 26)) - (in[i * n + k] & 0x03c20000) * 26;
    sum = sum * 30 + (in[i * n + k] ^ (sum >> 27)) - (in[i * n + k] & 0x03e70000) * 27;
  }
  out[i] = sum;
}

kernel void declares(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  // CHECK: declined vectorise-loads: the loop declares something that is no variable
  for (int k = 0; k < n; ++k) {
    enum { Two = 2 };
    sum += in[i * n + k] * Two;
  }
  // CHECK: declined vectorise-loads: a line of the loop goes on behind a backslash
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k] \
           + 1;
  out[i] = sum;
}

kernel void ends(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  // CHECK: declined vectorise-loads: a turn of the loop, or the loop, may end early, or a label stands in it
  for (int k = 0; k < n; ++k) {
    if (sum > 4)
      break;
    sum += in[i * n + k];
  }
  // CHECK: declined vectorise-loads: a turn of the loop, or the loop, may end early, or a label stands in it
  for (int k = 0; k < n; ++k) {
    sum += in[i * n + k];
    if (sum > 4)
      return;
  }
  out[i] = sum;
}

int opaque(int k);
kernel void waits(global const int *in, global int *out, global volatile int *flag, global int *sums, int n) {
  int i = get_global_id(0), sum = 0;
  // CHECK: declined vectorise-loads: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k) {
    sum += in[i * n + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  // CHECK: declined vectorise-loads: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k] + *flag;
  // CHECK: declined vectorise-loads: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k) {
    sum += in[i * n + k];
    atomic_inc(&sums[k]);
  }
  // CHECK: declined vectorise-loads: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum += in[i * n + k];
  }
  // CHECK: declined vectorise-loads: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k)
    sum += opaque(in[i * n + k]);
  out[i] = sum;
}

kernel void writes(global const int *in, global int *out, global int *carry, int n) {
  int i = get_global_id(0);
  // CHECK: declined vectorise-loads: the loop writes what may be the memory that it reads
  for (int k = 0; k < n; ++k)
    out[i] += in[i * n + k];
  // CHECK: declined vectorise-loads: the loop writes what may be the memory that it reads
  for (int k = 0; k < n; ++k)
    carry[i * n + k + 1] = carry[i * n + k] * 3;
}

kernel void shadows(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0, int4 = 4;
  // CHECK: declined vectorise-loads: the program gives another meaning to uintptr_t, uint, ulong, a vector or the vstoreN that is written
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum + int4;
}

// The cast to an enumeration has no text of its own in front of the loop.
typedef enum { A, B } Kind;
kernel void spelled(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  // CHECK: declined vectorise-loads: an address or the end of the loop can't be written in front of it: a part of it is no text of its own
  for (int k = 0; k < n; ++k) {
    const int at = k;
    sum += in[i * n + (Kind)at];
  }
  out[i] = sum;
}

kernel void renamed(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0, vstore4 = 4;
  // CHECK: declined vectorise-loads: the program gives another meaning to uintptr_t, uint, ulong, a vector or the vstoreN that is written
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum + vstore4;
}
//--- stays.cl
// Nothing here reads neighbours in turns that follow each other, or they are no scalars of
// memory that all work-items see, or the lanes of a wave read neighbours already.
kernel void stays(global const float *in, global const float4 *wide, global const int *map, local float *tile,
                  global float *out, int n, uint m) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[k * n + i] + in[i + k] + in[2 * k] + in[n - k] + in[map[0] + k * k] + in[k & 7] + tile[k] + wide[k].x;
  for (int k = 0; k < n; ++k)
    if (k & 1)
      sum += in[i * n + k];
  for (int k = 0; k < n; k += 2)
    sum += in[i * n + k];
  for (int k = n; k > 0; --k)
    sum += in[i * n + k];
  for (int k = 0; k < 3; ++k)
    sum += in[i * n + k];
  for (int k = 0; k < map[1]; ++k)
    sum += in[i * n + k];
  for (uchar k = 0; k < n; ++k)
    sum += in[i * n + k];
  for (int k = 0; k < n; ++k)
    sum += k > 4 ? in[i * n + k] : 1;
  for (uint k = 0; k < m; ++k)
    sum += in[(ulong)(k + m)];
  for (int k = 0; k < n; ++k)
    sum += __builtin_constant_p(in[i * n + k]);
  // Another build may have another step.
#ifndef STEP
#define STEP 1
#endif
  for (int k = 0; k < n; k++)
    sum += in[i * n + STEP * k];
  for (int k = 0; k < n; k += STEP)
    sum += in[i * n + k];
  // The loop within is the one that vectors pay in, and it has no run.
  for (int k = 0; k < n; ++k) {
    sum += in[i * n + k];
    for (int l = 0; l < n; ++l)
      sum += in[l * n + i];
  }
  out[i] = sum;
}
