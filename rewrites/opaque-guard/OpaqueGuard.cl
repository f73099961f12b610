// opaque-guard: where the guard goes, what it asks, and what is declined.
//
// PAIR: before.cl after.cl --alternative=behind-4
// AGAIN-after: declined opaque-guard: the function is guarded already
// PAIR: before.cl loop.cl --alternative=behind-6
// AGAIN-loop: declined opaque-guard: the function is guarded already
// PAIR: before.cl first.cl
// AGAIN-first-COUNT-2: declined opaque-guard: the function is guarded already
//
// Another function of that name may give 0.
// RUN: split-file %s %t
// RUN: clrewrite --only=opaque-guard --no-measure --verbose %t/named.cl -- -D get_local_size=count | FileCheck %s --check-prefix=NAMED --implicit-check-not=legal
// Nothing but a measurement can justify it: unnamed, it needs one.
// RUN: not clrewrite --no-measure --verify=off %{corpus}/unsharp16.cl | not grep " opaque-guard"
// RUN: not clrewrite --target=gfx1030 --only=opaque-guard --verify=off %{corpus}/unsharp16.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: opaque-guard [behind-{{[0-9]+}}] (exact): gfx1030: occupancy rises from

//--- before.cl
// The block's rest behind its last load; the loop's; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  for (int k = 0; k < n; ++k) {
    s += a;
    s *= b; /* here */ s -= 1;
  }
  if (n > 3) { a = s; s = b; }
  if (n > 9)
    return; /* or
               not */
  out[i] = s + a;
}
// The size is required, so compilers know it.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
required(global int *p) {
  int i = get_global_id(0), a = p[i] * 3;
  p[i] = a;
}
//--- after.cl
// The block's rest behind its last load; the loop's; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  if (get_local_size(0)) {
  for (int k = 0; k < n; ++k) {
    s += a;
    s *= b; /* here */ s -= 1;
  }
  if (n > 3) { a = s; s = b; }
  if (n > 9)
    return; /* or
               not */
  out[i] = s + a;
  }
}
// The size is required, so compilers know it.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
required(global int *p) {
  int i = get_global_id(0), a = p[i] * 3;
  p[i] = a;
}
//--- loop.cl
// The block's rest behind its last load; the loop's; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  for (int k = 0; k < n; ++k) {
    s += a;
    s *= b;
    if (get_local_size(0)) { /* here */ s -= 1;
    }
  }
  if (n > 3) { a = s; s = b; }
  if (n > 9)
    return; /* or
               not */
  out[i] = s + a;
}
// The size is required, so compilers know it.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
required(global int *p) {
  int i = get_global_id(0), a = p[i] * 3;
  p[i] = a;
}
//--- first.cl
// The block's rest behind its last load; the loop's; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  if (get_local_size(0)) {
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  for (int k = 0; k < n; ++k) {
    s += a;
    s *= b; /* here */ s -= 1;
  }
  if (n > 3) { a = s; s = b; }
  if (n > 9)
    return; /* or
               not */
  out[i] = s + a;
  }
}
// The size is required, so compilers know it.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
required(global int *p) {
  int i = get_global_id(0), a = p[i] * 3;
  if (get_num_groups(0)) {
  p[i] = a;
  }
}
//--- named.cl
int count(int d) { return 0; }
kernel void named(global int *p) {
  int i = get_global_id(0), a = p[i];
  p[i] = a + 1;
}
//--- declines.cl
// NAMED: declined opaque-guard: get_local_size or get_num_groups is another function here
#define BODY { int a = *p; *p = a + 1; }
// CHECK: declined opaque-guard: the function's body comes from a macro
kernel void in_macro(global int *p) BODY
// CHECK: declined opaque-guard: the function returns a value
int value(global int *p) {
  int a = *p;
  return a + 1;
}
// CHECK: declined opaque-guard: the function is guarded already
kernel void guarded(global int *p) {
  int i = get_global_id(0), a = p[i];
  if (get_local_size(0)) {
    p[i] = a + 1;
  }
}
// CHECK: declined opaque-guard: the function holds a block that is an expression
kernel void blocks(global int *p) {
  int i = get_global_id(0);
  p[i] = ({ int a = p[i]; a += 2; a; });
  p[i] += 3;
}
// A barrier, also in a function; a case and a label, which jumps lead to;
// directives; local and constant variables, whose place is the outermost block.
void wait(local int *l) {
  barrier(CLK_LOCAL_MEM_FENCE);
}
// CHECK: declined opaque-guard: behind each statement a jump leads in, work-items wait for each other, a directive stands, or nothing is computed
kernel void waits(global int *p, local int *l) {
  int i = get_global_id(0);
  l[get_local_id(0)] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
}
// CHECK: declined opaque-guard: behind each statement a jump leads in, work-items wait for each other, a directive stands, or nothing is computed
kernel void waits_inside(global int *p, local int *l) {
  int i = get_global_id(0);
  p[i] = 3;
  wait(l);
}
// CHECK: declined opaque-guard: behind each statement a jump leads in, work-items wait for each other, a directive stands, or nothing is computed
kernel void jumps(global int *p, int n) {
  int i = get_global_id(0);
  p[i] = 3;
  switch (n) {
  case 1:
    p[i] = 4;
    p[i] += n;
  default:
    p[i] += 5;
  }
  if (p[i] < 9)
    goto end;
  p[i] += 1;
end:
  p[i] += 2;
}
// CHECK: declined opaque-guard: behind each statement a jump leads in, work-items wait for each other, a directive stands, or nothing is computed
kernel void directives(global int *p, int n) {
  int i = get_global_id(0);
  p[i] = 3;
#ifdef MORE
  p[i] += 4;
#endif
}
// CHECK: declined opaque-guard: behind each statement a jump leads in, work-items wait for each other, a directive stands, or nothing is computed
kernel void shared(global int *p) {
  int i = get_global_id(0);
  p[i] = 3;
  local int l[64];
  l[get_local_id(0)] = p[i];
  p[i] = l[get_local_id(0)] + 1;
  constant int two = 2;
}
//--- guard.cl
// A guard that does not hold for the first work-item.
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), v = in[i] * 3;
  out[i] = v + 1;
}
//--- guard-wrong.cl
kernel void k(global const int *in, global int *out) {
  int i = get_global_id(0), v = in[i] * 3;
  if (get_global_id(0)) {
    out[i] = v + 1;
  }
}
