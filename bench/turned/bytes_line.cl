// A threshold of bytes.
// clrewrite: launch global=8192x4096 local=64x1 in=32M out=32M w=4096 limit=100
__kernel void bytes_line(__global const uchar *in, __global uchar *out, int w, int limit) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] > limit ? 255 : 0;
}
