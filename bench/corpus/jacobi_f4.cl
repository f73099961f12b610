// Jacobi step for a five-point Laplacian with a source, 4x2 cells a work-item.
// clrewrite: launch global=1024x2048 local=64x4 pitch=4104 h2=0.01 u=65M f=65M out=65M
// small: launch global=8x8 local=4x4 pitch=40 h2=0.01 u=2880 f=2880 out=2880
kernel void jacobi_f4(global const float *u, global const float *f,
                      global float *out, int pitch, float h2) {
  size_t at = (get_global_id(1) * 2 + 1) * pitch + get_global_id(0) * 4 + 4;
  float4 n = vload4(0, u + at - pitch), c0 = vload4(0, u + at);
  float4 c1 = vload4(0, u + at + pitch), s = vload4(0, u + at + 2 * pitch);
  float4 w0 = vload4(0, u + at - 1), e0 = vload4(0, u + at + 1);
  float4 w1 = vload4(0, u + at + pitch - 1), e1 = vload4(0, u + at + pitch + 1);
  float4 g0 = vload4(0, f + at), g1 = vload4(0, f + at + pitch);
  vstore4(0.25f * (n + c1 + w0 + e0 - h2 * g0), 0, out + at);
  vstore4(0.25f * (c0 + s + w1 + e1 - h2 * g1), 0, out + at + pitch);
}
