// Work-items read local memory 1 word apart: each bank has one of a warp.
// clrewrite: launch global=270336 local=256 out=2M n=512
// small: launch global=512 local=256 out=2K n=3
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void stride_one(__global float *out, int n) {
  __local float tile[8192];
  int l = get_local_id(0);
  for (int i = l; i < 8192; i += 256)
    tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  int at = l * 1;
  for (int i = 0; i < n; i++) {
    sum += tile[at & 8191];
    at += 1033;
  }
  out[get_global_id(0)] = sum;
}
