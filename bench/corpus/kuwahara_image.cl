// Kuwahara filter: the mean of the calmest of four 3x3 quadrants, on images.
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE |
                          CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
// clrewrite: launch global=2048x2048 local=16x16 in=2048x2048 out=2048x2048
// small: launch global=32x16 local=8x4 in=32x16 out=32x16
kernel void kuwahara_image(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 mean[4], square[4];
  for (int q = 0; q < 4; ++q) {
    mean[q] = 0;
    square[q] = 0;
    int2 corner = at - (int2)(q & 1 ? 0 : 2, q & 2 ? 0 : 2);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        float4 p = read_imagef(in, near, corner + (int2)(i, j));
        mean[q] += p;
        square[q] += p * p;
      }
  }
  float4 best = 0;
  float least = INFINITY;
  for (int q = 0; q < 4; ++q) {
    float4 m = mean[q] / 9.0f;
    float4 v = fabs(square[q] / 9.0f - m * m);
    float s = v.x + v.y + v.z;
    best = s < least ? m : best;
    least = fmin(s, least);
  }
  write_imagef(out, at, best);
}
