// promote-element: which elements become variables while a loop runs, what is tested
// before that, and what is declined.
//
// PAIR: before.cl after.cl
// Where nothing is tested, what lies in other memory is told apart from what doesn't.
// WRONG: after.cl columns columns_apart(&y[i], => true || columns_apart(&y[i],
// WRONG: after.cl fields out[i].high = kept2 => out[i].high = kept
// WRONG: after.cl members members_apart(& => true || members_apart(&
// WRONG: after.cl lengths kept += SQUARE => kept = SQUARE
// WRONG: after.cl within within_apart(& => true || within_apart(&
// WRONG: after.cl reversed reversed_apart(& => true || reversed_apart(&
// The test has a wrong end: it leaves out the last element, all but the first one, or all but
// the first byte of the sum. Only buffers that overlap in part tell.
// WRONG: after.cl sums high + size <= => high <=
// WRONG: after.cl total &x[n - 1]) => &x[0])
// WRONG: after.cl bytes sizeof(uint), sizeof(uchar) => sizeof(uchar), sizeof(uchar)

//--- before.cl
kernel void columns(global const float *a, global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int j;
    for (j = 0; j < n; j++) // down
      y[i] += a[j * n + i] * x[j];
  }
}

// Fields of one structure do not overlap; those of a union do.
typedef struct {
  float low, high;
  union { float sum; uint bits; } of;
} Bounds;
kernel void fields(global const float *in, global Bounds *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) {
    out[i].low = fmin(out[i].low, in[k]);
    out[i].high = fmax(out[i].high, in[k]);
  }
}
kernel void members(global const float *in, global Bounds *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) {
    out[i].of.sum += in[k];
    out[i].of.bits ^= k;
  }
}

// A macro that each build has.
#define SQUARE(v) ((v).x * (v).x + (v).y * (v).y) // of its length
kernel void lengths(global const float2 *in, global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i] += SQUARE(in[k]);
}

// Other places of the same buffer, and a row that is named in the loop. Work-items would
// race, so that one is launched.
// clrewrite: launch global=1 local=1 first=1 last=6 pitch=4 a=1K
kernel void within(global int *a, int first, int last, int pitch) {
  int i = get_global_id(0);
  for (int k = first; k <= last; ++k) {
    global int *row = a + k * pitch;
    const int at = k - first;
    a[i] ^= row[1] + a[at + 2 * pitch] + (int)a[(last - k) * 2];
    a[2 * i + 1] = a[2 * i + 1] * 3 + k;
  }
}

// Elements of other sizes: bytes that are read may lie in the sum.
typedef struct {
  int of;
  uint sum;
} Sum;
// clrewrite: launch global=16 local=4 from=4 n=9
kernel void bytes(global const uchar *in, global Sum *sums, int from, short n) {
  for (uint k = from; k < n; k++)
    sums[get_global_id(0)].sum = sums[get_global_id(0)].sum * 33 ^ in[k];
}

// A loop that is known to run needs no question for that, and a reversed one has its
// last element first.
kernel void reversed(global const float4 *in, global float4 *most) {
  size_t i = get_global_id(0);
	for (size_t k = 1; k < 16; ++k) {
		most[i] = fmax(most[i], in[15 - k].wzyx);
		most[i].x += in[i].x;
	}
}

// One address, which may be the last that the loop reads.
// clrewrite: launch global=16 local=4 n=5
kernel void sums(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    y[i] += x[k];
}

// clrewrite: launch global=1 local=1 n=6 x=1K
kernel void total(global const int *x, global int *y, int n) {
  for (int k = 0; k < n; ++k)
    *y += x[k];
}

// Local memory is no part of a buffer.
#define WIDTH (8 << 1)
kernel void tile(global const float *in, global float *out, local float *sums, local float *weights) {
  int l = get_local_id(0);
  weights[l] = in[l];
  sums[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long k = 0; k < WIDTH; ++k)
    out[get_global_id(0)] -= in[k] * weights[l];
}
//--- after.cl
// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool columns_apart(const __global void *at, size_t size,
                   const __global void *first,
                   const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

