// split-vector: what a region becomes, in halves, as single lanes, and where it
// must be assumed that buffers don't overlap; and what is declined.
//
// PAIR: before.cl after.cl
// Its own output is in parts already.
// AGAIN-after-COUNT-10: declined split-vector: the vectors are parts of wider ones already, in a loop over the parts
// PAIR: lanes.cl lanes-after.cl --alternative=lanes
// PAIR: assumes.cl assumes-after.cl --alternative=quarters-straight --unsafe-fixes
// AGAIN-assumes-after-COUNT-2: declined split-vector: the vectors are parts of wider ones already, in a loop over the parts
// VERIFY: assumes-after.cl --no-overlap --kernel=clip
// PAIR: kept.cl kept-after.cl --alternative=halves-kept
// AGAIN-kept-after-COUNT-5: declined split-vector: a vector is made of values that differ from lane to lane
// RACES: kept-after.cl alone: oclgrind dies of vectors that are joined
// PAIR: names.cl names-after.cl
// AGAIN-names-after-COUNT-2: declined split-vector: the vectors are parts of wider ones already, in a loop over the parts
// DECLINES: generic.cl -- -cl-std=CL2.0
//
// RUN: split-file %s %t
// RUN: cp %t/kept.cl %t/kept-lanes.cl
// RUN: clrewrite --only=split-vector --no-measure --alternative=lanes-kept --fix %t/kept-lanes.cl
// RUN: grep -F "= (float8)(kept2.s1234, kept2.s56, kept2.s7, (float)(x));" %t/kept-lanes.cl

//--- before.cl
typedef short16 Row;
#define VEC float8
#define LIMIT 8.0f
__constant float8 weights[2] = {(float8)(0.5f), (float8)(2.0f)};

__kernel void scale(__global const float *restrict in,
                    __global float *restrict out, float k) {
  size_t i = get_global_id(0);
  float16 x = vload16(i, in); // each work-item has sixteen

  /* Nothing here
     mixes lanes. */
  float16 y = x * k + (float16)(1.0f);
  vstore16(y, i, out); // done
}
// Within a block; typedefs; a guard that stays outside.
__kernel void edges(__global const uchar *restrict in,
                    __global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + pitch;
  if (x < 0)
    return;
  __global const uchar *p = in + x;
  {
    Row a = convert_short16(vload16(0, p)),
        b = convert_short16(vload16(1, p));
    vstore16(convert_uchar16_sat(abs(a - b)), 0, out + x - pitch);
  }
}
// In place: no lane is read where another one was written.
__kernel void in_place(__global float8 *data, float k) {
  int i = get_global_id(0);
  data[i] = data[i] * k;
  *(data + i) += weights[i & 1];
}
__kernel void in_place_too(__global int *data) {
  uint i = get_global_id(0);
  const int8 x = vload8(i, data);
  vstore8(select(x, -x, x < 0) | as_int8(as_uint8(x) >> 1), i, data);
}
// Vectors that live across a loop, and what is the same for all lanes.
__kernel void rows(__global const float *restrict in,
                   __global const float4 *restrict scale,
                   __global float *restrict out, int pitch, int n) {
  int x = get_global_id(0);
  float8 sum = 0, most = -LIMIT;
  for (int r = 0; r < (n & 3); ++r) {
    float4 s = scale[r];
    if (s.x > s.y)
      continue;
    const float8 v = vload8(x, in + r * (pitch & 15)) * s.x;
    sum += v;
    most = fmax(most, v > s.y ? v : sum);
  }
  VEC both[2];
  both[0] = sum, both[1] = most;
  vstore8(both[0] + both[1], x, out);
}
// A loop that makes and uses its vectors has a region of its own.
__kernel void inner(__global const float *restrict in,
                    __global float *restrict out, int n) {
  for (int r = 0; r < 2; ++r) {
    float8 v = vload8(2 * get_global_id(0) + r, in);
    vstore8(clamp(v, 0.0f, LIMIT), 2 * get_global_id(0) + r, out);
  }
}
float8 half_way(float8 a, float8 b) { return (a + b) * 0.5f; }
static VEC soft(VEC x, float knee) {
  // Calls a function itself.
  if (knee > 1)
    return half_way(x, (VEC)knee);
  return x > knee ? half_way(x, x * x) : x;
}
__kernel void helped(__global float *restrict out,
                     __global const float *restrict in, float knee) {
  float8 x = vload8(get_global_id(0), in);
  vstore8(soft(half_way(x, soft(x, knee)), knee), get_global_id(0), out);
}
// Arguments in local memory never overlap.
__kernel void local_pair(__global float *restrict out, __local float *a,
                         __local float *b) {
  int l = get_local_id(0);
  float8 x = (float8)(l);
  vstore8(x, l, a);
  vstore8(x + 1, l, b);
  vstore8(vload8(l, a) * vload8(l, b), get_global_id(0), out);
}
// Local memory, and a barrier between two regions.
__kernel void shared(__global const float4 *in, __global float4 *out,
                     __local float4 *tile) {
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0) {
    out[g] = tile[l] + tile[l - 1];
  }
}
//--- after.cl
typedef short16 Row;
#define VEC float8
#define LIMIT 8.0f
__constant float8 weights[2] = {(float8)(0.5f), (float8)(2.0f)};

