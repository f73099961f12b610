// opaque-guard: where the guard goes, what it asks, and what is declined.
//
// PAIR: before.cl after.cl --alternative=behind-4
// AGAIN-after: declined opaque-guard: the function is guarded already
// PAIR: before.cl loop.cl --alternative=behind-6
// AGAIN-loop: declined opaque-guard: the function is guarded already
// PAIR: before.cl first.cl
// AGAIN-first-COUNT-2: declined opaque-guard: the function is guarded already
// PAIR: ends.cl ends-first.cl --alternative=behind-1
// AGAIN-ends-first-COUNT-6: declined opaque-guard: the function is guarded already
// PAIR: ends.cl ends-second.cl --alternative=behind-2
// AGAIN-ends-second-COUNT-3: declined opaque-guard: the function is guarded already
//
// A guard that this build's compiler skips is one all the same.
// DECLINES: sheltered.cl --target=sm_90
//
// Another function of that name may give 0.
// RUN: split-file %s %t
// RUN: clrewrite --only=opaque-guard --no-measure --verbose %t/named.cl -- -D get_local_size=count | FileCheck %s --check-prefix=NAMED --implicit-check-not=legal
// Nothing but a measurement can justify it: unnamed, it needs one.
// RUN: not clrewrite --no-measure --verify=off %{corpus}/unsharp16.cl | not grep " opaque-guard"
// RUN: not clrewrite --target=gfx1030 --only-target --only=opaque-guard --verify=off %{corpus}/unsharp16.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: opaque-guard [behind-{{[0-9]+}}] (exact): gfx1030: occupancy rises from
//
// What is written, shown as a diff and offered to editors says the same gain, and a
// second run leaves it.
// RUN: cp %{corpus}/unsharp16.cl %t/written.cl
// RUN: not clrewrite --target=gfx906 --only-target --only=opaque-guard --verify=off --diff %t/written.cl | FileCheck %s --check-prefix=WRITTEN
// RUN: not clrewrite --target=gfx906 --only-target --only=opaque-guard --verify=off --format=sarif %t/written.cl | FileCheck %s --check-prefix=WRITTEN
// RUN: clrewrite --target=gfx906 --only-target --only=opaque-guard --verify=off --fix %t/written.cl
// RUN: FileCheck %s --check-prefix=WRITTEN < %t/written.cl
// RUN: cp %t/written.cl %t/twice.cl
// RUN: clrewrite --target=gfx906 --only-target --only=opaque-guard --verify=off --fix --verbose %t/twice.cl | FileCheck %s --check-prefix=TWICE --implicit-check-not=means
// RUN: cmp %t/written.cl %t/twice.cl
// WRITTEN: if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below: 2 -> 5 waves on gfx906
// TWICE: declined opaque-guard: the function is guarded already