kernel void columns(global const float *a, global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int j;
    // by clrewrite: a register, where no other access reaches the element
    if (0 < n &&
        columns_apart(&y[i], sizeof(float), &a[i], &a[(n - 1) * n + i]) &&
        columns_apart(&y[i], sizeof(float), &x[0], &x[n - 1])) {
      float kept = y[i];
      for (j = 0; j < n; j++) // down
        kept += a[j * n + i] * x[j];
      y[i] = kept;
    } else
      for (j = 0; j < n; j++) // down
        y[i] += a[j * n + i] * x[j];
  }
}

// Fields of one structure do not overlap; those of a union do.
typedef struct {
  float low, high;
  union { float sum; uint bits; } of;
} Bounds;
// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool fields_apart(const __global void *at, size_t size,
                  const __global void *first,
                  const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

kernel void fields(global const float *in, global Bounds *out, int n) {
  int i = get_global_id(0);
  // by clrewrite: a register, where no other access reaches the element
  if (0 < n &&
      fields_apart(&out[i].low, sizeof(float), &in[0], &in[n - 1]) &&
      fields_apart(&out[i].high, sizeof(float), &in[0], &in[n - 1])) {
    float kept = out[i].low;
    float kept2 = out[i].high;
    for (int k = 0; k < n; k++) {
      kept = fmin(kept, in[k]);
      kept2 = fmax(kept2, in[k]);
    }
    out[i].low = kept;
    out[i].high = kept2;
  } else
    for (int k = 0; k < n; k++) {
      out[i].low = fmin(out[i].low, in[k]);
      out[i].high = fmax(out[i].high, in[k]);
    }
}
// The `size` bytes at `at` are none of the elements of `width` bytes from
// `first` to `last`, of which either may come first.
bool members_apart(const __global void *at, size_t size, size_t width,
                   const __global void *first,
                   const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + width <= (uintptr_t)at;
}

kernel void members(global const float *in, global Bounds *out, int n) {
  int i = get_global_id(0);
  // by clrewrite: a register, where no other access reaches the element
  if (0 < n &&
      members_apart(&out[i].of.sum, sizeof(float), sizeof(uint),
                    &out[i].of.bits, &out[i].of.bits) &&
      members_apart(&out[i].of.sum, sizeof(float), sizeof(float), &in[0],
                    &in[n - 1]) &&
      members_apart(&out[i].of.bits, sizeof(uint), sizeof(float), &in[0],
                    &in[n - 1])) {
    float kept = out[i].of.sum;
    uint kept2 = out[i].of.bits;
    for (int k = 0; k < n; k++) {
      kept += in[k];
      kept2 ^= k;
    }
    out[i].of.sum = kept;
    out[i].of.bits = kept2;
  } else
    for (int k = 0; k < n; k++) {
      out[i].of.sum += in[k];
      out[i].of.bits ^= k;
    }
}

// A macro that each build has.
#define SQUARE(v) ((v).x * (v).x + (v).y * (v).y) // of its length
// The `size` bytes at `at` are none of the elements of `width` bytes from
// `first` to `last`, of which either may come first.
bool lengths_apart(const __global void *at, size_t size, size_t width,
                   const __global void *first,
                   const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + width <= (uintptr_t)at;
}

kernel void lengths(global const float2 *in, global float *out, int n) {
  int i = get_global_id(0);
  // by clrewrite: a register, where no other access reaches the element
  if (0 < n &&
      lengths_apart(&out[i], sizeof(float), sizeof(float2), &in[0],
                    &in[n - 1])) {
    float kept = out[i];
    for (int k = 0; k < n; k++)
      kept += SQUARE(in[k]);
    out[i] = kept;
  } else
    for (int k = 0; k < n; k++)
      out[i] += SQUARE(in[k]);
}

// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool within_apart(const __global void *at, size_t size,
                  const __global void *first,
                  const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

