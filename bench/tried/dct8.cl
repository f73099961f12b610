// Forward 8x8 DCT of floats, one block a work-item.
// tried scope-array out: rows go through the block's own place in out
// tried scope-array local: rows go through local memory; work-groups of 64
#pragma OPENCL FP_CONTRACT OFF
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
#if defined(V_local)
#define SIZE __attribute__((reqd_work_group_size(8, 8, 1)))
#else
#define SIZE
#endif
// clrewrite: launch global=8x8 local=8x8 pitch=64 in=16K out=16K
kernel SIZE void dct8(global const float *restrict in,
                      global float *restrict out, int pitch) {
  int bx = get_global_id(0) * 8, by = get_global_id(1) * 8;
#if defined(V_out)
#define M(j, i) out[(by + j) * pitch + bx + i]
#elif defined(V_local)
  local float block[64 * 64];
  local float *mine =
      block + get_local_id(1) * get_local_size(0) + get_local_id(0);
#define M(j, i) mine[((j) * 8 + (i)) * 64]
#else
  float m[8][8];
#define M(j, i) m[j][i]
#endif
  for (int j = 0; j < 8; j++) {
    float r[8];
    for (int i = 0; i < 8; i++)
      r[i] = in[(by + j) * pitch + bx + i];
    d8(r);
    for (int i = 0; i < 8; i++)
      M(j, i) = r[i];
  }
  for (int i = 0; i < 8; i++) {
    float c[8];
    for (int j = 0; j < 8; j++)
      c[j] = M(j, i);
    d8(c);
    for (int j = 0; j < 8; j++)
      out[(by + j) * pitch + bx + i] = c[j];
  }
}
