// What the texture units of a GPU take: 32 texels a work-item, neighbours along its row, by
// integer and by float coordinates, by both filters and in several formats; along columns; from
// layers and from volumes; the same floats from a buffer; a chain of reads in which each tells
// where the next one is; and writes.
// Images of 512x512 are in the L2, and what a work-group touches of a row is in the L1.

#define N 32
#define NEAREST (CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST)
#define LINEAR (CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR)

#define SUM(read) \
  int x = get_global_id(0) & 255, y = get_global_id(1) & 511; \
  float4 sum = 0; \
  for (int i = 0; i < N; i++) \
    sum += read; \
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;

#define ALONG(name, filter, place) \
  kernel void name(read_only image2d_t in, global float *out) { \
    const sampler_t s = filter; \
    SUM(read_imagef(in, s, place)) \
  }

// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float, NEAREST, (int2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:HALF_FLOAT out=32M
ALONG(rgba_half, NEAREST, (int2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:UNORM_INT8 out=32M
ALONG(rgba_bytes, NEAREST, (int2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:R:FLOAT out=32M
ALONG(r_float, NEAREST, (int2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:R:UNORM_INT8 out=32M
ALONG(r_bytes, NEAREST, (int2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float_at_floats, NEAREST, (float2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float_linear, LINEAR, (float2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:UNORM_INT8 out=32M
ALONG(rgba_bytes_linear, LINEAR, (float2)(x + i, y))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float_down, NEAREST, (int2)(x, y + i))
// Each lane in a row of its own.
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float_across, NEAREST, (int2)(y + i, x))
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:UNORM_INT8 out=32M
ALONG(rgba_bytes_across, NEAREST, (int2)(y + i, x))
// Lanes eight texels apart.
// clrewrite: launch global=4096x2048 local=32x8 in=2048x512:RGBA:FLOAT out=32M
ALONG(rgba_float_apart, NEAREST, (int2)(8 * x + i, y))
// All lanes at one texel.
// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
ALONG(rgba_float_same, NEAREST, (int2)(i, y))

// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:FLOAT out=32M
kernel void rgba_float_unsampled(read_only image2d_t in, global float *out) {
  SUM(read_imagef(in, (int2)(x + i, y)))
}

// clrewrite: launch global=4096x2048 local=32x8 in=512x512:RGBA:UNSIGNED_INT8 out=32M
kernel void rgba_bytes_integers(read_only image2d_t in, global float *out) {
  const sampler_t s = NEAREST;
  SUM(convert_float4(read_imageui(in, s, (int2)(x + i, y))))
}

// clrewrite: launch global=4096x2048 local=32x8 in=512x512x4:RGBA:FLOAT out=32M
kernel void layers(read_only image2d_array_t in, global float *out) {
  const sampler_t s = NEAREST;
  SUM(read_imagef(in, s, (int4)(x + i, y, i & 3, 0)))
}

// clrewrite: launch global=4096x2048 local=32x8 in=512x512x4:RGBA:FLOAT out=32M
kernel void volume(read_only image3d_t in, global float *out) {
  const sampler_t s = NEAREST;
  SUM(read_imagef(in, s, (int4)(x + i, y, i & 3, 0)))
}

// clrewrite: launch global=4096x2048 local=32x8 in=4M out=32M
kernel void buffer_float4(global const float4 *restrict in, global float *out) {
  SUM(in[y * 512 + x + i])
}

// clrewrite: launch global=4096x2048 local=32x8 in=1M out=32M
kernel void buffer_float(global const float *restrict in, global float *out) {
  SUM(in[y * 512 + x + i])
}

// One warp for each multiprocessor: 2048 reads, each behind the last.
// clrewrite: launch global=4224 local=32 in=512x512:R:FLOAT out=64K
kernel void chain(read_only image2d_t in, global float *out) {
  const sampler_t s = NEAREST;
  int x = get_local_id(0);
  for (int i = 0; i < 2048; i++)
    x = (x + (int)(read_imagef(in, s, (int2)(x, 7)).x * 4)) & 31;
  out[get_global_id(0)] = x;
}

// clrewrite: launch global=4224 local=32 in=1M out=64K
kernel void chain_buffer(global const float *restrict in, global float *out) {
  int x = get_local_id(0);
  for (int i = 0; i < 2048; i++)
    x = (x + (int)(fabs(in[x]) * 4)) & 31;
  out[get_global_id(0)] = x;
}

// clrewrite: launch global=4096x2048 local=32x8 out=4096x2048:RGBA:FLOAT
kernel void write_rgba_float(write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, (float4)(at.x, at.y, 0, 1));
}

// clrewrite: launch global=4096x2048 local=32x8 out=4096x2048:RGBA:UNORM_INT8
kernel void write_rgba_bytes(write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, (float4)(at.x, at.y, 0, 1));
}

// clrewrite: launch global=4096x2048 local=32x8 out=512x512:RGBA:FLOAT
kernel void write_again(write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0) & 511, get_global_id(1) & 511);
  for (int i = 0; i < 16; i++)
    write_imagef(out, at, (float4)(at.x, at.y, i, 1));
}

// clrewrite: launch global=4096x2048 local=32x8 in=4096x2048:RGBA:FLOAT out=4096x2048:RGBA:FLOAT
kernel void copy_rgba_float(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t s = NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, at));
}

// clrewrite: launch global=4096x2048 local=32x8 in=4096x2048:RGBA:UNORM_INT8 out=4096x2048:RGBA:UNORM_INT8
kernel void copy_rgba_bytes(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t s = NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, at));
}
