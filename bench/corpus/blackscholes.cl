// Prices four European calls and puts a work-item by Black-Scholes.
typedef float4 T;
typedef int4 TI;
T cnd(T x) {
  T l = fabs(x);
  T k = 1.0f / (1.0f + 0.2316419f * l);
  T p = k * (0.31938153f +
             k * (-0.356563782f +
                  k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  T w = 1.0f - 0.39894228f * exp(-0.5f * l * l) * p;
  return x < 0 ? 1.0f - w : w;
}
// clrewrite: launch global=2097152 local=256 s=32M x=32M t=32M call=32M put=32M r=0.02 v=0.3
// small: launch global=256 local=64 s=4K x=4K t=4K call=4K put=4K r=0.02 v=0.3
__kernel void blackscholes(const __global float *s, const __global float *x,
                           const __global float *t, __global float *call,
                           __global float *put, float r, float v) {
  size_t g = get_global_id(0);
  {
    T S = vload4(g, (const __global float *)(s)),
      X = vload4(g, (const __global float *)(x)),
      Tt = vload4(g, (const __global float *)(t));
    T sq = sqrt(Tt);
    T d1 = (log(S / X) + (r + 0.5f * v * v) * Tt) / (v * sq), d2 = d1 - v * sq;
    T c1 = cnd(d1);
    T c2 = cnd(d2);
    T ex = exp(-r * Tt);
    T c = S * c1 - X * ex * c2;
    vstore4(c, g, call);
    vstore4(X * ex * (1.0f - c2) - S * (1.0f - c1), g, put);
  }
}
