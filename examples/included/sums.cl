__kernel void sums(__global const ushort *in, __global wide *out, int a,
                   int b, int c, int d) {
  int i = (int)get_global_id(0);
  wide sum = vload8(i, in + a) + vload8(i, in + b) - vload8(i, in + c) -
             vload8(i, in + d);
  out[i] = twice(sum);
}
