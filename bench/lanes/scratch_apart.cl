// A private array that registers do not hold is indexed by a number that differs from
// work-item to work-item.
// clrewrite: launch global=270336 local=256 in=4K out=2M n=20
// small: launch global=512 local=256 in=4K out=2K n=3
__kernel void scratch_apart(__global const int *in, __global float *out, int n) {
  float sums[256];
  for (int i = 0; i < 256; i++)
    sums[i] = i;
  for (int i = 0; i < n; i++)
    sums[(in[i] + 5 * get_local_id(0)) & 255] += 1;
  float sum = 0;
  for (int i = 0; i < 256; i++)
    sum = sum * 0.5f + sums[i];
  out[get_global_id(0)] = sum;
}
