// occupancy-cap: where the cap goes, what defines it, and what is declined.
//
// PAIR: before.cl after.cl --alternative=vgprs-64
// AGAIN-after-COUNT-4: declined occupancy-cap: the kernel has an attribute that decides its registers already
// WRONG: after.cl tripled *= 3 => *= 2
//
// RUN: split-file %s %t
// Parsed for another GPU, what earlier versions wrote is still a limit.
// DECLINES: defined.cl
// RUN: clrewrite --only=occupancy-cap --no-measure --target=sm_90 --verbose %t/earlier.cl | FileCheck %s --check-prefix=EARLIER --implicit-check-not=legal
// EARLIER: declined occupancy-cap: the kernel has an attribute that decides its registers already
//
// What only some builds have in the kernel's head is behind the macro too.
// RUN: clrewrite --only=occupancy-cap --alternative=vgprs-64 --no-measure --fix %t/arms.cl
// RUN: FileCheck %s --check-prefix=ARMS < %t/arms.cl
// RUN: %{python} %{inputs}/compiles_everywhere.py %t/arms.cl
// RUN: clrewrite measure --target=gfx906 %t/arms.cl -- -D SMALL
// ARMS: #ifndef __AMDGCN__
// ARMS-NEXT: #define amdgpu_num_vgpr(count)
// ARMS-NEXT: #endif
// ARMS: #ifdef SMALL
// ARMS-NEXT: __attribute__((reqd_work_group_size(16, 1, 1)))
// ARMS-NEXT: #endif
// ARMS-NEXT: __kernel __attribute__((amdgpu_num_vgpr(64))) // clrewrite: more waves fit with fewer registers
// ARMS-NEXT: #ifdef SMALL
//
// What the command line defines is another thing in another build.
// RUN: clrewrite --only=occupancy-cap --no-measure --verbose %t/given.cl -- -D GIVEN=__kernel | FileCheck %s --check-prefix=GIVEN
// GIVEN: declined occupancy-cap: the word __kernel comes from a macro that may be something else
//
// Unmeasured, it is tried only where it is named; measured, only limits that
// some target's kernel exceeds, and what spills is refused.
// RUN: not clrewrite --no-measure --verify=off %t/wide.cl | FileCheck %s --check-prefix=UNNAMED --implicit-check-not=" occupancy-cap"
// UNNAMED: legal: limit-unroll
// RUN: not clrewrite --target=gfx1030 --objective=registers --only=occupancy-cap --verify=off --verbose %t/wide.cl | FileCheck %s --check-prefix=PAYS
// PAYS: pays: occupancy-cap [vgprs-{{[0-9]+}}] (exact): gfx1030: VGPRs fall from
// PAYS: left alone occupancy-cap {{.*}}: no target needs more VGPRs than that

//--- before.cl
#ifdef __OPENCL_VERSION__
#define KERNEL __kernel // a word of OpenCL's
#else
#define KERNEL extern "C" __global__
#endif
#define SMALL_KERNEL KERNEL __attribute__((reqd_work_group_size(16, 1, 1)))

#ifdef OTHER
void unused(__global int *p) { p[0] = 1; }
#endif

