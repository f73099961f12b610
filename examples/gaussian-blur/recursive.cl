// A recursive filter needs no more work for a wider blur: what goes before a
// pixel is in the four results before it. One pass runs forward over a line,
// one backward, and their sum approximates the Gaussian (Deriche, 1993). The
// host works out the factors from sigma.

// Four factors of the last four inputs, and of the last four results.
float step_of(float4 in_factors, float4 out_factors, float4 ins, float4 outs) {
  return in_factors.x * ins.x + in_factors.y * ins.y + in_factors.z * ins.z +
         in_factors.w * ins.w - out_factors.x * outs.x - out_factors.y * outs.y -
         out_factors.z * outs.z - out_factors.w * outs.w;
}

// What goes before, with a value in front.
float4 pushed(float first, float4 others) {
  return (float4)(first, others.x, others.y, others.z);
}

// A work-item filters a row: at any time the work-items of a wave read pixels
// that are a whole row apart.
__kernel void recursive_rows(__global const float *in, __global float *out,
                             int width, int height, float4 forward,
                             float4 backward, float4 feedback) {
  int y = (int)get_global_id(0);
  float4 ins = (float4)(0.0f), outs = (float4)(0.0f);
  for (int x = 0; x < width; ++x) {
    ins = pushed(in[y * width + x], ins);
    outs = pushed(step_of(forward, feedback, ins, outs), outs);
    out[y * width + x] = outs.x;
  }
  ins = outs = (float4)(0.0f);
  for (int x = width - 1; x >= 0; --x) {
    outs = pushed(step_of(backward, feedback, ins, outs), outs);
    ins = pushed(in[y * width + x], ins);
    out[y * width + x] += outs.x;
  }
}

// A work-item filters a column: neighbours read neighbours.
__kernel void recursive_columns(__global const float *in, __global float *out,
                                int width, int height, float4 forward,
                                float4 backward, float4 feedback) {
  int x = (int)get_global_id(0);
  float4 ins = (float4)(0.0f), outs = (float4)(0.0f);
  for (int y = 0; y < height; ++y) {
    ins = pushed(in[y * width + x], ins);
    outs = pushed(step_of(forward, feedback, ins, outs), outs);
    out[y * width + x] = outs.x;
  }
  ins = outs = (float4)(0.0f);
  for (int y = height - 1; y >= 0; --y) {
    outs = pushed(step_of(backward, feedback, ins, outs), outs);
    ins = pushed(in[y * width + x], ins);
    out[y * width + x] += outs.x;
  }
}
