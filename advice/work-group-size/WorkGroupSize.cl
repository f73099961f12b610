// work-group-size: by the attribute, a launch comment and --launch.
//
// RUN: split-file %s %t
// RUN: clrewrite measure --no-config --target=gfx906,gfx1100 --advise=work-group-size %t/k.cl | FileCheck %t/k.cl --implicit-check-not=': advice '
// With waves of 32 alone less is wrong.
// RUN: clrewrite measure --no-config --target=gfx1100 --advise=work-group-size %t/k.cl | FileCheck %t/k.cl --check-prefix=RDNA --implicit-check-not=': advice '
// A launch is known where there is a device to time it.
// RUN: clrewrite measure --no-config --target=gfx906,device --device-command="%{fake-device}" --launch=plain:1000:50,in=4K,out=4K --advise=work-group-size %t/k.cl 2>/dev/null | FileCheck %t/k.cl --check-prefix=LAUNCH

//--- k.cl
// CHECK: k.cl:[[@LINE+3]]: advice work-group-size: the work-groups of hundred have 10x10 = 100 work-items, no multiple of a wave: gfx906 (waves of 64): 28 lanes of 128 idle, gfx1100 (waves of 32): 28 lanes of 128 idle
// RDNA: k.cl:[[@LINE+2]]: advice work-group-size: {{.*}}: gfx1100 (waves of 32): 28 lanes of 128 idle
__attribute__((reqd_work_group_size(10, 10, 1)))
__kernel void hundred(__global float *out) { out[get_global_id(0)] = 1; }

// CHECK: k.cl:[[@LINE+2]]: advice work-group-size: {{.*}} have 32 work-items, no multiple of a wave: gfx906 (waves of 64): 32 lanes of 64 idle{{$}}
__attribute__((reqd_work_group_size(32, 1, 1)))
__kernel void half_a_wave(__global float *out) { out[get_global_id(0)] = 1; }

// CHECK: k.cl:[[@LINE+2]]: advice work-group-size: the work-groups of told have 16x3 = 48 work-items
// clrewrite: launch global=64x3 local=16x3
__kernel void told(__global float *out) { out[get_global_id(0)] = 1; }
// RDNA: k.cl:[[@LINE-1]]: advice work-group-size: {{.*}} 48 work-items

__attribute__((reqd_work_group_size(16, 4, 2)))
__kernel void whole(__global float *out) { out[get_global_id(0)] = 1; }

// A task.
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void task(__global float *out) { out[0] = 1; }

// LAUNCH: k.cl:[[@LINE+1]]: advice work-group-size: the work-groups of plain have 50 work-items
__kernel void plain(__global const float *in, __global float *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
