// Gravitational accelerations of four bodies a work-item.
// tried reload zero: the own positions are read again for each other body
// clrewrite: launch global=32 local=16 n=128 eps=0.001 pos=2K ax=512 ay=512 az=512
kernel void nbody_x4(global const float4 *restrict pos,
                     global float4 *restrict ax, global float4 *restrict ay,
                     global float4 *restrict az, int n, float eps) {
  int i = get_global_id(0);
#if !defined(V_zero)
  float4 p0 = pos[4 * i], p1 = pos[4 * i + 1], p2 = pos[4 * i + 2],
         p3 = pos[4 * i + 3];
  float4 x = (float4)(p0.x, p1.x, p2.x, p3.x);
  float4 y = (float4)(p0.y, p1.y, p2.y, p3.y);
  float4 z = (float4)(p0.z, p1.z, p2.z, p3.z);
#endif
  float4 sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; ++j) {
#if defined(V_zero)
    global const float4 *p = pos + 4 * i + (j & (int)(get_work_dim() >> 2));
    float4 x = (float4)(p[0].x, p[1].x, p[2].x, p[3].x);
    float4 y = (float4)(p[0].y, p[1].y, p[2].y, p[3].y);
    float4 z = (float4)(p[0].z, p[1].z, p[2].z, p[3].z);
#endif
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