//--- before.cl
// The rest behind the last load; the loop's, in braces; on one line.
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
// The rest behind the last load; the loop's, in braces; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
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
//--- loop.cl
// The rest behind the last load; the loop's, in braces; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 a = in[i]; // a comment stays
  float4 b = in[i ^ 1], s;
  s = a + b;
  for (int k = 0; k < n; ++k) {
    s += a;
    s *= b;
    if (get_local_size(0)) { // clrewrite: no work-group is empty; loads stay below
      /* here */ s -= 1;
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
// The rest behind the last load; the loop's, in braces; on one line.
kernel void blur(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
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
  if (!get_num_groups(0)) return; // clrewrite: no work-group is empty; loads stay below
  p[i] = a;
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
// With other options it may return a value.
#define NOTHING void
// CHECK: declined opaque-guard: the word void comes from a macro, or stands between directives
NOTHING hidden(global int *p) {
  int a = *p;
  *p = a + 1;
}
// CHECK: declined opaque-guard: the word void comes from a macro, or stands between directives
#ifdef NUMBERS
int
#else
void
#endif
chosen(global int *p) {
  int a = *p;
  *p = a + 1;
}
// CHECK: declined opaque-guard: the word void comes from a macro, or stands between directives
#ifdef NUMBERS
int chosen_whole(global int *p)
#else
void chosen_whole(global int *p)
#endif
{
  int a = *p;
  *p = a + 1;
}
// A barrier, also in a function; a case, which jumps lead to; a directive right
// behind the only place.
void wait(local int *l) {
  barrier(CLK_LOCAL_MEM_FENCE);
}
// CHECK: declined opaque-guard: work-items may wait for each other behind each statement: 'barrier(CLK_LOCAL_MEM_FENCE)'
kernel void waits(global int *p, local int *l) {
  int i = get_global_id(0);
  l[get_local_id(0)] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
}
// CHECK: declined opaque-guard: work-items may wait for each other behind each statement: 'wait(l)'
kernel void waits_inside(global int *p, local int *l) {
  int i = get_global_id(0);
  p[i] = 3;
  wait(l);
}
// CHECK: declined opaque-guard: a jump leads into the statements that would be guarded: 'default'
kernel void jumps(global int *p, int n) {
  int i;
  switch (n) {
  case 1:
    p[4] = 4;
    p[5] += n;
  default:
    p[6] += 5;
  }
}
// CHECK: declined opaque-guard: a directive or a macro's end stands behind each statement: 'if'
kernel void with_else(global int *p, int n) {
  int i;
  if (n)
    p[0] = 1;
#ifdef MORE
  else
    p[0] = 2;
#endif
  p[1] = 3;
}
// The value of a block, and what leaves one, are not the function's.
// CHECK: declined opaque-guard: nothing is computed behind the first statement
kernel void blocks(global int *p) {
  int i;
  p[0] = ({ int a = p[1]; a += 2; a *= 3; a; });
}
// CHECK: declined opaque-guard: more than 12 lines of an inner block would go into braces
kernel void long_block(global int *p, int n) {
  int i;
  for (i = 0; i < n; ++i) {
    p[i] += 1; /*
    2
    3
    4
    5
    6
    7
    8
    9
    10
    11
    12
    13 */
    p[i] *= 2;
  }
}
// CHECK: declined opaque-guard: more than 12 lines of an inner block would go into braces
kernel void spliced(global int *p, int n) {
  int i;
  for (i = 0; i < n; ++i) {
    p[i] += 1;
    p[i] \
      *= 2;
  }
}
//--- sheltered.cl
// CHECK: declined opaque-guard: the function is guarded already
kernel void sheltered(global int *p) {
  int i = get_global_id(0), a = p[i];
  #ifdef __AMDGCN__ // clrewrite: no work-group is empty; loads stay below: 2 -> 5 waves on gfx906
  if (!get_local_size(0)) return;
  #endif
  p[i] = a + 1;
}
//--- ends.cl
// Code behind that jumps lead to, that directives choose, that declares what a
// work-group shares, or that is an inner block's value.
kernel void jumps(global int *p, int n) {
  int i = get_global_id(0);
  p += 4 * i;
  if (p[0] < 9)
    goto end;
  p[1] += 1;
end:
  p[2] += 2;
}
kernel void directives(global int *p, int n) {
  int i = get_global_id(0), a = p[i];
  p[i] = 3;
#ifdef MORE
  p[i] += 4;
#endif
  p[i] += a;
}
kernel void shared(global int *p) {
  int i = get_global_id(0), a = p[i];
  local int l[64];
  p[i] = a + 1;
}
kernel void blocks(global int *p) {
  int i = get_global_id(0), a = p[i];
  p[i] = ({ int b = a; b += 2; b; });
}
// All of the loop's body stands on a line.
kernel void in_line(global int *p) {
  p += 4 * get_global_id(0);
  for (int i = 0; i < 4; ++i) { p[i] += 1; p[i] *= 2; }
}
// Tabs.
kernel void tabs(global int *p)
{
	p += 4 * get_global_id(0);
	for (int i = 0; i < 4; ++i) {
		p[i] += 1;

		if (p[i] > 3)
			p[i] *= 2;
	}
}
//--- ends-first.cl
// Code behind that jumps lead to, that directives choose, that declares what a
// work-group shares, or that is an inner block's value.
kernel void jumps(global int *p, int n) {
  int i = get_global_id(0);
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  p += 4 * i;
  if (p[0] < 9)
    goto end;
  p[1] += 1;
end:
  p[2] += 2;
}
kernel void directives(global int *p, int n) {
  int i = get_global_id(0), a = p[i];
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  p[i] = 3;
#ifdef MORE
  p[i] += 4;
#endif
  p[i] += a;
}
kernel void shared(global int *p) {
  int i = get_global_id(0), a = p[i];
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  local int l[64];
  p[i] = a + 1;
}
kernel void blocks(global int *p) {
  int i = get_global_id(0), a = p[i];
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  p[i] = ({ int b = a; b += 2; b; });
}
// All of the loop's body stands on a line.
kernel void in_line(global int *p) {
  p += 4 * get_global_id(0);
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  for (int i = 0; i < 4; ++i) { p[i] += 1; p[i] *= 2; }
}
// Tabs.
kernel void tabs(global int *p)
{
	p += 4 * get_global_id(0);
	if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
	for (int i = 0; i < 4; ++i) {
		p[i] += 1;

		if (p[i] > 3)
			p[i] *= 2;
	}
}
//--- ends-second.cl
// Code behind that jumps lead to, that directives choose, that declares what a
// work-group shares, or that is an inner block's value.
kernel void jumps(global int *p, int n) {
  int i = get_global_id(0);
  p += 4 * i;
  if (!get_local_size(0)) return; // clrewrite: no work-group is empty; loads stay below
  if (p[0] < 9)
    goto end;
  p[1] += 1;
end:
  p[2] += 2;
}
kernel void directives(global int *p, int n) {
  int i = get_global_id(0), a = p[i];
  p[i] = 3;
#ifdef MORE
  p[i] += 4;
#endif
  p[i] += a;
}
kernel void shared(global int *p) {
  int i = get_global_id(0), a = p[i];
  local int l[64];
  p[i] = a + 1;
}
kernel void blocks(global int *p) {
  int i = get_global_id(0), a = p[i];
  p[i] = ({ int b = a; b += 2; b; });
}
// All of the loop's body stands on a line.
kernel void in_line(global int *p) {
  p += 4 * get_global_id(0);
  for (int i = 0; i < 4; ++i) { p[i] += 1;
    if (get_local_size(0)) { // clrewrite: no work-group is empty; loads stay below
      p[i] *= 2;
    }
  }
}
// Tabs.
kernel void tabs(global int *p)
{
	p += 4 * get_global_id(0);
	for (int i = 0; i < 4; ++i) {
		p[i] += 1;
		if (get_local_size(0)) { // clrewrite: no work-group is empty; loads stay below

			if (p[i] > 3)
				p[i] *= 2;
		}
	}
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
