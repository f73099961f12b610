// A volume: dimension 2 is the plane, and dimension 1 goes along the rows.
// clrewrite: launch global=256x256x256 local=64x1x1 in=64M out=64M w=256 h=256
__kernel void planes(__global const float *in, __global float *out, int w, int h) {
  size_t y = get_global_id(0), x = get_global_id(1), z = get_global_id(2);
  size_t at = (z * h + y) * w + x;
  float before = z > 0 ? in[at - (size_t)w * h] : 0.0f;
  out[at] = in[at] - before;
}
