// Kernels with literals of type double, and what narrow-double makes of them.

// clrewrite: launch global=4194304 local=128 in=16M out=16M gain=0.5
kernel void shade(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0 - x) * 0.5 + gain * 0.3;
  out[i] = sqrt(y * y + 1.0);
}

// clrewrite: launch global=4194304 local=128 in=16M out=16M gain=0.5
kernel void shade_narrow(global const float *in, global float *out, float gain) {
  int i = get_global_id(0);
  float x = in[i], y = (1.0f - x) * 0.5f + gain * 0.3f;
  out[i] = sqrt(y * y + 1.0f);
}

// clrewrite: launch global=4194304 local=128 in=16M out=4M
kernel void grey(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(p.x * 0.299 + p.y * 0.587 + p.z * 0.114 + 0.5);
}

// clrewrite: launch global=4194304 local=128 in=16M out=4M
kernel void grey_narrow(global const uchar4 *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 p = in[i];
  out[i] = (uchar)(p.x * 0.299f + p.y * 0.587f + p.z * 0.114f + 0.5f);
}

// A logistic map for each work-item.
// clrewrite: launch global=1048576 local=128 p=4M rate=3.7 steps=200
kernel void chaos(global float *p, float rate, int steps) {
  int i = get_global_id(0);
  float x = p[i];
  for (int k = 0; k < steps; k++)
    x = rate * x * (1.0 - x) + 1e-7;
  p[i] = x;
}

// clrewrite: launch global=1048576 local=128 p=4M rate=3.7 steps=200
kernel void chaos_narrow(global float *p, float rate, int steps) {
  int i = get_global_id(0);
  float x = p[i];
  for (int k = 0; k < steps; k++)
    x = rate * x * (1.0f - x) + 1e-7f;
  p[i] = x;
}

