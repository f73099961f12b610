kernel void taps(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
#ifdef KEEP
again:
#endif
  for (int k = 0; k < TAPS; ++k)
    sum += in[i + k];
  out[i] = sum * SCALE;
}