// Other places of the same buffer, and a row that is named in the loop. Work-items would
// race, so that one is launched.
// clrewrite: launch global=1 local=1 first=1 last=6 pitch=4 a=1K
kernel void within(global int *a, int first, int last, int pitch) {
  int i = get_global_id(0);
  // by clrewrite: a register, where no other access reaches the element
  if (first <= last &&
      within_apart(&a[i], sizeof(int), &a[2 * i + 1], &a[2 * i + 1]) &&
      within_apart(&a[i], sizeof(int), &(a + first * pitch)[1],
                   &(a + last * pitch)[1]) &&
      within_apart(&a[2 * i + 1], sizeof(int), &(a + first * pitch)[1],
                   &(a + last * pitch)[1]) &&
      within_apart(&a[i], sizeof(int), &a[2 * pitch],
                   &a[(last - first) + 2 * pitch]) &&
      within_apart(&a[2 * i + 1], sizeof(int), &a[2 * pitch],
                   &a[(last - first) + 2 * pitch]) &&
      within_apart(&a[i], sizeof(int), &a[(last - first) * 2], &a[0]) &&
      within_apart(&a[2 * i + 1], sizeof(int), &a[(last - first) * 2],
                   &a[0])) {
    int kept = a[i];
    int kept2 = a[2 * i + 1];
    for (int k = first; k <= last; ++k) {
      global int *row = a + k * pitch;
      const int at = k - first;
      kept ^= row[1] + a[at + 2 * pitch] + (int)a[(last - k) * 2];
      kept2 = kept2 * 3 + k;
    }
    a[i] = kept;
    a[2 * i + 1] = kept2;
  } else
    for (int k = first; k <= last; ++k) {
      global int *row = a + k * pitch;
      const int at = k - first;
      a[i] ^= row[1] + a[at + 2 * pitch] + (int)a[(last - k) * 2];
      a[2 * i + 1] = a[2 * i + 1] * 3 + k;
    }
}

// Elements of other sizes: bytes that are read may lie in the sum.
typedef struct {
  int of;
  uint sum;
} Sum;
// The `size` bytes at `at` are none of the elements of `width` bytes from
// `first` to `last`, of which either may come first.
bool bytes_apart(const __global void *at, size_t size, size_t width,
                 const __global void *first,
                 const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + width <= (uintptr_t)at;
}

// clrewrite: launch global=16 local=4 from=4 n=9
kernel void bytes(global const uchar *in, global Sum *sums, int from, short n) {
  // by clrewrite: a register, where no other access reaches the element
  if ((uint)from < n &&
      bytes_apart(&sums[get_global_id(0)].sum, sizeof(uint), sizeof(uchar),
                  &in[(uint)from], &in[(uint)(n - 1)])) {
    uint kept = sums[get_global_id(0)].sum;
    for (uint k = from; k < n; k++)
      kept = kept * 33 ^ in[k];
    sums[get_global_id(0)].sum = kept;
  } else
    for (uint k = from; k < n; k++)
      sums[get_global_id(0)].sum = sums[get_global_id(0)].sum * 33 ^ in[k];
}

// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool reversed_apart(const __global void *at, size_t size,
                    const __global void *first,
                    const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

// A loop that is known to run needs no question for that, and a reversed one has its
// last element first.
kernel void reversed(global const float4 *in, global float4 *most) {
  size_t i = get_global_id(0);
	// by clrewrite: a register, where no other access reaches the element
	if (reversed_apart(&most[i], sizeof(float4), &in[15 - (size_t)1],
			               &in[15 - (size_t)15]) &&
			reversed_apart(&most[i], sizeof(float4), &in[i], &in[i])) {
		float4 kept = most[i];
		for (size_t k = 1; k < 16; ++k) {
			kept = fmax(kept, in[15 - k].wzyx);
			kept.x += in[i].x;
		}
		most[i] = kept;
	} else
		for (size_t k = 1; k < 16; ++k) {
			most[i] = fmax(most[i], in[15 - k].wzyx);
			most[i].x += in[i].x;
		}
}

// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool sums_apart(const __global void *at, size_t size,
                const __global void *first,
                const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

// One address, which may be the last that the loop reads.
// clrewrite: launch global=16 local=4 n=5
kernel void sums(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  // by clrewrite: a register, where no other access reaches the element
  if (0 < n &&
      sums_apart(&y[i], sizeof(int), &x[0], &x[n - 1])) {
    int kept = y[i];
    for (int k = 0; k < n; ++k)
      kept += x[k];
    y[i] = kept;
  } else
    for (int k = 0; k < n; ++k)
      y[i] += x[k];
}

// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool total_apart(const __global void *at, size_t size,
                 const __global void *first,
                 const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

