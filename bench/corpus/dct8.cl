// Forward 8x8 DCT of floats, one block a work-item.
void d8(float *x) {
  float s07 = x[0] + x[7], d07 = x[0] - x[7], s16 = x[1] + x[6],
        d16 = x[1] - x[6], s25 = x[2] + x[5], d25 = x[2] - x[5],
        s34 = x[3] + x[4], d34 = x[3] - x[4];
  float a = s07 + s34, b = s07 - s34, c = s16 + s25, d = s16 - s25;
  x[0] = 0.70710678f * (a + c);
  x[4] = 0.70710678f * (a - c);
  x[2] = 0.92387953f * b + 0.38268343f * d;
  x[6] = 0.38268343f * b - 0.92387953f * d;
  x[1] = 0.98078528f * d07 + 0.83146961f * d16 + 0.55557023f * d25 +
         0.19509032f * d34;
  x[3] = 0.83146961f * d07 - 0.19509032f * d16 - 0.98078528f * d25 -
         0.55557023f * d34;
  x[5] = 0.55557023f * d07 - 0.98078528f * d16 + 0.19509032f * d25 +
         0.83146961f * d34;
  x[7] = 0.19509032f * d07 - 0.55557023f * d16 + 0.83146961f * d25 -
         0.98078528f * d34;
}
// clrewrite: launch global=512x512 local=16x16 pitch=4096 in=64M out=64M
// small: launch global=8x4 local=4x4 pitch=64 in=8K out=8K
__kernel void dct8(const __global float *in, __global float *out, int pitch) {
  int bx = get_global_id(0) * 8, by = get_global_id(1) * 8;
  float m[8][8];
  for (int j = 0; j < 8; j++) {
    for (int i = 0; i < 8; i++)
      m[j][i] = in[(by + j) * pitch + bx + i];
    d8(m[j]);
  }
  for (int i = 0; i < 8; i++) {
    float c[8];
    for (int j = 0; j < 8; j++)
      c[j] = m[j][i];
    d8(c);
    for (int j = 0; j < 8; j++)
      out[(by + j) * pitch + bx + i] = c[j];
  }
}