// The Gaussian error linear unit of neural networks, by its tanh.
// clrewrite: launch global=4194304 local=128 in=16M out=16M
kernel void gelu(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  out[i] = 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

// clrewrite: launch global=4194304 local=128 in=16M out=16M
kernel void gelu_narrow(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i];
  out[i] = 0.5f * x * (1.0f + tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

// Whether a point is in a Julia set.
// clrewrite: launch global=1048576 local=128 re=4M im=4M out=4M steps=100
kernel void julia(global const float *re, global const float *im, global int *out, int steps) {
  int i = get_global_id(0), k = 0;
  float x = re[i], y = im[i];
  while (k < steps && x * x + y * y < 4.0f) {
    float t = x * x - y * y - 0.4;
    y = 2.0 * x * y + 0.6;
    x = t;
    k++;
  }
  out[i] = k;
}

// clrewrite: launch global=1048576 local=128 re=4M im=4M out=4M steps=100
kernel void julia_narrow(global const float *re, global const float *im, global int *out, int steps) {
  int i = get_global_id(0), k = 0;
  float x = re[i], y = im[i];
  while (k < steps && x * x + y * y < 4.0f) {
    float t = x * x - y * y - 0.4f;
    y = 2.0f * x * y + 0.6f;
    x = t;
    k++;
  }
  out[i] = k;
}

// A sum of sines.
// clrewrite: launch global=1048576 local=128 p=4M n=64
kernel void series(global float *p, int n) {
  int i = get_global_id(0);
  float x = p[i], s = 0;
  for (int k = 1; k < n; k++)
    s += sin(x * k) / (k * 1.5 + 0.1);
  p[i] = s;
}

// clrewrite: launch global=1048576 local=128 p=4M n=64
kernel void series_narrow(global float *p, int n) {
  int i = get_global_id(0);
  float x = p[i], s = 0;
  for (int k = 1; k < n; k++)
    s += sin(x * k) / (k * 1.5f + 0.1f);
  p[i] = s;
}

// The pull of all bodies on each.
// clrewrite: launch global=16384 local=128 at=256K to=256K n=1024
kernel void attract(global const float4 *at, global float4 *to, int n) {
  int i = get_global_id(0);
  float4 me = at[i], f = 0;
  for (int j = 0; j < n; j++) {
    float4 d = at[j] - me;
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01;
    float s = d.w / (r * sqrt(r) * 1.1);
    f += d * s;
  }
  to[i] = f;
}

// clrewrite: launch global=16384 local=128 at=256K to=256K n=1024
kernel void attract_narrow(global const float4 *at, global float4 *to, int n) {
  int i = get_global_id(0);
  float4 me = at[i], f = 0;
  for (int j = 0; j < n; j++) {
    float4 d = at[j] - me;
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
    float s = d.w / (r * sqrt(r) * 1.1f);
    f += d * s;
  }
  to[i] = f;
}

// A mean of three rows.
// clrewrite: launch global=4194304 local=128 in=16M out=16M width=2048
kernel void smooth3(global const float *in, global float *out, int width) {
  int i = get_global_id(0);
  int a = i >= width ? i - width : i, b = i + width < get_global_size(0) ? i + width : i;
  out[i] = (in[a] + in[i] * 2.1 + in[b]) / 4.1;
}

// clrewrite: launch global=4194304 local=128 in=16M out=16M width=2048
kernel void smooth3_narrow(global const float *in, global float *out, int width) {
  int i = get_global_id(0);
  int a = i >= width ? i - width : i, b = i + width < get_global_size(0) ? i + width : i;
  out[i] = (in[a] + in[i] * 2.1f + in[b]) / 4.1f;
}

// What a European call option costs.
// clrewrite: launch global=1048576 local=128 spot=4M years=4M price=4M strike=1.1 rate=0.02 sigma=0.3
kernel void option(global const float *spot, global const float *years, global float *price, float strike, float rate, float sigma) {
  int i = get_global_id(0);
  float s = spot[i] + 2.0, t = years[i] + 1.1;
  float v = sigma * sqrt(t);
  float d1 = (log(s / strike) + (rate + 0.5 * sigma * sigma) * t) / v, d2 = d1 - v;
  float k1 = 1.0 / (1.0 + 0.2316419 * fabs(d1)), k2 = 1.0 / (1.0 + 0.2316419 * fabs(d2));
  float n1 = 1.0 - 0.39894228 * exp(-0.5 * d1 * d1) * k1 * (0.31938153 + k1 * (-0.356563782 + k1 * (1.781477937 + k1 * (-1.821255978 + k1 * 1.330274429))));
  float n2 = 1.0 - 0.39894228 * exp(-0.5 * d2 * d2) * k2 * (0.31938153 + k2 * (-0.356563782 + k2 * (1.781477937 + k2 * (-1.821255978 + k2 * 1.330274429))));
  price[i] = s * n1 - strike * exp(-rate * t) * n2;
}

// clrewrite: launch global=1048576 local=128 spot=4M years=4M price=4M strike=1.1 rate=0.02 sigma=0.3
kernel void option_narrow(global const float *spot, global const float *years, global float *price, float strike, float rate, float sigma) {
  int i = get_global_id(0);
  float s = spot[i] + 2.0f, t = years[i] + 1.1f;
  float v = sigma * sqrt(t);
  float d1 = (log(s / strike) + (rate + 0.5f * sigma * sigma) * t) / v, d2 = d1 - v;
  float k1 = 1.0f / (1.0f + 0.2316419f * fabs(d1)), k2 = 1.0f / (1.0f + 0.2316419f * fabs(d2));
  float n1 = 1.0f - 0.39894228f * exp(-0.5f * d1 * d1) * k1 * (0.31938153f + k1 * (-0.356563782f + k1 * (1.781477937f + k1 * (-1.821255978f + k1 * 1.330274429f))));
  float n2 = 1.0f - 0.39894228f * exp(-0.5f * d2 * d2) * k2 * (0.31938153f + k2 * (-0.356563782f + k2 * (1.781477937f + k2 * (-1.821255978f + k2 * 1.330274429f))));
  price[i] = s * n1 - strike * exp(-rate * t) * n2;
}

// FitzHugh's and Nagumo's neuron.
// clrewrite: launch global=1048576 local=128 v=4M w=4M n=50
kernel void neuron(global float *v, global float *w, int n) {
  int i = get_global_id(0);
  float a = v[i], b = w[i];
  for (int k = 0; k < n; k++) {
    float da = a - a * a * a / 3.1 - b + 0.5;
    float db = 0.08 * (a + 0.7 - 0.8 * b);
    a += 0.1 * da;
    b += 0.1 * db;
  }
  v[i] = a;
  w[i] = b;
}

// clrewrite: launch global=1048576 local=128 v=4M w=4M n=50
kernel void neuron_narrow(global float *v, global float *w, int n) {
  int i = get_global_id(0);
  float a = v[i], b = w[i];
  for (int k = 0; k < n; k++) {
    float da = a - a * a * a / 3.1f - b + 0.5f;
    float db = 0.08f * (a + 0.7f - 0.8f * b);
    a += 0.1f * da;
    b += 0.1f * db;
  }
  v[i] = a;
  w[i] = b;
}

// From linear RGB to Lab.
// clrewrite: launch global=1048576 local=128 rgb=16M lab=16M
kernel void to_lab(global const float4 *rgb, global float4 *lab) {
  int i = get_global_id(0);
  float4 p = rgb[i];
  float x = (0.4124 * p.x + 0.3576 * p.y + 0.1805 * p.z) / 0.9505;
  float y = 0.2126 * p.x + 0.7152 * p.y + 0.0722 * p.z;
  float z = (0.0193 * p.x + 0.1192 * p.y + 0.9505 * p.z) / 1.089;
  float fx = cbrt(fabs(x)), fy = cbrt(fabs(y)), fz = cbrt(fabs(z));
  lab[i] = (float4)(116.1 * fy - 16.1, 500.1 * (fx - fy), 200.1 * (fy - fz), p.w);
}

// clrewrite: launch global=1048576 local=128 rgb=16M lab=16M
kernel void to_lab_narrow(global const float4 *rgb, global float4 *lab) {
  int i = get_global_id(0);
  float4 p = rgb[i];
  float x = (0.4124f * p.x + 0.3576f * p.y + 0.1805f * p.z) / 0.9505f;
  float y = 0.2126f * p.x + 0.7152f * p.y + 0.0722f * p.z;
  float z = (0.0193f * p.x + 0.1192f * p.y + 0.9505f * p.z) / 1.089f;
  float fx = cbrt(fabs(x)), fy = cbrt(fabs(y)), fz = cbrt(fabs(z));
  lab[i] = (float4)(116.1f * fy - 16.1f, 500.1f * (fx - fy), 200.1f * (fy - fz), p.w);
}

// Octaves of noise in one dimension.
// clrewrite: launch global=1048576 local=128 p=4M out=4M n=12
kernel void noise1(global const float *p, global float *out, int n) {
  int i = get_global_id(0);
  float x = p[i] * 8.1, sum = 0, amp = 0.5;
  for (int k = 0; k < n; k++) {
    float f = x - floor(x);
    float u = f * f * f * (f * (f * 6.1 - 15.1) + 10.1);
    sum += amp * (u * 0.7 + (1.1 - u) * 0.3);
    x *= 2.02;
    amp *= 0.5;
  }
  out[i] = sum;
}

// clrewrite: launch global=1048576 local=128 p=4M out=4M n=12
kernel void noise1_narrow(global const float *p, global float *out, int n) {
  int i = get_global_id(0);
  float x = p[i] * 8.1f, sum = 0, amp = 0.5;
  for (int k = 0; k < n; k++) {
    float f = x - floor(x);
    float u = f * f * f * (f * (f * 6.1f - 15.1f) + 10.1f);
    sum += amp * (u * 0.7f + (1.1f - u) * 0.3f);
    x *= 2.02f;
    amp *= 0.5f;
  }
  out[i] = sum;
}