// clrewrite: launch global=1 local=1 n=6 x=1K
kernel void total(global const int *x, global int *y, int n) {
  // by clrewrite: a register, where no other access reaches the element
  if (0 < n &&
      total_apart(&*y, sizeof(int), &x[0], &x[n - 1])) {
    int kept = *y;
    for (int k = 0; k < n; ++k)
      kept += x[k];
    *y = kept;
  } else
    for (int k = 0; k < n; ++k)
      *y += x[k];
}

// Local memory is no part of a buffer.
#define WIDTH (8 << 1)
// `at` leads to none of the elements of `size` bytes from `first` to `last`,
// of which either may come first.
bool tile_apart(const __global void *at, size_t size,
                const __global void *first,
                const __global void *last) {
  uintptr_t low = (uintptr_t)(first < last ? first : last);
  uintptr_t high = (uintptr_t)(first < last ? last : first);
  return (uintptr_t)at + size <= low || high + size <= (uintptr_t)at;
}

kernel void tile(global const float *in, global float *out, local float *sums, local float *weights) {
  int l = get_local_id(0);
  weights[l] = in[l];
  sums[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // by clrewrite: a register, where no other access reaches the element
  if (0 < WIDTH &&
      tile_apart(&out[get_global_id(0)], sizeof(float), &in[0],
                 &in[(long)(WIDTH - 1)])) {
    float kept = out[get_global_id(0)];
    for (long k = 0; k < WIDTH; ++k)
      kept -= in[k] * weights[l];
    out[get_global_id(0)] = kept;
  } else
    for (long k = 0; k < WIDTH; ++k)
      out[get_global_id(0)] -= in[k] * weights[l];
}
//--- declines.cl
kernel void stands(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
#define EACH for (int k = 0; k < n; ++k)
  // CHECK: declined promote-element: the loop or a part of it comes from a macro, or a directive stands in it
  EACH out[i] += in[k];
  // CHECK: declined promote-element: the loop or a part of it comes from a macro, or a directive stands in it
  for (int k = 0; k < n; ++k) {
#ifdef TWICE
    out[i] += in[k];
#endif
    out[i] += in[k];
  }
  // CHECK: declined promote-element: before the loop stands what may be about it
  #pragma unroll 4
  for (int k = 0; k < n; ++k)
    out[i] += in[k];
}

// An int that becomes a uint, or wraps as a uchar does, counts otherwise.
kernel void count(global const float *in, global float *out, int n, uint m, global const int *sizes) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (int k = 0; k < n; k += 2)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (int k = n; k > 0; --k)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (int k = 0; k < m; ++k)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (uint k = 0; k <= m; ++k)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (uchar k = 0; k < 200; ++k)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (int k = 0; k < sizes[0]; ++k)
    out[i] += in[k];
  // CHECK: declined promote-element: the loop does not count up by one, in its variable's type, between two values that stay the same
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    k += out[i] > 4;
  }
}

kernel void ends(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: a turn of the loop, or the loop, may end early, or a label stands in it
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    if (in[k] > 4)
      break;
  }
  // CHECK: declined promote-element: a turn of the loop, or the loop, may end early, or a label stands in it
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    if (in[k] > 4)
      continue;
  }
  // CHECK: declined promote-element: a turn of the loop, or the loop, may end early, or a label stands in it
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    if (in[k] > 4)
      return;
  }
}

kernel void waits(global const float *in, global float *out, global volatile int *flag, global int *sums, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  // CHECK: declined promote-element: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k)
    out[i] += in[k] + *flag;
  // CHECK: declined promote-element: the loop waits for other work-items, accesses volatile memory, has other effects, or calls what can't be looked into
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    atomic_inc(&sums[k]);
  }
}

kernel void leads(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the address of the element is taken in the loop
  for (int k = 0; k < n; ++k) {
    global float *to = &(out[i]);
    out[i] += in[k];
    *to *= 0.5f;
  }
}

float at(global const float *in, int k) {
  return in[k];
}
kernel void scattered(global const float *in, global const int *map, global float *out, uint m, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (int k = 0; k < n; ++k)
    out[i] += in[map[k]];
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (int k = 0; k < n; ++k)
    out[i] += in[k & 7];
  // A sum in uint wraps.
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (uint k = 0; k < m; ++k)
    out[i] += in[k + m];
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (int k = 0; k < n; ++k)
    out[i] += at(in, k);
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (int k = 0; k < n; ++k) {
    int from = k;
    from += n;
    out[i] += in[from];
  }
  // CHECK: declined promote-element: the loop accesses what may be the element's memory, at an address that is no sum of what stays the same and of a multiple of the loop's variable
  for (int k = 0; k < n; ++k)
    out[i] += in[k * k];
}

