__kernel void sum4(__global const ushort *in, __global ushort8 *out, int a,
                   int b, int c, int d) {
  int i = (int)get_global_id(0);
  ushort8 sum = vload8(i, in + a) + vload8(i, in + b) - vload8(i, in + c) -
                vload8(i, in + d);
  out[i] = sum;
}
