// Compiles only with what the host program defines: a type and a size.
__kernel void tile_sum(__global T *data) {
  __local T tile[TILE];
  int i = get_local_id(0);
  tile[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  T sum = 0;
  for (int k = 0; k < TILE; ++k)
    sum += tile[k];
  data[get_global_id(0)] = sum;
}
