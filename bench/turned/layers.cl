// A sum over 64 layers of an array with three indices.
// clrewrite: launch global=512x512 local=16x16 in=64M out=1M w=512 h=512 layers=64
__kernel void layers(__global const float *in, __global float *out, int w, int h, int layers) {
  int y = get_global_id(0), x = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < layers; ++k)
    sum += in[(k * h + y) * w + x];
  out[y * w + x] = sum;
}
