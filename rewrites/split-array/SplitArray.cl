// split-array: what elements become, what functions are given, and what is
// declined.
//
// PAIR: before.cl after.cl
// PAIR: before.cl rows.cl --alternative=rows
// PAIR: arms.cl arms-after.cl
// WRONG: after.cl bins sum_x[k & 7] = sum_new.x => sum_y[k & 7] = sum_new.x
// WRONG: after.cl pairs high_x[4] = {0} => high_x[4] = {1}
// WRONG: after.cl calls = sum_copy[element].w => = sum_copy[element].z
// WRONG: rows.cl zeros seen[k & 3][1] = seen_new.y => seen[k & 3][1] = seen_new.x
//
// An array that only carries values to one call and back is no site.
// RUN: split-file %s %t
// RUN: clrewrite --only=split-array --no-measure --verbose %t/carries.cl | count 0

//--- before.cl
float longest(const float3 *edge, int n) {
  float most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, edge[k].x * edge[k].x + edge[k].z);
  return most;
}
void halve(int4 *sum, int n) {
  for (int k = 0; k < n; ++k)
    sum[k] /= 2;
}
// Sums of bins that a buffer chooses.
kernel void bins(global const float4 *in, global const int *bin, global float4 *out, int n) {
  int i = get_global_id(0);
  float4 sum[8]; // one for each bin
  for (int k = 0; k < 8; ++k)
    sum[k] = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 7] += v;
    sum[bin[i * n + k] & 7].x -= sum[k & 7].y;
    if (v.x > 1)
      sum[k & 7] *=/* scaled */v + 1;
    else
      sum[k & 7].zw = v.xy * 2.0f + sum[k & 7].wz;
  }
  for (int k = 0; k < 8; ++k)
    out[i * 8 + k] = sum[k] + sum[k].wwyx * sum[(k + 1) & 7][2];
}
// Two arrays of one declaration, which begin with zeros.
kernel void pairs(global const int2 *in, global int2 *out, int n) {
  int i = get_global_id(0);
  int2 low[2][4] = {{(int2)(0)}}, high[4] = {0};
  for (int k = 0; k < n; ++k) {
    low[k & 1][k & 3] += in[i * n + k]; /* may wrap */
    high[k & 3] = low[(k >> 1) & 1][k & 3];
    high[k & 3].y++;
  }
  out[i] = low[0][n & 3] + low[1][n & 3] - high[n & 3];
}
// Functions get copies.
kernel void calls(global const float *in, global float *out, global int4 *counts, int n) {
  int i = get_global_id(0);
  float3 edge[4];
  private int4 sum[4];
  for (int k = 0; k < 4; ++k) {
    edge[k] = (float3)(in[i], in[i + 1], in[i + 2 * k]);
    edge[k].y += edge[k].x;
    sum[k] /* all lanes */ = -1;
  }
  for (int k = 0; k < n; ++k) {
    sum[k & 3].xyz += convert_int3(edge[k & 3]);
    halve(sum, 4);
  }
  for (int k = 0; k < 4; ++k)
    counts[i * 4 + k] = sum[k];
  out[i] = edge[n & 3].z;
}
kernel void wide(global const uchar8 *in, global uchar8 *out, int n) {
  int i = get_global_id(0);
  uchar8 last[2];
  last[0] = 7;
  last[1] = in[i];
  for (int k = 0; k < n; ++k)
    last[k & 1].odd = last[k & 1].hi;
  out[i] = last[n & 1];
}
// What an array begins with; one has no computed index.
kernel void zeros(global const float2 *in, global float2 *out, int n) {
  int i = get_global_id(0);
  float2 seen[4] = {(float2)(-0.0f), in[i] * 0.5f + in[i + 1], [3] = in[i]};
  const float2 none[2] = {(float2)(0.0f)};
  float2 fixed[2];
  fixed[0] = in[i];
  fixed[1] = in[i] * 2;
  for (int k = 0; k < n; ++k)
    seen[k & 3] = fixed[1] - seen[(k + 1) & 3];
  out[i] = seen[n & 3] + fixed[0] + none[n & 1];
}
//--- after.cl
float longest(const float3 *edge, int n) {
  float most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, edge[k].x * edge[k].x + edge[k].z);
  return most;
}
void halve(int4 *sum, int n) {
  for (int k = 0; k < n; ++k)
    sum[k] /= 2;
}
// Sums of bins that a buffer chooses.
kernel void bins(global const float4 *in, global const int *bin, global float4 *out, int n) {
  int i = get_global_id(0);
  float sum_x[8], sum_y[8], sum_z[8], sum_w[8]; // one for each bin
  for (int k = 0; k < 8; ++k) {
    sum_x[k] = 0.0f;
    sum_y[k] = 0.0f;
    sum_z[k] = 0.0f;
    sum_w[k] = 0.0f;
  }
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum_x[bin[i * n + k] & 7] += v.x;
    sum_y[bin[i * n + k] & 7] += v.y;
    sum_z[bin[i * n + k] & 7] += v.z;
    sum_w[bin[i * n + k] & 7] += v.w;
    sum_x[bin[i * n + k] & 7] -= sum_y[k & 7];
    if (v.x > 1) {
      const float4 sum_new = (float4)(sum_x[k & 7], sum_y[k & 7], sum_z[k & 7], sum_w[k & 7]) * (/* scaled */v + 1);
      sum_x[k & 7] = sum_new.x;
      sum_y[k & 7] = sum_new.y;
      sum_z[k & 7] = sum_new.z;
      sum_w[k & 7] = sum_new.w;
    }
    else {
      const float2 sum_new2 = v.xy * 2.0f + (float2)(sum_w[k & 7], sum_z[k & 7]);
      sum_z[k & 7] = sum_new2.x;
      sum_w[k & 7] = sum_new2.y;
    }
  }
  for (int k = 0; k < 8; ++k)
    out[i * 8 + k] = (float4)(sum_x[k], sum_y[k], sum_z[k], sum_w[k]) + (float4)(sum_w[k], sum_w[k], sum_y[k], sum_x[k]) * sum_z[(k + 1) & 7];
}
// Two arrays of one declaration, which begin with zeros.
kernel void pairs(global const int2 *in, global int2 *out, int n) {
  int i = get_global_id(0);
  int low_x[2][4] = {0}, low_y[2][4] = {0}, high_x[4] = {0}, high_y[4] = {0};
  for (int k = 0; k < n; ++k) {
    {
      const int2 low_new = (int2)(low_x[k & 1][k & 3], low_y[k & 1][k & 3]) + in[i * n + k];
      low_x[k & 1][k & 3] = low_new.x;
      low_y[k & 1][k & 3] = low_new.y;
    } /* may wrap */
    {
      const int2 high_new = (int2)(low_x[(k >> 1) & 1][k & 3], low_y[(k >> 1) & 1][k & 3]);
      high_x[k & 3] = high_new.x;
      high_y[k & 3] = high_new.y;
    }
    high_y[k & 3]++;
  }
  out[i] = (int2)(low_x[0][n & 3], low_y[0][n & 3]) + (int2)(low_x[1][n & 3], low_y[1][n & 3]) - (int2)(high_x[n & 3], high_y[n & 3]);
}
// Functions get copies.
kernel void calls(global const float *in, global float *out, global int4 *counts, int n) {
  int i = get_global_id(0);
  float edge_x[4], edge_y[4], edge_z[4];
  private int sum_x[4], sum_y[4], sum_z[4], sum_w[4];
  for (int k = 0; k < 4; ++k) {
    {
      const float3 edge_new = (float3)(in[i], in[i + 1], in[i + 2 * k]);
      edge_x[k] = edge_new.x;
      edge_y[k] = edge_new.y;
      edge_z[k] = edge_new.z;
    }
    edge_y[k] += edge_x[k];
    /* all lanes */
    sum_x[k] = -1;
    sum_y[k] = -1;
    sum_z[k] = -1;
    sum_w[k] = -1;
  }
  for (int k = 0; k < n; ++k) {
    {
      const int3 sum_new = (int3)(sum_x[k & 3], sum_y[k & 3], sum_z[k & 3]) + convert_int3((float3)(edge_x[k & 3], edge_y[k & 3], edge_z[k & 3]));
      sum_x[k & 3] = sum_new.x;
      sum_y[k & 3] = sum_new.y;
      sum_z[k & 3] = sum_new.z;
    }
    {
      int4 sum_copy[4];
      for (int element = 0; element < 4; ++element)
        sum_copy[element] = (int4)(sum_x[element], sum_y[element], sum_z[element], sum_w[element]);
      halve(sum_copy, 4);
      for (int element = 0; element < 4; ++element) {
        sum_x[element] = sum_copy[element].x;
        sum_y[element] = sum_copy[element].y;
        sum_z[element] = sum_copy[element].z;
        sum_w[element] = sum_copy[element].w;
      }
    }
  }
  for (int k = 0; k < 4; ++k)
    counts[i * 4 + k] = (int4)(sum_x[k], sum_y[k], sum_z[k], sum_w[k]);
  out[i] = edge_z[n & 3];
}
kernel void wide(global const uchar8 *in, global uchar8 *out, int n) {
  int i = get_global_id(0);
  uchar last_s0[2], last_s1[2], last_s2[2], last_s3[2], last_s4[2], last_s5[2], last_s6[2], last_s7[2];
  last_s0[0] = 7;
  last_s1[0] = 7;
  last_s2[0] = 7;
  last_s3[0] = 7;
  last_s4[0] = 7;
  last_s5[0] = 7;
  last_s6[0] = 7;
  last_s7[0] = 7;
  {
    const uchar8 last_new = in[i];
    last_s0[1] = last_new.s0;
    last_s1[1] = last_new.s1;
    last_s2[1] = last_new.s2;
    last_s3[1] = last_new.s3;
    last_s4[1] = last_new.s4;
    last_s5[1] = last_new.s5;
    last_s6[1] = last_new.s6;
    last_s7[1] = last_new.s7;
  }
  for (int k = 0; k < n; ++k) {
    const uchar4 last_new2 = (uchar4)(last_s4[k & 1], last_s5[k & 1], last_s6[k & 1], last_s7[k & 1]);
    last_s1[k & 1] = last_new2.x;
    last_s3[k & 1] = last_new2.y;
    last_s5[k & 1] = last_new2.z;
    last_s7[k & 1] = last_new2.w;
  }
  out[i] = (uchar8)(last_s0[n & 1], last_s1[n & 1], last_s2[n & 1], last_s3[n & 1], last_s4[n & 1], last_s5[n & 1], last_s6[n & 1], last_s7[n & 1]);
}
// What an array begins with; one has no computed index.
kernel void zeros(global const float2 *in, global float2 *out, int n) {
  int i = get_global_id(0);
  float seen_x[4] = {((float2)(-0.0f)).x, (in[i] * 0.5f + in[i + 1]).x, 0, in[i].x}, seen_y[4] = {((float2)(-0.0f)).y, (in[i] * 0.5f + in[i + 1]).y, 0, in[i].y};
  const float none_x[2] = {0}, none_y[2] = {0};
  float2 fixed[2];
  fixed[0] = in[i];
  fixed[1] = in[i] * 2;
  for (int k = 0; k < n; ++k) {
    const float2 seen_new = fixed[1] - (float2)(seen_x[(k + 1) & 3], seen_y[(k + 1) & 3]);
    seen_x[k & 3] = seen_new.x;
    seen_y[k & 3] = seen_new.y;
  }
  out[i] = (float2)(seen_x[n & 3], seen_y[n & 3]) + fixed[0] + (float2)(none_x[n & 1], none_y[n & 1]);
}
//--- rows.cl
float longest(const float3 *edge, int n) {
  float most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, edge[k].x * edge[k].x + edge[k].z);
  return most;
}
void halve(int4 *sum, int n) {
  for (int k = 0; k < n; ++k)
    sum[k] /= 2;
}
// Sums of bins that a buffer chooses.
kernel void bins(global const float4 *in, global const int *bin, global float4 *out, int n) {
  int i = get_global_id(0);
  float sum[8][4]; // one for each bin
  for (int k = 0; k < 8; ++k) {
    sum[k][0] = 0.0f;
    sum[k][1] = 0.0f;
    sum[k][2] = 0.0f;
    sum[k][3] = 0.0f;
  }
  for (int k = 0; k < n; ++k) {
    float4 v = in[i * n + k];
    sum[bin[i * n + k] & 7][0] += v.x;
    sum[bin[i * n + k] & 7][1] += v.y;
    sum[bin[i * n + k] & 7][2] += v.z;
    sum[bin[i * n + k] & 7][3] += v.w;
    sum[bin[i * n + k] & 7][0] -= sum[k & 7][1];
    if (v.x > 1) {
      const float4 sum_new = (float4)(sum[k & 7][0], sum[k & 7][1], sum[k & 7][2], sum[k & 7][3]) * (/* scaled */v + 1);
      sum[k & 7][0] = sum_new.x;
      sum[k & 7][1] = sum_new.y;
      sum[k & 7][2] = sum_new.z;
      sum[k & 7][3] = sum_new.w;
    }
    else {
      const float2 sum_new2 = v.xy * 2.0f + (float2)(sum[k & 7][3], sum[k & 7][2]);
      sum[k & 7][2] = sum_new2.x;
      sum[k & 7][3] = sum_new2.y;
    }
  }
  for (int k = 0; k < 8; ++k)
    out[i * 8 + k] = (float4)(sum[k][0], sum[k][1], sum[k][2], sum[k][3]) + (float4)(sum[k][3], sum[k][3], sum[k][1], sum[k][0]) * sum[(k + 1) & 7][2];
}
// Two arrays of one declaration, which begin with zeros.
kernel void pairs(global const int2 *in, global int2 *out, int n) {
  int i = get_global_id(0);
  int low[2][4][2] = {0}, high[4][2] = {0};
  for (int k = 0; k < n; ++k) {
    {
      const int2 low_new = (int2)(low[k & 1][k & 3][0], low[k & 1][k & 3][1]) + in[i * n + k];
      low[k & 1][k & 3][0] = low_new.x;
      low[k & 1][k & 3][1] = low_new.y;
    } /* may wrap */
    {
      const int2 high_new = (int2)(low[(k >> 1) & 1][k & 3][0], low[(k >> 1) & 1][k & 3][1]);
      high[k & 3][0] = high_new.x;
      high[k & 3][1] = high_new.y;
    }
    high[k & 3][1]++;
  }
  out[i] = (int2)(low[0][n & 3][0], low[0][n & 3][1]) + (int2)(low[1][n & 3][0], low[1][n & 3][1]) - (int2)(high[n & 3][0], high[n & 3][1]);
}
// Functions get copies.
kernel void calls(global const float *in, global float *out, global int4 *counts, int n) {
  int i = get_global_id(0);
  float edge[4][3];
  private int sum[4][4];
  for (int k = 0; k < 4; ++k) {
    {
      const float3 edge_new = (float3)(in[i], in[i + 1], in[i + 2 * k]);
      edge[k][0] = edge_new.x;
      edge[k][1] = edge_new.y;
      edge[k][2] = edge_new.z;
    }
    edge[k][1] += edge[k][0];
    /* all lanes */
    sum[k][0] = -1;
    sum[k][1] = -1;
    sum[k][2] = -1;
    sum[k][3] = -1;
  }
  for (int k = 0; k < n; ++k) {
    {
      const int3 sum_new = (int3)(sum[k & 3][0], sum[k & 3][1], sum[k & 3][2]) + convert_int3((float3)(edge[k & 3][0], edge[k & 3][1], edge[k & 3][2]));
      sum[k & 3][0] = sum_new.x;
      sum[k & 3][1] = sum_new.y;
      sum[k & 3][2] = sum_new.z;
    }
    {
      int4 sum_copy[4];
      for (int element = 0; element < 4; ++element)
        sum_copy[element] = (int4)(sum[element][0], sum[element][1], sum[element][2], sum[element][3]);
      halve(sum_copy, 4);
      for (int element = 0; element < 4; ++element) {
        sum[element][0] = sum_copy[element].x;
        sum[element][1] = sum_copy[element].y;
        sum[element][2] = sum_copy[element].z;
        sum[element][3] = sum_copy[element].w;
      }
    }
  }
  for (int k = 0; k < 4; ++k)
    counts[i * 4 + k] = (int4)(sum[k][0], sum[k][1], sum[k][2], sum[k][3]);
  out[i] = edge[n & 3][2];
}
kernel void wide(global const uchar8 *in, global uchar8 *out, int n) {
  int i = get_global_id(0);
  uchar last[2][8];
  last[0][0] = 7;
  last[0][1] = 7;
  last[0][2] = 7;
  last[0][3] = 7;
  last[0][4] = 7;
  last[0][5] = 7;
  last[0][6] = 7;
  last[0][7] = 7;
  {
    const uchar8 last_new = in[i];
    last[1][0] = last_new.s0;
    last[1][1] = last_new.s1;
    last[1][2] = last_new.s2;
    last[1][3] = last_new.s3;
    last[1][4] = last_new.s4;
    last[1][5] = last_new.s5;
    last[1][6] = last_new.s6;
    last[1][7] = last_new.s7;
  }
  for (int k = 0; k < n; ++k) {
    const uchar4 last_new2 = (uchar4)(last[k & 1][4], last[k & 1][5], last[k & 1][6], last[k & 1][7]);
    last[k & 1][1] = last_new2.x;
    last[k & 1][3] = last_new2.y;
    last[k & 1][5] = last_new2.z;
    last[k & 1][7] = last_new2.w;
  }
  out[i] = (uchar8)(last[n & 1][0], last[n & 1][1], last[n & 1][2], last[n & 1][3], last[n & 1][4], last[n & 1][5], last[n & 1][6], last[n & 1][7]);
}
// What an array begins with; one has no computed index.
kernel void zeros(global const float2 *in, global float2 *out, int n) {
  int i = get_global_id(0);
  float seen[4][2] = {{((float2)(-0.0f)).x, ((float2)(-0.0f)).y}, {(in[i] * 0.5f + in[i + 1]).x, (in[i] * 0.5f + in[i + 1]).y}, {0, 0}, {in[i].x, in[i].y}};
  const float none[2][2] = {0};
  float2 fixed[2];
  fixed[0] = in[i];
  fixed[1] = in[i] * 2;
  for (int k = 0; k < n; ++k) {
    const float2 seen_new = fixed[1] - (float2)(seen[(k + 1) & 3][0], seen[(k + 1) & 3][1]);
    seen[k & 3][0] = seen_new.x;
    seen[k & 3][1] = seen_new.y;
  }
  out[i] = (float2)(seen[n & 3][0], seen[n & 3][1]) + fixed[0] + (float2)(none[n & 1][0], none[n & 1][1]);
}
//--- carries.cl
void halve(float2 *p, int n) {
  for (int k = 0; k < n; ++k)
    p[k] *= 0.5f;
}
kernel void carries(global float2 *p, int n) {
  float2 a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = p[k];
  halve(a, n & 3);
  p[0] = a[n & 3];
}
void mix(float2 *p, float2 *q, int n) {
  p[n] += q[n ^ 1];
}
kernel void carries_twice(global float2 *p, int n) {
  float2 a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = p[k];
  mix(a, a, n & 3);
  p[0] = a[n & 3];
}
//--- arms.cl
// What an #if chooses stands between the statements that change, before one of
// them, and among parameters that they do not name.
kernel void builds(global const float2 *in,
#ifdef SCALED
                   float scale,
#endif
                   global float2 *out, int n) {
#ifdef UNLESS_LAST
  const float2 next = in[n];
#else
  const float2 next = in[n] * 2;
#endif
  float2 last[4];
  for (int k = 0; k < 4; ++k)
    last[k] = in[k];
#ifdef UNLESS_LAST
  if (n & 1)
#endif
  last[n & 3] = in[n];
#ifdef SCALED
  n *= scale;
#endif
  last[(n + 1) & 3] = last[n & 3];
#ifdef FAST
  out[2] = 1;
#else
  out[1] = next;
#endif
  out[0] = last[n & 1];
}
//--- arms-after.cl
// What an #if chooses stands between the statements that change, before one of
// them, and among parameters that they do not name.
kernel void builds(global const float2 *in,
#ifdef SCALED
                   float scale,
#endif
                   global float2 *out, int n) {
#ifdef UNLESS_LAST
  const float2 next = in[n];
#else
  const float2 next = in[n] * 2;
#endif
  float last_x[4], last_y[4];
  for (int k = 0; k < 4; ++k) {
    const float2 last_new = in[k];
    last_x[k] = last_new.x;
    last_y[k] = last_new.y;
  }
#ifdef UNLESS_LAST
  if (n & 1)
#endif
  {
    const float2 last_new2 = in[n];
    last_x[n & 3] = last_new2.x;
    last_y[n & 3] = last_new2.y;
  }
#ifdef SCALED
  n *= scale;
#endif
  {
    const float2 last_new3 = (float2)(last_x[n & 3], last_y[n & 3]);
    last_x[(n + 1) & 3] = last_new3.x;
    last_y[(n + 1) & 3] = last_new3.y;
  }
#ifdef FAST
  out[2] = 1;
#else
  out[1] = next;
#endif
  out[0] = (float2)(last_x[n & 1], last_y[n & 1]);
}
//--- declines.cl
// CHECK: declined split-array: the declaration comes from a macro, or declares more than arrays by a type, names and bounds: 'once = p[0]'
kernel void mixed(global float2 *p, int n) {
  float2 a[2], once = p[0];
  for (int k = 0; k < n; ++k)
    a[k & 1] = once;
  p[0] = a[n & 1];
}
typedef float2 quad[4];
// CHECK: declined split-array: the declaration comes from a macro
kernel void named(global float2 *p, int n) {
  quad a;
  for (int k = 0; k < 4; ++k)
    a[k] = p[k];
  p[0] = a[n & 3];
}
// CHECK: declined split-array: the declaration comes from a macro
kernel void nested_name(global float2 *p, int n) {
  quad a[2];
  for (int k = 0; k < 4; ++k)
    a[1][k] = p[k];
  p[0] = a[1][n & 3];
}
// CHECK: declined split-array: the declaration comes from a macro
kernel void watched(global float2 *p, int n) {
  volatile float2 a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = p[k];
  p[0] = a[n & 3];
}
// CHECK: declined split-array: the declaration comes from a macro
kernel void aligned_more(global float2 *p, int n) {
  float2 a[4] __attribute__((aligned(64)));
  for (int k = 0; k < 4; ++k)
    a[k] = p[k];
  p[0] = a[n & 3];
}
// CHECK: declined split-array: the array begins with something else than zeros or expressions of vectors, or a comment stands among them: '{{.*}}1, 2
kernel void table(global int2 *p, int n) {
  const int2 a[2] = {{1, 2}, {3, 4}};
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the array begins with something else than zeros or expressions of vectors, or a comment stands among them: '{p[n++], p[n++]}'
kernel void counts(global int2 *p, int n) {
  const int2 a[2] = {p[n++], p[n++]};
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the array begins with something else than zeros or expressions of vectors, or a comment stands among them: '{a[0], p[0]}'
kernel void copies(global int2 *p, int n) {
  int2 a[2] = {p[0], p[1]}, b[2] = {a[0], p[0]};
  p[0] = a[n & 1] + b[n & 1];
}
// CHECK: declined split-array: the array begins with something else than zeros or expressions of vectors, or a comment stands among them: '{p[0], p[1] /* the last one */}'
kernel void told(global int2 *p, int n) {
  int2 a[2] = {p[0], p[1] /* the last one */};
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: '(private float *)a'
kernel void cast(global float2 *p, int n) {
  float2 a[2];
  vstore4((float4)(p[0], p[1]), 0, (private float *)a);
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: '&a[n & 1]'
kernel void address(global float2 *p, int n) {
  float2 a[2];
  float2 *at = &a[n & 1];
  *at += 1;
  p[0] = a[0];
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: 'sizeof(a[n & 1])'
kernel void sized(global float2 *p, global int *q, int n) {
  float2 a[2];
  a[n & 1] = p[0];
  q[0] = sizeof(a[n & 1]);
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: 'a[n & 1]++'
kernel void counted(global int2 *p, int n) {
  int2 a[2];
  a[0] = a[1] = p[0];
  a[n & 1]++;
  p[0] = a[n & 1];
}
float2 *behind(float2 *p) { return p + 1; }
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: 'a' in line
kernel void kept(global float2 *p, int n) {
  float2 a[2];
  a[0] = a[1] = p[0];
  behind(a);
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: 'a' in line
void cleared(float4 *p) { p[0] = 1.0f; }
void handed(const float4 *p) { cleared(p); }
kernel void const_for_show(global float4 *p, int n) {
  float4 a[2] = {p[0], p[1]};
  handed(a);
  p[n] = a[n & 1];
}
// CHECK: declined split-array: the array is used other than by its elements, or by a function of this file that does so: '*a'
kernel void first(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0];
  p[0] = *a;
}
// CHECK: declined split-array: an assignment to a vector of the array, or a call that is given the array, is not a statement of its own: 'a[1] = p[0]'
kernel void chained(global float2 *p, int n) {
  float2 a[2];
  a[0] = a[1] = p[0];
  p[0] = a[n & 1];
}
float sum(float2 *p) { return p[0].x + p[1].y; }
// CHECK: declined split-array: an assignment to a vector of the array, or a call that is given the array, is not a statement of its own: 'sum(a)'
kernel void valued(global float2 *p, int n) {
  float2 a[2];
  for (int k = 0; k < 2; ++k)
    a[k] = p[k];
  p[0] = sum(a);
  p[1] = a[n & 1];
}
// CHECK: declined split-array: an assignment to a vector of the array, or a call that is given the array, is not a statement of its own: 'a[k] = p[k]'
kernel void stepped(global float2 *p, int n) {
  float2 a[2];
  for (int k = 0; k < 2; a[k] = p[k], ++k) {
  }
  p[0] = a[n & 1];
}
// CHECK: declined split-array: what is assigned to a vector of the array, or stands beside the array in a call, has side effects: 'p[n++]'
kernel void moves(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[n++];
  p[0] = a[n & 1];
}
void halve(float2 *p, float by) { p[0] *= by; }
// CHECK: declined split-array: what is assigned to a vector of the array, or stands beside the array in a call, has side effects: 'a[0].x = 0.5f'
kernel void late(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0];
  a[0].y += 1;
  halve(a, a[0].x = 0.5f);
  p[0] = a[n & 1];
}
// CHECK: declined split-array: an index of the array has side effects, or reads the array: 'n++ & 1'
kernel void stacked(global float2 *p, int n) {
  float2 a[2];
  a[n++ & 1] = p[0];
  p[0] = a[n & 1];
}
// CHECK: declined split-array: an index of the array has side effects, or reads the array: '(int)a[0].x & 1'
kernel void nested(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0];
  a[(int)a[0].x & 1] = p[1];
  p[0] = a[n & 1];
}
#define AT(k) a[(k) & 1]
// CHECK: declined split-array: a use of the array comes from a macro's body, or a preprocessor directive stands in it: 'AT(n)' in line
kernel void macro(global float2 *p, int n) {
  float2 a[2];
  AT(n) = p[0];
  p[0] = a[n & 1];
}
// CHECK: declined split-array: a use of the array comes from a macro's body, or a preprocessor directive stands in it: {{'a.n & 1. = p.0.'}} in line
kernel void directive(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0]
#ifdef HALF
      / 2
#endif
      ;
  p[0] = a[n & 1];
}
// CHECK: declined split-array: its vectors have three lanes, and the program stores such a vector, or a structure, whole to memory that others see, with a fourth lane that may be any: 'q[0] = a[n & 1]'
kernel void padded(global float2 *p, global float3 *q, int n) {
  float3 a[2];
  a[n & 1] = (float3)(p[0], 1);
  q[0] = a[n & 1];
}
// CHECK: declined split-array: the array's name, a macro that may stand for it, or an #include stands where this build does not see the array: 'a' in line
kernel void skipped(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0];
#ifdef TWICE
  a[n & 1] *= 2;
#endif
  p[0] = a[n & 1];
}
#ifdef HALF
typedef half2 pair;
#else
typedef float2 pair;
#endif
// CHECK: declined split-array: the array's type, or the name of its lane's type, may be another one with other build options: 'pair'
kernel void typed(global pair *p, int n) {
  pair a[2];
  a[n & 1] = p[0];
  p[0] = a[n & 1];
}
#ifdef KEEP
void turn(const float2 *a, int n);
#else
void turn(float2 *a, int n) {
  a[n & 1] = a[n & 1].yx;
}
#endif
// CHECK: declined split-array: the code there may mean something else with other build options: {{.*}}: '#endif' in line
kernel void other_function(global float2 *p, int n) {
  float2 a[2];
  a[n & 1] = p[0];
  for (int k = 0; k < n; ++k)
    turn(a, k);
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the code there may mean something else with other build options: {{.*}}: '#endif' in line
kernel void other_value(global float2 *p,
#ifdef SCALAR
                        float v,
#else
                        float2 v,
#endif
                        int n) {
  float2 a[2];
  a[n & 1] = p[0];
  a[(n >> 1) & 1] += v;
  p[0] = a[n & 1];
}
constant float2 pace = 1;
// CHECK: declined split-array: the code there may mean something else with other build options: {{.*}}: 'pace' in line
kernel void other_parameter(global float2 *p,
#ifdef SCALAR
                            float pace,
#endif
                            int n) {
  float2 a[2];
  a[n & 1] = p[0];
  a[(n >> 1) & 1] += pace;
  p[0] = a[n & 1];
}
// CHECK: declined split-array: the code there may mean something else with other build options: {{.*}}: '#endif' in line
kernel void other_type(global float2 *p,
#ifdef PACKED
                       uchar
#else
                       int
#endif
                           n) {
  float2 a[2];
  a[n & 1] = p[0];
  a[(n >> 1) & 1] += p[1];
  p[0] = a[n & 1];
}
// Another build has another variable of the name.
// CHECK: declined split-array: the code there may mean something else with other build options: {{.*}}: 'v' in line
kernel void hidden(global int2 *p, int2 v, int n) {
  int2 a[2];
  a[n & 1] = p[0];
  for (int k = 0; k < n; ++k) {
#ifdef SCALAR
    const int once = k, v = k;
#endif
    a[k & 1] += v;
  }
  p[0] = a[n & 1];
}
