// Kernels whose needs the test of AMD's metadata note knows: nothing, local
// memory, and a private array that is indexed dynamically.
kernel void empty(void) {}

kernel void shared(global int *out, int n) {
  local int table[256];
  table[n & 255] = n;
  __builtin_amdgcn_s_barrier(); // no library to link barrier() from
  out[0] = table[(n + 1) & 255];
}

kernel void spread(global int *out, int n) {
  int table[64];
  for (int i = 0; i < 64; ++i)
    table[i] = out[i * n];
  out[0] = table[n & 63] + table[(n * 7) & 63];
}