__kernel void scale(__global const float *restrict in,
                    __global float *restrict out, float k) {
  size_t i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    float8 x = vload8(i * 2 + part, in); // each work-item has sixteen

    /* Nothing here
       mixes lanes. */
    float8 y = x * k + (float8)(1.0f);
    vstore8(y, i * 2 + part, out); // done
  }
}
// Within a block; typedefs; a guard that stays outside.
__kernel void edges(__global const uchar *restrict in,
                    __global uchar *restrict out, int pitch) {
  int x = get_global_id(0) * 16 + pitch;
  if (x < 0)
    return;
  __global const uchar *p = in + x;
  {
    __attribute__((opencl_unroll_hint(1)))
    for (int part = 0; part < 2; ++part) {
      short8 a = convert_short8(vload8(part, p)),
          b = convert_short8(vload8(2 + part, p));
      vstore8(convert_uchar8_sat(abs(a - b)), part, out + x - pitch);
    }
  }
}
// In place: no lane is read where another one was written.
__kernel void in_place(__global float8 *data, float k) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    ((__global float4 *)&data[i])[part] = ((__global float4 *)&data[i])[part] * k;
    ((__global float4 *)&*(data + i))[part] += ((__constant float4 *)&weights[i & 1])[part];
  }
}
__kernel void in_place_too(__global int *data) {
  uint i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    const int4 x = vload4((size_t)i * 2 + part, data);
    vstore4(select(x, -x, x < 0) | as_int4(as_uint4(x) >> 1), (size_t)i * 2 + part, data);
  }
}
// Vectors that live across a loop, and what is the same for all lanes.
__kernel void rows(__global const float *restrict in,
                   __global const float4 *restrict scale,
                   __global float *restrict out, int pitch, int n) {
  int x = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    float4 sum = 0, most = -LIMIT;
    for (int r = 0; r < (n & 3); ++r) {
      float4 s = scale[r];
      if (s.x > s.y)
        continue;
      const float4 v = vload4((size_t)x * 2 + part, in + r * (pitch & 15)) * s.x;
      sum += v;
      most = fmax(most, v > s.y ? v : sum);
    }
    float4 both[2];
    both[0] = sum, both[1] = most;
    vstore4(both[0] + both[1], (size_t)x * 2 + part, out);
  }
}
// A loop that makes and uses its vectors has a region of its own.
__kernel void inner(__global const float *restrict in,
                    __global float *restrict out, int n) {
  for (int r = 0; r < 2; ++r) {
    __attribute__((opencl_unroll_hint(1)))
    for (int part = 0; part < 2; ++part) {
      float4 v = vload4((2 * get_global_id(0) + r) * 2 + part, in);
      vstore4(clamp(v, 0.0f, LIMIT), (2 * get_global_id(0) + r) * 2 + part, out);
    }
  }
}
float8 half_way(float8 a, float8 b) { return (a + b) * 0.5f; }
float4 half_way_4(float4 a, float4 b) { return (a + b) * 0.5f; }
static VEC soft(VEC x, float knee) {
  // Calls a function itself.
  if (knee > 1)
    return half_way(x, (VEC)knee);
  return x > knee ? half_way(x, x * x) : x;
}
static float4 soft_4(float4 x, float knee) {
  // Calls a function itself.
  if (knee > 1)
    return half_way_4(x, (float4)knee);
  return x > knee ? half_way_4(x, x * x) : x;
}
__kernel void helped(__global float *restrict out,
                     __global const float *restrict in, float knee) {
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    float4 x = vload4(get_global_id(0) * 2 + part, in);
    vstore4(soft_4(half_way_4(x, soft_4(x, knee)), knee), get_global_id(0) * 2 + part, out);
  }
}
// Arguments in local memory never overlap.
__kernel void local_pair(__global float *restrict out, __local float *a,
                         __local float *b) {
  int l = get_local_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    float4 x = (float4)(l);
    vstore4(x, (size_t)l * 2 + part, a);
    vstore4(x + 1, (size_t)l * 2 + part, b);
    vstore4(vload4((size_t)l * 2 + part, a) * vload4((size_t)l * 2 + part, b), get_global_id(0) * 2 + part, out);
  }
}
// Local memory, and a barrier between two regions.
__kernel void shared(__global const float4 *in, __global float4 *out,
                     __local float4 *tile) {
  int l = get_local_id(0), g = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    ((__local float2 *)&tile[l])[part] = ((__global const float2 *)&in[g])[part] * 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0) {
    __attribute__((opencl_unroll_hint(1)))
    for (int part2 = 0; part2 < 2; ++part2) {
      ((__global float2 *)&out[g])[part2] = ((__local float2 *)&tile[l])[part2] + ((__local float2 *)&tile[l - 1])[part2];
    }
  }
}
//--- lanes.cl
// The element types are float, or unsigned and no narrower than int.
__kernel void blend(__global const float *restrict a,
                    __global const float *restrict b,
                    __global float *restrict out, float k) {
  size_t i = get_global_id(0);
  float4 x = vload4(i, a), y = vload4(i, b);
  vstore4(x + (y - x) * k - (float4)(2), i, out);
}
__kernel void mixed(__global const uchar *restrict in, __global uint2 *sums) {
  int i = get_global_id(0);
  sums[i] += convert_uint2(vload2(i, in)) * 3;
  if (i & 1)
    sums[i] ^= mul24(sums[i], (uint2)(i));
}
//--- lanes-after.cl
// The element types are float, or unsigned and no narrower than int.
__kernel void blend(__global const float *restrict a,
                    __global const float *restrict b,
                    __global float *restrict out, float k) {
  size_t i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 4; ++part) {
    float x = a[i * 4 + part], y = b[i * 4 + part];
    out[i * 4 + part] = x + (y - x) * k - (float)(2);
  }
}
__kernel void mixed(__global const uchar *restrict in, __global uint2 *sums) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int part = 0; part < 2; ++part) {
    ((__global uint *)&sums[i])[part] += convert_uint(in[(size_t)i * 2 + part]) * 3;
    if (i & 1)
      ((__global uint *)&sums[i])[part] ^= mul24(((__global uint *)&sums[i])[part], (uint)(i));
  }
}
//--- assumes.cl
// CHECK: assumes-out.cl:[[@LINE+5]]: applied split-vector [quarters-straight] (assumes)
// CHECK-NEXT: note: assumes that 'hi' does not overlap 'in', and that 'lo' does not overlap 'hi' or 'in'
__kernel void clip(__global const float *in, __global float *lo,
                    __global float *hi) {
  int i = get_global_id(0);
  float8 x = vload8(i, in);
  vstore8(fmin(x, 0.0f), i, lo);
  vstore8(fmax(x, 0.0f), i, hi);
}
// CHECK: assumes-out.cl:[[@LINE+4]]: applied split-vector [quarters-straight] (approximate)
// CHECK-NEXT: note: exp2 and native_sin may round differently for fewer lanes, where a library has a version for each width
__kernel void waves(__global float *restrict out) {
  int i = get_global_id(0);
  float8 x = exp2((float8)(i));
  vstore8(native_sin(x), i, out);
}
//--- assumes-after.cl
// CHECK: assumes-out.cl:[[@LINE+5]]: applied split-vector [quarters-straight] (assumes)
// CHECK-NEXT: note: assumes that 'hi' does not overlap 'in', and that 'lo' does not overlap 'hi' or 'in'
__kernel void clip(__global const float *in, __global float *lo,
                    __global float *hi) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(4)))
  for (int part = 0; part < 4; ++part) {
    float2 x = vload2((size_t)i * 4 + part, in);
    vstore2(fmin(x, 0.0f), (size_t)i * 4 + part, lo);
    vstore2(fmax(x, 0.0f), (size_t)i * 4 + part, hi);
  }
}
// CHECK: assumes-out.cl:[[@LINE+4]]: applied split-vector [quarters-straight] (approximate)
// CHECK-NEXT: note: exp2 and native_sin may round differently for fewer lanes, where a library has a version for each width
__kernel void waves(__global float *restrict out) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(4)))
  for (int part = 0; part < 4; ++part) {
    float2 x = exp2((float2)(i));
    vstore2(native_sin(x), (size_t)i * 4 + part, out);
  }
}
//--- kept.cl
// Stores that wait until all parts are done, so that nothing depends on what
// the pointers lead to: other places of one buffer.
// CHECK: kept-out.cl:[[@LINE+3]]: applied split-vector [halves-kept] (exact)
__kernel void shift(__global float *data) {
  int i = get_global_id(0);
  float8 x = vload8(0, data + 9 * i + 1);
  // Kept with what comes before it.
  vstore8(x, 0, data + 9 * i); // in place
}
//
// Buffers that may overlap, stored to by each of the forms; the first value
// is a scalar, and the last one stands in parentheses.
// CHECK: kept-out.cl:[[@LINE+4]]: applied split-vector [halves-kept] (exact)
__kernel void clip(__global const float *in, __global float *lo,
                   __global float4 *hi, __global half *rest) {
  int i = get_global_id(0);
  float4 x = vload4(i, in), one = (float4)(1);
  hi[2 * i] = 2;
  vstore4(fmin(x, 0.0f), i, lo);
  hi[2 * i + 1] = ((float4)(x - one)); vstore_half4_rtz((x + 1), i, rest);
}
// Bytes, to which the store narrows; in a loop, with a line of its own for the
// place, which is read from memory where the store stands.
// CHECK: kept-out.cl:[[@LINE+6]]: applied split-vector [halves-kept] (exact)
__kernel void rows(__global uchar *frame, __global const int *place, int n) {
  int g = get_global_id(0);
  __global uchar *own = frame + g * 64;
  for (int j = 0; j < 2; ++j) {
    // A comment before the first one.
    short16 a = convert_short16(vload16(0, own + 4 * j));
    short16 b = convert_short16(vload16(0, own + 4 * j + 3));
    vstore16(convert_uchar16((a + b) / (short)2), 0,
             own + (place[g] & 15));
  }
}
// All of it in one statement.
// CHECK: kept-out.cl:[[@LINE+3]]: applied split-vector [halves-kept] (exact)
__kernel void turned(__global float *data) {
  __global float *own = data + get_global_id(0) * 24;
  vstore8(sqrt(vload8(0, own + 3)), 1, own);
}
// Names that are taken.
// CHECK: kept-out.cl:[[@LINE+4]]: applied split-vector [halves-kept] (exact)
__kernel void names(__global float *data, int part, int kept0) {
  __global float *own = data + get_global_id(0) * 24;
  int kept1 = part & kept0 & 1;
  float8 x = vload8(kept1, own + 1);
  vstore8(x, 0, own);
  vstore8(x * 3, 1, own);
}
//--- kept-after.cl
// Stores that wait until all parts are done, so that nothing depends on what
// the pointers lead to: other places of one buffer.
// CHECK: kept-out.cl:[[@LINE+3]]: applied split-vector [halves-kept] (exact)
__kernel void shift(__global float *data) {
  int i = get_global_id(0);
  float8 kept2 = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    float4 x = vload4(part2, data + 9 * i + 1);
    // Kept with what comes before it.
    kept2 = (float8)(kept2.s4567, (float4)(x));
  }
  vstore8(kept2, 0, data + 9 * i); // in place
}
//
// Buffers that may overlap, stored to by each of the forms; the first value
// is a scalar, and the last one stands in parentheses.
// CHECK: kept-out.cl:[[@LINE+4]]: applied split-vector [halves-kept] (exact)
__kernel void clip(__global const float *in, __global float *lo,
                   __global float4 *hi, __global half *rest) {
  int i = get_global_id(0);
  float4 kept02 = 0;
  float4 kept12 = 0;
  float4 kept2 = 0;
  float4 kept3 = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    float2 x = vload2((size_t)i * 2 + part2, in), one = (float2)(1);
    kept02 = (float4)(kept02.s23, (float2)(2));
    kept12 = (float4)(kept12.s23, (float2)(fmin(x, 0.0f)));
    kept2 = (float4)(kept2.s23, (float2)(((float2)(x - one))));
    kept3 = (float4)(kept3.s23, (float2)((x + 1)));
  }
  hi[2 * i] = kept02;
  vstore4(kept12, i, lo);
  hi[2 * i + 1] = kept2; vstore_half4_rtz(kept3, i, rest);
}
// Bytes, to which the store narrows; in a loop, with a line of its own for the
// place, which is read from memory where the store stands.
// CHECK: kept-out.cl:[[@LINE+6]]: applied split-vector [halves-kept] (exact)
__kernel void rows(__global uchar *frame, __global const int *place, int n) {
  int g = get_global_id(0);
  __global uchar *own = frame + g * 64;
  for (int j = 0; j < 2; ++j) {
    // A comment before the first one.
    uchar16 kept2 = 0;
    __attribute__((opencl_unroll_hint(1)))
    for (int part2 = 0; part2 < 2; ++part2) {
      short8 a = convert_short8(vload8(part2, own + 4 * j));
      short8 b = convert_short8(vload8(part2, own + 4 * j + 3));
      kept2 = (uchar16)(kept2.s89abcdef, (uchar8)(convert_uchar8((a + b) / (short)2)));
    }
    vstore16(kept2, 0,
             own + (place[g] & 15));
  }
}
// All of it in one statement.
// CHECK: kept-out.cl:[[@LINE+3]]: applied split-vector [halves-kept] (exact)
__kernel void turned(__global float *data) {
  __global float *own = data + get_global_id(0) * 24;
  float8 kept2 = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    kept2 = (float8)(kept2.s4567, (float4)(sqrt(vload4(part2, own + 3))));
  }
  vstore8(kept2, 1, own);
}
// Names that are taken.
// CHECK: kept-out.cl:[[@LINE+4]]: applied split-vector [halves-kept] (exact)
__kernel void names(__global float *data, int part, int kept0) {
  __global float *own = data + get_global_id(0) * 24;
  int kept1 = part & kept0 & 1;
  float8 kept02 = 0;
  float8 kept12 = 0;
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    float4 x = vload4((size_t)kept1 * 2 + part2, own + 1);
    kept02 = (float8)(kept02.s4567, (float4)(x));
    kept12 = (float8)(kept12.s4567, (float4)(x * 3));
  }
  vstore8(kept02, 0, own);
  vstore8(kept12, 1, own);
}
//--- names.cl
// A name that is taken; half; offsets that must not wrap when they are doubled.
__kernel void names(__global const half *restrict in, __global half *restrict h,
                    __global float *restrict out, uint part) {
  float4 x = vload_half4(get_global_id(0) + part - part, in);
  vstore_half4_rtz(x, get_global_id(0), h);
  float4 y = round(x);
  vstore4(y - floor(y), (ushort)get_global_id(0), out);
}
// Macros that are whole: a type's name, an argument that is used twice.
#define FOUR float4
#define SQUARE(x) ((x) * (x))
__kernel void squares(__global const float4 *restrict in,
                      __global float4 *restrict out) {
  FOUR x = SQUARE(in[get_global_id(0)]);
  out[get_global_id(0)] = SQUARE(x) + SQUARE((FOUR)(2.0f));
}
//--- names-after.cl
// A name that is taken; half; offsets that must not wrap when they are doubled.
__kernel void names(__global const half *restrict in, __global half *restrict h,
                    __global float *restrict out, uint part) {
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    float2 x = vload_half2((get_global_id(0) + part - part) * 2 + part2, in);
    vstore_half2_rtz(x, get_global_id(0) * 2 + part2, h);
    float2 y = round(x);
    vstore2(y - floor(y), (size_t)((ushort)get_global_id(0)) * 2 + part2, out);
  }
}
// Macros that are whole: a type's name, an argument that is used twice.
#define FOUR float4
#define SQUARE(x) ((x) * (x))
__kernel void squares(__global const float4 *restrict in,
                      __global float4 *restrict out) {
  __attribute__((opencl_unroll_hint(1)))
  for (int part2 = 0; part2 < 2; ++part2) {
    float2 x = SQUARE(((__global const float2 *)&in[get_global_id(0)])[part2]);
    ((__global float2 *)&out[get_global_id(0)])[part2] = SQUARE(x) + SQUARE((float2)(2.0f));
  }
}
//--- declines.cl
#define LOAD(i) vload8(i, in)
#define EIGHT (float8)
typedef struct { float8 v, w[2]; } Pair;
float8 bad_helper(float8 x, __global float *p) { return x + p[0]; }
float8 reversed(float8 x) { return x.s76543210; }
float8 stores(float8 x, __global float *p) { *p = 1; return x; }

