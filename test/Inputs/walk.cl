// The loop moves its pointer: rolled or not, it stores to the same buffer.
kernel void walk(global const float8 *in, global float8 *out, int step) {
  int i = get_global_id(0);
  out += i;
  for (int k = 0; k < 8; k++, out += step)
    out[0] = in[k + i] * in[k + step];
}
