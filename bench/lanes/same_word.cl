// All work-items of a warp read the same 16 bytes of local memory.
// clrewrite: launch global=270336 local=256 out=2M n=512
// small: launch global=512 local=256 out=2K n=3
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void same_word(__global float *out, int n) {
  __local float4 tile[2048];
  int l = get_local_id(0);
  for (int i = l; i < 2048; i += 256)
    tile[i] = (float4)(i, i + 1, i + 2, i + 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = 0;
  int at = l / 32;
  for (int i = 0; i < n; i++) {
    sum += tile[at & 2047];
    at += 13;
  }
  out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
