// The largest pixel of a column, by component, and its sum.
// clrewrite: launch global=4096 local=64 pitch=4096 turns=512 in=32M top=64K sum=64K
kernel void brightest(global const float4 *in, global float4 *top, global float4 *sum, int pitch,
                      int turns) {
  int x = get_global_id(0);
  for (int k = 0; k < turns; k++) {
    top[x] = fmax(top[x], in[k * pitch + x]);
    sum[x] += in[k * pitch + x];
  }
}
