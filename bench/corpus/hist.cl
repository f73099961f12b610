// Histogram of sixteen bins, counted in private memory first.
// clrewrite: launch global=262144 local=256 n=67108864 in=64M out=64
// small: launch global=256 local=64 n=4000 in=4K out=64
__kernel void hist(const __global uchar *in, __global uint *out, int n) {
  int g = get_global_id(0), gs = get_global_size(0);
  uint hh[16];
  for (int i = 0; i < 16; i++)
    hh[i] = 0;
  for (int i = g; i < n; i += gs) {
    int b = in[i] >> 4;
    hh[b]++;
  }
  for (int i = 0; i < 16; i++)
    atomic_add(&out[i], hh[i]);
}
