__kernel void box(__global const ushort *in, __global ushort8 *out, int a,
                  int b, int c, int d) {
  int i = (int)get_global_id(0);
  ushort8 sum;
  sum -= sum,
  sum += vload8(i, in + a),
  sum += vload8(i, in + b),
  sum -= vload8(i, in + c),
  sum -= vload8(i, in + d);
  out[i] = sum;
}
