// nbody with a work-group's worth of bodies at a time in local memory.
// clrewrite: launch global=65536 local=256 n=2048 dt=0.01 eps=0.001 pos=1M npos=1M vel=1M nvel=1M
__kernel void nbody(const __global float4 *restrict pos, __global float4 *restrict npos,
                    __global float4 *restrict vel, __global float4 *restrict nvel, int n,
                    float dt, float eps) {
  __local float4 tile[256];
  size_t gid = get_global_id(0);
  int lid = get_local_id(0);
  float4 p = pos[gid];
  float4 v = vel[gid];
  float4 acc = 0;
  for (int first = 0; first < n; first += 256) {
    int count = min(256, n - first);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < count)
      tile[lid] = pos[first + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < count; i++) {
      float4 q = tile[i];
      float4 r;
      r.xyz = q.xyz - p.xyz;
      float d = r.x * r.x + r.y * r.y + r.z * r.z + eps;
      float inv = 1.0f / sqrt(d);
      float s = q.w * inv * inv * inv;
      acc.xyz += s * r.xyz;
    }
  }
  float4 np;
  np.xyz = p.xyz + v.xyz * dt + acc.xyz * 0.5f * dt * dt;
  np.w = p.w;
  float4 nv;
  nv.xyz = v.xyz + acc.xyz * dt;
  nv.w = v.w;
  npos[gid] = np;
  nvel[gid] = nv;
}
