// Convolution 1x1 of channels in groups of four: four pixels by four output
// channels a work-item.
// clrewrite: launch global=262144x8 local=64x4 pixels=1048576 in_groups=8 in=128M weights=4K out=128M
// small: launch global=16x4 local=8x4 pixels=64 in_groups=4 in=4K weights=1K out=4K
kernel void conv1x1(global const float4 *restrict in,
                    global const float4 *restrict weights,
                    global float4 *restrict out, int pixels, int in_groups) {
  int p = get_global_id(0) * 4, o = get_global_id(1);
  float4 a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  for (int g = 0; g < in_groups; ++g) {
    global const float4 *i = in + g * pixels + p;
    global const float4 *w = weights + (o * in_groups + g) * 4;
    float4 w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    float4 i0 = i[0], i1 = i[1], i2 = i[2], i3 = i[3];
    a0 += i0.x * w0 + i0.y * w1 + i0.z * w2 + i0.w * w3;
    a1 += i1.x * w0 + i1.y * w1 + i1.z * w2 + i1.w * w3;
    a2 += i2.x * w0 + i2.y * w1 + i2.z * w2 + i2.w * w3;
    a3 += i3.x * w0 + i3.y * w1 + i3.z * w2 + i3.w * w3;
  }
  global float4 *to = out + o * pixels + p;
  to[0] = fmax(a0, 0.0f);
  to[1] = fmax(a1, 0.0f);
  to[2] = fmax(a2, 0.0f);
  to[3] = fmax(a3, 0.0f);
}
