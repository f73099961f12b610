// Work-items change counters in local memory, each its own.
// clrewrite: launch global=270336 local=256 out=2M n=128
// small: launch global=512 local=256 out=2K n=3
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void atomic_apart(__global uint *out, int n) {
  __local uint counts[256];
  int l = get_local_id(0);
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; i++)
    atomic_xor(&counts[(l + i) & 255], l * i);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l];
}