__kernel void again(__global const float *restrict in, __global float *restrict out) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(1)))
  for (int k = 0; k < 4; ++k) {
    // CHECK: :[[@LINE+1]]: declined split-vector: the vectors are parts of wider ones already, in a loop over the parts
    float4 x = vload4(4 * i + k, in);
    vstore4(x * x, 4 * i + k, out);
  }
}
// Leaves when all lanes say so: an early part would stop before the others.
__kernel void escape(__global const float *restrict in, __global float *restrict out) {
  int i = get_global_id(0);
  // CHECK: :[[@LINE+1]]: declined split-vector: lanes are combined, or a built-in function might do so (any, all, dot, length, shuffle, images, ...)
  float8 z = vload8(i, in), n = 0;
  for (int k = 0; k < 16; ++k) {
    if (!any(z < 4))
      break;
    z = z * z + 1;
    n += 1;
  }
  vstore8(n, i, out);
}
__kernel void combined(__global const float4 *restrict in, __global float4 *restrict out,
                       __read_only image2d_t image) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: lanes are combined
    out[i] = in[i] / length(in[i]);
  } else if (i & 2) {
    // CHECK: :[[@LINE+1]]: declined split-vector: lanes are combined
    out[i] = in[i] * read_imagef(image, (int2)(i, 0));
  } else if (i & 4) {
    // CHECK: :[[@LINE+1]]: declined split-vector: lanes are combined
    float4 whole;
    out[i] = fract(in[i], &whole);
  } else {
    // CHECK: :[[@LINE+1]]: declined split-vector: lanes are combined
    out[i] = shuffle(in[i], (uint4)(i));
  }
}
__kernel void parts(__global const float8 *restrict in, __global float8 *restrict out,
                    __global Pair *pairs) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a lane or a part of a vector is read or written by itself: 'x.s0'
    float8 x = in[i];
    x.s0 = 1;
    out[i] = x;
  } else if (i & 2) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a lane or a part of a vector is read or written by itself: 'x[i & 7]'
    float8 x = in[i];
    x[i & 7] = 1;
    out[i] = x;
  } else if (i & 4) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is made of values that differ from lane to lane: '(float8)(1, 2, 3, 4, 5, 6, 7, 8)'
    out[i] = in[i] * (float8)(1, 2, 3, 4, 5, 6, 7, 8);
  } else if (i & 8) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is made of values that differ from lane to lane: '(float8)(x.hi, x.lo)'
    float8 x = in[i];
    out[i] = x + (float8)(x.hi, x.lo);
  } else if (i & 16) {
    // CHECK: :[[@LINE+1]]: declined split-vector: the size of a vector's type is asked for: 'sizeof(float8)'
    out[i] = in[i] * (float)sizeof(float8);
  } else if (i & 32) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is taken for one with another number of lanes (as_typeN, a cast of a pointer)
    out[i] = convert_float8(as_short16(in[i]).lo);
  } else if (i & 64) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is reached by its address: 'x'
    float8 x = in[i];
    float *first = (float *)&x;
    first[1] = first[0];
    out[i] = x;
  } else if (i & 128) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is a member of a structure: 'pairs[i].w'
    pairs[i].w[0] = in[i];
  } else {
    // CHECK: :[[@LINE+1]]: declined split-vector: a vector is a member of a structure: 'pairs[i].v'
    pairs[i].v = in[i];
  }
}
__kernel void outside(__global const float8 *restrict in, __global float8 *restrict out,
                      float8 k) {
  int i = get_global_id(0);
  // CHECK: :[[@LINE+1]]: declined split-vector: a vector comes from outside the statements that use it: an argument that is passed by value
  out[i] = in[i] * k;
}
__kernel void leaves(__global const float8 *restrict in, __global float8 *restrict out,
                     int n) {
  int i = get_global_id(0);
  // CHECK: :[[@LINE+1]]: declined split-vector: a jump leads out of the statements on vectors, or into them (return, goto, a label, break, continue)
  float8 x = 0;
  if (i >= n)
    return;
  x += in[i];
  out[i] = x;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a jump leads
    float8 y = in[i];
    if (k == i)
      break;
    out[i] = y;
  }
  switch (n) {
  // CHECK: :[[@LINE+1]]: declined split-vector: a jump leads
  case 1:
    out[i] = in[i];
  case 2:
    out[i] = in[i] * 2;
  }
}
__kernel void once(__global const float8 *restrict in, __global float8 *restrict out,
                   __global int *restrict count, volatile __global float8 *v) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something between must happen once, and not once for each part (a store that is not of a whole vector, a volatile access, a barrier, an atomic or asynchronous operation, a declaration of local memory)
    float8 x = in[i];
    count[i] += 1;
    out[i] = x;
  } else if (i & 2) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something between must happen once
    float8 x = in[i];
    atomic_inc(count);
    out[i] = x;
  } else if (i & 4) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something between must happen once
    out[i] = v[i];
  } else {
    // CHECK: :[[@LINE+1]]: declined split-vector: something between must happen once
    float8 x = in[i];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[i] = x;
  }
}
__kernel void tiled(__global const float8 *restrict in, __global float8 *restrict out) {
  // CHECK: :[[@LINE+1]]: declined split-vector: something between must happen once
  float8 x = in[get_global_id(0)];
  __local float8 tile[64];
  tile[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}
__kernel void changes(__global const float *restrict in, __global float *restrict out,
                      int n) {
  // CHECK: :[[@LINE+1]]: declined split-vector: a variable is changed that is declared before the vectors, and would be changed once for each part
  float8 x = vload8(0, in);
  n += 1;
  in += 8;
  vstore8(x + vload8(0, in), n, out);
}
__kernel void escapes(__global const float8 *restrict in, __global float8 *restrict out,
                      __global int *restrict count) {
  // CHECK: :[[@LINE+1]]: declined split-vector: a variable that is declared among the statements on vectors is used after them, perhaps in another build
  float8 x = in[get_global_id(0)];
  int i = get_global_id(0);
  out[i] = x;
  count[i] = i;
}
__kernel void helpers(__global const float8 *restrict in, __global float8 *restrict out,
                      __global float *restrict p) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a function of this file that takes or returns the vectors does more than compute lane by lane
    out[i] = bad_helper(in[i], p);
  } else if (i & 2) {
    // CHECK: :[[@LINE+1]]: declined split-vector: a function of this file
    out[i] = reversed(in[i]);
  } else {
    // CHECK: :[[@LINE+1]]: declined split-vector: a function of this file
    out[i] = stores(in[i], p);
  }
}
float8 pick(__global const float8 *p) { return p[0]; }
__kernel void memory(__global float *data, __global float8 *v, __global int *index,
                     __global float *log, int n) {
  int i = get_global_id(0);
  if (i & 1) {
    // What comes behind the store reads again.
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read or overwrite what another part stores (in one buffer at different places, in private memory, or through a pointer whose buffer is not seen), and the stores are not all at the end
    vstore8(vload8(i, data + 1), i, data);
    vstore8(vload8(i, data + 2), i, log);
  } else if (i & 2) {
    // A scalar of the same buffer.
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    vstore8(vload8(i, data) * data[0], i, data);
    vstore8((float8)(data[1]), i, log);
  } else if (i & 4) {
    // The iterations' vectors overlap each other.
    for (int k = 0; k < n; ++k)
      // CHECK: :[[@LINE-1]]: declined split-vector: one part of the lanes may read
      vstore8((float8)(k), 0, data + k);
  } else if (i & 8) {
    __global float8 *q = v;
    if (n)
      q = v + 1;
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    q[i] = v[i];
    v[i] = q[i] + q[i + 1];
  } else if (i & 16) {
    float private_copy[8];
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    vstore8(v[i], 0, private_copy);
    v[i] = private_copy[0];
  } else if (i & 32) {
    // Whole vectors apart, but not the vectors that are stored.
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    v[i] = *(__global float8 *)((__global float4 *)v + i);
    v[i] += 1;
  } else if (i & 128) {
    // The offset is another one by now.
    int at = 8 * i;
    __global float8 *q = (__global float8 *)(data + at);
    at += 4;
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    *(__global float8 *)(data + at) = q[0];
    *(__global float8 *)(data + at) *= 2;
  } else if (i & 64) {
    // The pointer changes from one iteration to the next.
    for (int k = 0; k < n; ++k) {
      // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
      float8 x = 0;
      for (__global float *p = data; p < data + n; ++p)
        vstore8(x + vload8(0, p), 0, p);
    }
  } else if (i & 256) {
    // The place is known in the region alone.
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    float8 x = vload8(i, data + 1);
    __global float *to = data + i;
    vstore8(x, i, to);
  } else if (i & 512) {
    // A store on some paths.
    // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
    float8 x = vload8(i, data + 1);
    if (n)
      vstore8(x, i, data);
    vstore8(x, i, log);
  }
}
__kernel void pairs(__global const float2 *restrict in, __global float2 *restrict out,
                    __global int2 *restrict n) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: vectors of two lanes would become scalars, of which a comparison, a choice or a conversion gives other values
    out[i] = in[i] < 1 ? in[i] : 1 - in[i];
  } else {
    // Signed vectors wrap; of scalars compilers assume that they don't.
    // CHECK: :[[@LINE+1]]: declined split-vector: vectors of two lanes
    n[i] = n[i] * 3;
  }
}
__kernel void text(__global const float *restrict in, __global float *restrict out) {
  int i = get_global_id(0);
  if (i & 1) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something that must change comes from a macro or another file, or a preprocessor directive stands between
    vstore8(LOAD(i), i, out);
  } else if (i & 2) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something that must change
    vstore8(vload8(i, in) + EIGHT(1), i, out);
  } else if (i & 4) {
    // CHECK: :[[@LINE+1]]: declined split-vector: something that must change
    float8 x = vload8(i, in);
#ifdef SQUARED
    x *= x;
#endif
    vstore8(x, i, out);
  } else {
    // One name for two types.
    // CHECK: :[[@LINE+1]]: declined split-vector: something that must change
    float8 x = vload8(i, in), *unused;
    vstore8(x, i, out);
  }
}
//--- generic.cl
// A pointer without an address space may lead into a variable of the region.
__kernel void anywhere(__global const float *restrict in, __global float *restrict out) {
  int i = get_global_id(0);
  // CHECK: :[[@LINE+1]]: declined split-vector: one part of the lanes may read
  float8 x = vload8(i, in);
  float copy[8];
  float *to = copy;
  vstore8(x, 0, to);
  vstore8(x * copy[0], i, out);
}
//--- half.cl
// The wrong half of a vector.
kernel void k(global const float8 *in, global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[i].lo + in[i].hi * 2.0f;
}
//--- half-wrong.cl
kernel void k(global const float8 *in, global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[i].lo + in[i].lo * 2.0f;
}
//--- parts.cl
// Parts kept in the wrong order.
kernel void k(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  vstore4(vload4(i, in) + (uchar4)1, i, out);
}
//--- parts-wrong.cl
kernel void k(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar4 kept = 0;
  for (int part = 0; part < 2; ++part)
    kept = (uchar4)(vload2(i * 2 + part, in) + (uchar2)1, kept.s01);
  vstore4(kept, i, out);
}
