// divergent-branch: two heavy sides, and a condition that parts a wave.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906 --advise=divergent-branch %t/speaks.cl -- -I %t | FileCheck %t/speaks.cl --implicit-check-not=': advice '
// RUN: clrewrite measure --no-config --target=gfx906 --advise=divergent-branch %t/silent.cl -- -I %t | FileCheck %t/silent.cl --implicit-check-not=': advice '

//--- heavy.h
float one(float a) {
  for (int k = 0; k < 20; ++k)
    a = a * 1.5f + (a - 2.0f) * a;
  return a;
}
float other(float a) {
  return sin(a) * cos(a) + exp(a) * log(a) + sqrt(a) / a;
}

//--- speaks.cl
#include "heavy.h"
__kernel void odd(__global float *a) {
  int x = get_global_id(0);
  float r;
  // CHECK: speaks.cl:[[@LINE+1]]: advice divergent-branch: a wave whose lanes disagree runs both sides of this branch, of about {{[0-9]+}} and {{[0-9]+}} operations; its condition alternates between neighbouring work-items
  if (x % 2)
    r = one(a[x]);
  else
    r = other(a[x]);
  a[x] = r;
}

__kernel void bit(__global float *a) {
  int x = get_global_id(0), flag = get_local_id(0) & 3;
  // CHECK: speaks.cl:[[@LINE+1]]: advice divergent-branch: {{.*}} alternates
  if (x > 5 && flag == 1)
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
}

__kernel void data(__global float *a, float limit) {
  int x = get_global_id(0);
  float v = a[x] * 2;
  // CHECK: speaks.cl:[[@LINE+1]]: advice divergent-branch: {{.*}} depends on what each work-item has loaded
  if (v > limit)
    a[x] = one(v);
  else
    a[x] = other(v);
}

//--- silent.cl
// CHECK: kernel edge
#include "heavy.h"
// One wave alone is at the bound.
__kernel void edge(__global float *a, int n) {
  int x = get_global_id(0);
  if (x < n)
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
}

// The same for all lanes of a wave.
__kernel void group(__global float *a) {
  int x = get_global_id(0);
  if (get_group_id(0) % 2)
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
  if (get_local_id(0) & 64)
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
  if (get_local_id(0) / 64 == 1)
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
}

// One address for all.
__kernel void shared(__global float *a, __global const int *mode) {
  int x = get_global_id(0);
  if (mode[0])
    a[x] = one(a[x]);
  else
    a[x] = other(a[x]);
}

// A side is short, or there is none.
__kernel void light(__global float *a) {
  int x = get_global_id(0);
  if (x % 2)
    a[x] = one(a[x]);
  else
    a[x] = a[x] + 1;
  if (x % 2)
    a[x] = other(a[x]);
}
