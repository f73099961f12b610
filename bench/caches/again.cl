// What a wave touches again, and the L1 has lost: private arrays of 16, 128 and 512 floats, of
// which each work-item adds to an element of its own, or to the same one as all others; lanes of
// private vectors; and 4, 8 and 32 KiB of a buffer that each warp reads 16 times.

#define ADD_TO(at, size) \
  float sums[size]; \
  for (int i = 0; i < size; i++) \
    sums[i] = i; \
  for (int i = 0; i < n; i++) \
    sums[(at) & (size - 1)] += 1; \
  float sum = 0; \
  for (int i = 0; i < size; i++) \
    sum = sum * 0.5f + sums[i]; \
  out[get_global_id(0)] = sum;
#define OWN (in[i] + 5 * get_local_id(0))
#define SAME in[i]

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void apart_16(global const int *in, global float *out, int n) {
  ADD_TO(OWN, 16)
}

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void same_16(global const int *in, global float *out, int n) {
  ADD_TO(SAME, 16)
}

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void apart_128(global const int *in, global float *out, int n) {
  ADD_TO(OWN, 128)
}

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void same_128(global const int *in, global float *out, int n) {
  ADD_TO(SAME, 128)
}

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void apart_512(global const int *in, global float *out, int n) {
  ADD_TO(OWN, 512)
}

// clrewrite: launch global=1081344 local=256 in=4K out=5M n=256
kernel void same_512(global const int *in, global float *out, int n) {
  ADD_TO(SAME, 512)
}

#define MOST_OF(x_lane, y_lane) \
  int at = get_global_id(0); \
  float4 h[32]; \
  for (int i = 0; i < 32; i++) \
    h[i] = 0; \
  for (int i = 0; i < n; i++) { \
    float x = v[(at + i * 128) & 0xfffff]; \
    x_lane(h[(int)(x * 1000) & 31]) += 1; \
    y_lane(h[(int)(x * 3000) & 31]) += 1; \
  } \
  float4 most = 0; \
  for (int i = 0; i < 32; i++) \
    most = fmax(most, h[i]); \
  out[at] = most;
#define X_LANE(v) v.x
#define Y_LANE(v) v.y
#define X_ELEMENT(v) ((float *)&v)[0]
#define Y_ELEMENT(v) ((float *)&v)[1]

// clrewrite: launch global=1048576 local=128 out=16M v=4M n=64
kernel void vectors(global float4 *out, global const float *v, int n) {
  MOST_OF(X_LANE, Y_LANE)
}

// clrewrite: launch global=1048576 local=128 out=16M v=4M n=64
kernel void elements(global float4 *out, global const float *v, int n) {
  MOST_OF(X_ELEMENT, Y_ELEMENT)
}

#define WALK \
  int at = get_global_id(0); \
  float sum = 0; \
  for (int k = 0; k < n; k++) \
    for (int i = 0; i < m; i++) \
      sum = fma(sum, 0.5f, in[(at / 32 * m + i) * 32 + at % 32]); \
  out[at] = sum;

// clrewrite: launch global=1081344 local=256 in=132M out=5M n=16 m=32
kernel void walk_4(global const float *in, global float *out, int n, int m) {
  WALK
}

// clrewrite: launch global=1081344 local=256 in=264M out=5M n=16 m=64
kernel void walk_8(global const float *in, global float *out, int n, int m) {
  WALK
}

// clrewrite: launch global=1081344 local=256 in=1056M out=5M n=16 m=256
kernel void walk_32(global const float *in, global float *out, int n, int m) {
  WALK
}
