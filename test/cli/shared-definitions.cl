// A function that the edits of two kernels define is defined once, and the result is as
// good as it can be.
// RUN: split-file %s %t
// RUN: clrewrite --fix --target=gfx906 --objective=estimate --only=promote-element --require-verified %t/two.cl | FileCheck %t/two.txt --check-prefix=SAID
// RUN: FileCheck %t/two.txt --input-file=%t/two.cl --implicit-check-not=columns_apart
// RUN: clrewrite --check --target=gfx906 --objective=estimate --only=promote-element %t/two.cl
// RUN: clrewrite --fix --target=gfx906 --objective=estimate --only=promote-element --verify=off %t/arms.cl -- -D A
// RUN: FileCheck %t/arms.txt --input-file=%t/arms.cl

//--- two.txt
// SAID-COUNT-2: proved equal for all inputs
// CHECK: bool rows_apart(
// CHECK: rows_apart(&sums[row], sizeof(float), &in[row * n],
// CHECK-NEXT: {{^}}                 &in[row * n + (n - 1)])) {
// CHECK: kernel void columns
// CHECK: rows_apart(&sums[column], sizeof(float), &in[column],
// CHECK-NEXT: {{^}}                 &in[(n - 1) * n + column])) {
// CHECK-NEXT: float kept = sums[column];

//--- two.cl
kernel void rows(global const float *in, global float *sums, int n) {
  int row = get_global_id(0);
  sums[row] = 0;
  for (int i = 0; i < n; ++i)
    sums[row] += in[row * n + i];
}

kernel void columns(global const float *in, global float *sums, int n) {
  int column = get_global_id(0);
  sums[column] = 0;
  for (int i = 0; i < n; ++i)
    sums[column] += in[i * n + column];
}

//--- arms.txt
// CHECK: bool rows_apart(
// CHECK: bool columns_apart(

//--- arms.cl
#ifdef A
kernel void rows(global const float *in, global float *sums, int n) {
  int row = get_global_id(0);
  sums[row] = 0;
  for (int i = 0; i < n; ++i)
    sums[row] += in[row * n + i];
}
#endif

kernel void columns(global const float *in, global float *sums, int n) {
  int column = get_global_id(0);
  sums[column] = 0;
  for (int i = 0; i < n; ++i)
    sums[column] += in[i * n + column];
}
