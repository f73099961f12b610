// One step of a gravitational n-body simulation.
typedef size_t SZ;
// clrewrite: launch global=65536 local=256 n=2048 dt=0.01 eps=0.001 pos=1M npos=1M vel=1M nvel=1M
// small: launch global=128 local=32 n=128 dt=0.01 eps=0.001 pos=2K npos=2K vel=2K nvel=2K
__kernel void nbody(const __global float4 *pos, __global float4 *npos,
                    __global float4 *vel, __global float4 *nvel, int n,
                    float dt, float eps) {
  SZ gid = get_global_id(0);
  float4 p = pos[gid];
  float4 v = vel[gid];
  float4 acc = 0;
  for (int i = 0; i < n; i++) {
    float4 q = pos[i];
    float4 r;
    r.xyz = q.xyz - p.xyz;
    float d = r.x * r.x + r.y * r.y + r.z * r.z + eps;
    float inv = 1.0f / sqrt(d);
    float s = q.w * inv * inv * inv;
    acc.xyz += s * r.xyz;
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
