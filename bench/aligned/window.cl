// The largest of a window of float4: as it was, with each load tested, and in two loops,
// as align-access writes them; first a window in the image, then one out of it in most turns.
#define ARGUMENTS \
  global const float *input, int2 shape, int2 pad, int2 window, global float *output, int width
#define PLACE \
  int x = get_global_id(0), y = get_global_id(1); \
  int top = y * 2 - pad.x, left = x * 2 - pad.y; \
  int at = (top * shape.y + left) * 4; \
  float4 most = (float4)(-FLT_MAX)
#define LOOP(load) \
  for (int j = 0; j < window.x; j++) { \
    if (top + j < 0 || top + j >= shape.x) \
      continue; \
    for (int i = 0; i < window.y; i++) { \
      if (left + i < 0 || left + i >= shape.y) \
        continue; \
      most = fmax(most, load(0, input + at + (j * shape.y + i) * 4)); \
    } \
  }

float4 tested(size_t index, const global float *at) {
  if (((uintptr_t)at & (sizeof(float4) - 1)) == 0)
    return ((const global float4 *)at)[index];
  return (float4)(vload2(2 * index, at), vload2(2 * index + 1, at));
}

float4 whole(size_t index, const global float *at) {
  return ((const global float4 *)at)[index];
}

// clrewrite: launch global=1024x512 local=32x4 input=32M output=8M shape=1024/2048 pad=1/1 window=3/3 width=1024
kernel void plain_in(ARGUMENTS) {
  PLACE;
  LOOP(vload4)
  vstore4(most, y * width + x, output);
}

// clrewrite: launch global=1024x512 local=32x4 input=32M output=8M shape=1024/2048 pad=1/1 window=3/3 width=1024
kernel void tested_in(ARGUMENTS) {
  PLACE;
  LOOP(tested)
  vstore4(most, y * width + x, output);
}

// clrewrite: launch global=1024x512 local=32x4 input=32M output=8M shape=1024/2048 pad=1/1 window=3/3 width=1024
kernel void twice_in(ARGUMENTS) {
  PLACE;
  if (((uintptr_t)input & (sizeof(float4) - 1)) == 0) {
    LOOP(whole)
  } else {
    LOOP(vload4)
  }
  vstore4(most, y * width + x, output);
}

// clrewrite: launch global=256x256 local=32x4 input=32M output=8M shape=16/512 pad=32/32 window=32/64 width=256
kernel void plain_out(ARGUMENTS) {
  PLACE;
  LOOP(vload4)
  vstore4(most, y * width + x, output);
}

// clrewrite: launch global=256x256 local=32x4 input=32M output=8M shape=16/512 pad=32/32 window=32/64 width=256
kernel void tested_out(ARGUMENTS) {
  PLACE;
  LOOP(tested)
  vstore4(most, y * width + x, output);
}

// clrewrite: launch global=256x256 local=32x4 input=32M output=8M shape=16/512 pad=32/32 window=32/64 width=256
kernel void twice_out(ARGUMENTS) {
  PLACE;
  if (((uintptr_t)input & (sizeof(float4) - 1)) == 0) {
    LOOP(whole)
  } else {
    LOOP(vload4)
  }
  vstore4(most, y * width + x, output);
}
