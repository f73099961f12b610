// The nearest of some centres to a point of 24 features, which stay in
// registers over the loop.
// tried reload plain: the features are read again in the loop
// tried reload zero: the same, at an index that holds an opaque 0
// tried reload fence: read again, and a fence of the scheduler in the loop
// tried reload memory: read again, behind asm that may write memory
// clrewrite: launch global=64 local=16 points=64 centres=16 features=6K means=1536 nearest=256
kernel void kmeans(global const float *features, global const float *means,
                   global int *nearest, int points, int centres) {
  int g = get_global_id(0);
#if !defined(V_plain) && !defined(V_zero) && !defined(V_fence) && !defined(V_memory)
  float f[24];
  for (int k = 0; k < 24; ++k)
    f[k] = features[k * points + g];
#endif
  float least = INFINITY;
  int at = 0;
  for (int c = 0; c < centres; ++c) {
#if defined(V_zero)
    int zero = c & (int)(get_work_dim() >> 2);
#define f(k) (features + zero)[(k) * points + g]
#elif defined(V_plain) || defined(V_fence) || defined(V_memory)
#define f(k) features[(k) * points + g]
#else
#define f(k) f[k]
#endif
#if defined(V_fence) && defined(__AMDGCN__)
    __builtin_amdgcn_sched_barrier(0);
#elif defined(V_memory)
    __asm__ volatile("" ::: "memory");
#endif
    float sum = 0;
    for (int k = 0; k < 24; ++k) {
      float d = f(k) - means[c * 24 + k];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      at = c;
    }
  }
  nearest[g] = at;
}
