// A private array is indexed by a number that is the same for all work-items.
// clrewrite: launch global=270336 local=256 in=4K out=2M n=128
// small: launch global=512 local=256 in=4K out=2K n=3
__kernel void array_same(__global const int *in, __global float *out, int n) {
  float sums[32];
  for (int i = 0; i < 32; i++)
    sums[i] = i;
  for (int i = 0; i < n; i++)
    sums[(in[i]) & 31] += 1;
  float sum = 0;
  for (int i = 0; i < 32; i++)
    sum = sum * 0.5f + sums[i];
  out[get_global_id(0)] = sum;
}