// Doubles.
__kernel void doubled(__global int *p) {
  p[get_global_id(0)] *= 2;
}
kernel
__attribute__((reqd_work_group_size(16, 1, 1)))
void tripled(__global int *p) {
  p[get_global_id(0)] *= 3;
}
KERNEL/* in the middle */void quadrupled(__global int *p) {
  p[get_global_id(0)] *= 4;
}
SMALL_KERNEL
void quintupled(__global int *p) {
  p[get_global_id(0)] *= 5;
}
//--- declines.cl
// CHECK: declined occupancy-cap: the macro has no place before it: a directive other than #if stands in its head, or braces do not pair
__kernel
#define IN_HEAD
void head(__global int *p) { p[0] = 1; }
// The host may define it as well.
#ifndef HOSTS
#define HOSTS __kernel
#endif
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
HOSTS void hosts(__global int *p) { p[0] = 1; }
#ifdef PLAIN
#define SOMETIMES
#else
#define SOMETIMES __kernel
#endif
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
SOMETIMES void sometimes(__global int *p) { p[0] = 1; }
#define TAKEN __kernel
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
TAKEN void taken(__global int *p) { p[0] = 1; }
#undef TAKEN
// The cap would stand between the attribute's name and its parentheses.
#define OPEN __kernel __attribute__
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
OPEN((vec_type_hint(int))) void opened(__global int *p) { p[0] = 1; }
#define PARAMETER __kernel void parameter(
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
PARAMETER __global int *p) { p[0] = 1; }
#define NAMED __kernel void named
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
NAMED(__global int *p) { p[0] = 1; }
#define RETURNS(type) __kernel type
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
RETURNS(void) returns(__global int *p) { p[0] = 1; }
#define HIDES SOMETIMES
// CHECK: declined occupancy-cap: the word __kernel comes from a macro that may be something else
HIDES void hides(__global int *p) { p[0] = 1; }
// CHECK: declined occupancy-cap: the kernel has an attribute that decides its registers already
__kernel __attribute__((amdgpu_num_vgpr(32))) void capped(__global int *p) { p[0] = 1; }
// CHECK: declined occupancy-cap: the kernel has an attribute that decides its registers already
__kernel __attribute__((amdgpu_waves_per_eu(4))) void waves(__global int *p) { p[0] = 1; }
// What earlier versions wrote.
#if defined(__AMDGCN__) && defined(__has_attribute)
#if __has_attribute(amdgpu_num_vgpr)
#define VGPR_CAP(count) __attribute__((amdgpu_num_vgpr(count)))
#endif
#endif
#ifndef VGPR_CAP
#define VGPR_CAP(count)
#endif
// CHECK: declined occupancy-cap: the kernel has an attribute that decides its registers already
__kernel VGPR_CAP(64) void earlier(__global int *p) { p[0] = 1; }
//--- earlier.cl
#if defined(__AMDGCN__) && defined(__has_attribute)
#if __has_attribute(amdgpu_num_vgpr)
#define VGPR_CAP(count) __attribute__((amdgpu_num_vgpr(count)))
#endif
#endif
#ifndef VGPR_CAP
#define VGPR_CAP(count)
#endif
__kernel VGPR_CAP(64) void earlier(__global int *p) { p[0] = 1; }
//--- defined.cl
// Here the attribute's name means something.
#ifdef OTHER
#define amdgpu_num_vgpr(count) amdgpu_num_sgpr(count)
#endif
// CHECK: declined occupancy-cap: an attribute's name, amdgpu_waves_per_eu or amdgpu_num_vgpr, is a macro of another meaning here
__kernel void other(__global int *p) { p[0] = 1; }
//--- arms.cl
#ifdef SMALL
__attribute__((reqd_work_group_size(16, 1, 1)))
#endif
__kernel
#ifdef SMALL
__attribute__((vec_type_hint(float4)))
#endif
void arms(__global int *p) {
  p[get_global_id(0)] *= 2;
}
//--- given.cl
GIVEN void given(__global int *p) { p[0] = 1; }
//--- wide.cl
__kernel void moments(__global const float4 *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 mean = 0, square = 0;
  for (int k = 0; k < 8; ++k) {
    float4 v = in[i + k * n];
    mean += v;
    square += v * v;
  }
  out[2 * i] = mean;
  out[2 * i + 1] = square;
}
//--- after.cl
#ifdef __OPENCL_VERSION__
#define KERNEL __kernel // a word of OpenCL's
#else
#define KERNEL extern "C" __global__
#endif
#define SMALL_KERNEL KERNEL __attribute__((reqd_work_group_size(16, 1, 1)))

#ifdef OTHER
void unused(__global int *p) { p[0] = 1; }
#endif

// A limit of registers for AMD's compilers; elsewhere nothing.
#ifndef __AMDGCN__
#define amdgpu_num_vgpr(count)
#endif

// Doubles.
__kernel __attribute__((amdgpu_num_vgpr(64))) // clrewrite: more waves fit with fewer registers
void doubled(__global int *p) {
  p[get_global_id(0)] *= 2;
}
kernel __attribute__((amdgpu_num_vgpr(64))) // clrewrite: more waves fit with fewer registers
__attribute__((reqd_work_group_size(16, 1, 1)))
void tripled(__global int *p) {
  p[get_global_id(0)] *= 3;
}
KERNEL __attribute__((amdgpu_num_vgpr(64))) // clrewrite: more waves fit with fewer registers
/* in the middle */void quadrupled(__global int *p) {
  p[get_global_id(0)] *= 4;
}
SMALL_KERNEL __attribute__((amdgpu_num_vgpr(64))) // clrewrite: more waves fit with fewer registers
void quintupled(__global int *p) {
  p[get_global_id(0)] *= 5;
}
