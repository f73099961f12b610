// Gravitational accelerations of four bodies a work-item, components apart.
// clrewrite: launch global=16384 local=64 n=2048 eps=0.001 pos=1M ax=256K ay=256K az=256K
// small: launch global=32 local=16 n=128 eps=0.001 pos=2K ax=512 ay=512 az=512
kernel void nbody_x4(global const float4 *restrict pos,
                     global float4 *restrict ax, global float4 *restrict ay,
                     global float4 *restrict az, int n, float eps) {
  int i = get_global_id(0);
  float4 p0 = pos[4 * i], p1 = pos[4 * i + 1], p2 = pos[4 * i + 2],
         p3 = pos[4 * i + 3];
  float4 x = (float4)(p0.x, p1.x, p2.x, p3.x);
  float4 y = (float4)(p0.y, p1.y, p2.y, p3.y);
  float4 z = (float4)(p0.z, p1.z, p2.z, p3.z);
  float4 sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; ++j) {
    float4 q = pos[j];
    float4 dx = q.x - x, dy = q.y - y, dz = q.z - z;
    float4 r = rsqrt(dx * dx + dy * dy + dz * dz + eps);
    float4 s = q.w * r * r * r;
    sx += s * dx;
    sy += s * dy;
    sz += s * dz;
  }
  ax[i] = sx;
  ay[i] = sy;
  az[i] = sz;
}