kernel void sometimes(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the loop accesses what may be the element's memory in some of its turns alone
  for (int k = 0; k < n; ++k)
    out[i] += k > 4 ? in[k] : 1;
  // CHECK: declined promote-element: the loop accesses what may be the element's memory in some of its turns alone
  for (int k = 0; k < n; ++k) {
    out[i] += k;
    if (k > 4)
      out[k] = 1;
  }
}

// An index in a macro would be taken to pieces; SYNC may be a barrier, AT another index
// and real a double in another build.
#define IDX(r, c) ((r) * n + (c))
#ifdef OTHER
#define SYNC barrier(CLK_GLOBAL_MEM_FENCE)
typedef double real;
#else
#define SYNC
typedef float real;
#endif
#define SUM out[i]
#ifdef OTHER
float LENGTH(float x) { barrier(CLK_GLOBAL_MEM_FENCE); return x; }
#else
#define LENGTH(x) fabs(x)
#endif
#ifdef OTHER
#define BACK 0x4 + 4 // two rows
#else
#define BACK 0x8
#endif
#define ROWS(r, w) (r * w + 2)
#ifndef LEVEL
#define LEVEL 0
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define DO_0(what)
#define DO_1(what) what
#ifdef OTHER
#define cbrt(x) (out[0] = 3, x)
#endif
#define CUBE(x) cbrt(x)
kernel void macros(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: an address or a bound can't be written in front of the loop
  for (int k = 0; k < n; ++k)
    out[i] += in[IDX(k, i)];
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    out[i] += LENGTH(in[k]);
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    out[i] += in[k - BACK];
  // A macro puts a number beside an operator, or pastes it to a name.
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    out[i] += in[ROWS(k, BACK)];
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    JOIN(DO_, LEVEL)(out[k] = 2;)
  }
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    SYNC;
  }
  // CHECK: declined promote-element: an address or a bound can't be written in front of the loop
  for (int k = 0; k < n; ++k)
    SUM += in[k];
}
kernel void cubes(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    out[i] += CUBE(in[k]);
}
kernel void types(global const real *in, global real *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: a macro in the loop is neither a number nor defined once in this file, outside of #if, or a type may be another one with other build options
  for (int k = 0; k < n; ++k)
    out[i] += in[k];
}

// What stands before the loop means the outer M; indenting would change a string.
enum { M = 0 };
kernel void inner(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the loop declares something that is no variable
  for (int k = 0; k < n; ++k) {
    enum { M = 4 };
    out[i + M] += in[k + M];
  }
  // CHECK: declined promote-element: a line of the loop goes on behind a backslash
  for (int k = 0; k < n; ++k)
    out[i] += in[k] + "ab\
cd"[k & 3];
}

// No name of the type means it where the variable is declared.
typedef enum { A, B } Kind;
kernel void unnamed(global const Kind *in, global Kind *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: an address or a bound can't be written in front of the loop: a part of it is no text of its own, a name means something else there, or it is too long
  for (int k = 0; k < n; ++k)
    out[i] |= in[k];
}

// CHECK: :[[@LINE+6]]: declined promote-element: a directive other than #if stands in the function's head, or its braces do not pair
kernel
#define N 4
void headed(global const float *in,
            global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i] += in[k];
}

// CHECK: :[[@LINE+5]]: declined promote-element: a directive other than #if stands in the function's head, or its braces do not pair
struct Pair { int a; } defines_its_type(global const float *in,
                                        global float *out, int n) {
  int i = get_global_id(0);
  struct Pair pair = {1};
  for (int k = 0; k < n; ++k)
    out[i] += in[k];
  return pair;
}

#define size_t uint
kernel void renamed(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  // CHECK: declined promote-element: the program gives another meaning to size_t, uintptr_t, bool or the name of a parameter that is written
  for (int k = 0; k < n; ++k)
    out[i] += in[k];
}
#undef size_t
