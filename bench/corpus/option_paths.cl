// Monte Carlo price of an option: four streams of xorshift128 a work-item,
// normal variates by Box and Muller.
// clrewrite: launch global=131072 local=128 seed=2M out=2M paths=64 drift=0.001 vol=0.05
// small: launch global=64 local=16 seed=1K out=1K paths=8 drift=0.001 vol=0.05
kernel void option_paths(global const uint4 *restrict seed,
                         global float4 *restrict out, int paths, float drift,
                         float vol) {
  int g = get_global_id(0);
  uint4 x = seed[g] | 1u, y = x ^ 362436069u, z = x + 521288629u,
        w = x * 88675123u;
  float4 payoff = 0;
  for (int i = 0; i < paths; ++i) {
    float4 u[2];
    for (int k = 0; k < 2; ++k) {
      uint4 t = x ^ (x << 11u);
      x = y;
      y = z;
      z = w;
      w = w ^ (w >> 19u) ^ t ^ (t >> 8u);
      u[k] = (convert_float4(w >> 8u) + 0.5f) * 0x1p-24f;
    }
    float4 r = sqrt(-2 * log(u[0]));
    float4 c, s = sincos(6.2831853f * u[1], &c);
    payoff += fmax(exp(drift + vol * r * c) - 1, 0.0f) +
              fmax(exp(drift + vol * r * s) - 1, 0.0f);
  }
  out[g] = payoff / (2.0f * paths);
}
