// sRGB to CIE L*a*b*, four pixels of three float planes a work-item.
float4 linear_light(float4 c) {
  return c <= 0.04045f ? c / 12.92f : pow((c + 0.055f) / 1.055f, 2.4f);
}
float4 lightness(float4 t) {
  return t > 0.008856f ? cbrt(t) : t * 7.787f + 0.137931f;
}
// clrewrite: launch global=1048576 local=256 r=16M g=16M b=16M l=16M a=16M bb=16M
// small: launch global=64 local=16 r=1K g=1K b=1K l=1K a=1K bb=1K
kernel void rgb2lab4(global const float4 *restrict r,
                     global const float4 *restrict g,
                     global const float4 *restrict b, global float4 *restrict l,
                     global float4 *restrict a, global float4 *restrict bb) {
  int i = get_global_id(0);
  float4 red = linear_light(r[i]), green = linear_light(g[i]),
         blue = linear_light(b[i]);
  float4 x =
      lightness((0.4124f * red + 0.3576f * green + 0.1805f * blue) / 0.95f);
  float4 y = lightness(0.2126f * red + 0.7152f * green + 0.0722f * blue);
  float4 z =
      lightness((0.0193f * red + 0.1192f * green + 0.9505f * blue) / 1.089f);
  l[i] = 116 * y - 16;
  a[i] = 500 * (x - y);
  bb[i] = 200 * (y - z);
}
