// Values by way of a table: the indices and the results lie in rows.
// clrewrite: launch global=4096x2048 local=8x8 index=32M table=4K out=32M w=2048
__kernel void look_up(__global const int *index, __global const float *table, __global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = table[index[y * w + x] & 1023];
}
