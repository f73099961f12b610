// Triad with an exponential, sixteen floats a work-item.
// clrewrite: launch global=1048576 local=256 k=0.5 a=64M b=64M c=64M o=64M
// small: launch global=64 local=16 k=0.5 a=4K b=4K c=4K o=4K
__kernel void vload16k(const __global float *a, const __global float *b,
                       const __global float *c, __global float *o, float k) {
  size_t g = get_global_id(0);
  float16 x = vload16(g, a), y = vload16(g, b), z = vload16(g, c);
  vstore16(x * y + z * k + exp(x), g, o);
}
