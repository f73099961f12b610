// pad-buffer: which guards a padded buffer makes needless, and what is declined.
//
// PAIR: before.cl after.cl --unsafe-fixes
// VERIFY: after.cl no: the host's part changes; verify.test does it
// RACES: after.cl no: the host's part changes, and guessed sizes lead beyond its factors
//
// It is never applied without a grant, and says what the host must do.
// RUN: split-file %s %t
// RUN: clrewrite --only=pad-buffer --no-measure --check %t/before.cl | count 0
// RUN: clrewrite --only=pad-buffer --no-measure --unsafe-fixes --verify=off --verbose --exit-zero %t/before.cl | FileCheck %s --check-prefix=NOTE
// NOTE: note: the host must pass kernel convolve as argument 0 (in) a buffer that no other argument shares: half_count zeros (no fewer than 0), the n elements, and zeros up to the largest get_global_id(0) + count elements, which an int can count; fill it with pad_int, a work-item an element, before the launch; taps[j] must exist in every iteration
// NOTE: note: the host must pass kernel blur as argument 0 (in) {{.*}}: r zeros (no fewer than 0), the w elements, and zeros up to the largest get_global_id(1) + 2 * r + 1 elements, {{.*}}; factors must be finite, and a sum of -0 may become 0
// NOTE: note: the host must pass kernel window as argument 2 (in) {{.*}}: 2 zeros (no fewer than 0), the 100 elements, and zeros up to the largest get_global_id(0) + 5 elements, {{.*}} before the launch{{$}}

//--- before.cl
kernel void convolve(global const int *in, global const int *taps,
                     global int *out, int n, int count) {
  int i = get_global_id(0);
  int half_count = count / 2;
  int sum = 0;
  for (int j = 0; j < count; ++j) {
    int k = i + j - half_count;
    if (k >= 0 && k < n)
      sum += in[k] * taps[j];
  }
  out[i] = sum;
}

constant float weights[31] = {1.0f};

kernel void blur(global const float *in, global float *out, int w, int r) {
  const int x = (int)get_global_id(1);
  float s = 0.0f;
  for (int k = -r; k <= r; k++) {
    const int c = x + k;
    if (0 <= c) { // on the left
      if (c < w) {
        s += weights[k + r] * in[c]; // one tap
      }
    }
  }
  out[x] = s;
}

kernel void window(global long *out, int scale, global const short *in) {
  int i = get_global_id(0);
  long sum = 5;
  for (int k = 1; k < 6; ++k)
    if (i + k - 3 > -1 && !(i + k - 3 >= 100)) sum += scale * in[i + k - 3];
  for (int k = 0; k < 3; ++k) {
    int at = i + k, twice = 2 * k;
    sum += twice;
  }
  out[i] = sum;
}

#define TAPS 9
#define RADIUS (TAPS / 2)
#define LENGTH 512
kernel void named(global const float *in, global float *out, float scale) {
  int i = get_global_id(0);
  double sum = 0;
  for (int j = -RADIUS; j < TAPS - RADIUS; ++j)
    if (i + j >= 0 && i + j < LENGTH)
      sum += in[i + j] * scale;
  out[i] = sum;
}
//--- after.cl
kernel void convolve(global const int *in, global const int *taps,
                     global int *out, int n, int count) {
  int i = get_global_id(0);
  int half_count = count / 2;
  int sum = 0;
  for (int j = 0; j < count; ++j) {
    sum += in[i + j] * taps[j];
  }
  out[i] = sum;
}

constant float weights[31] = {1.0f};

kernel void blur(global const float *in, global float *out, int w, int r) {
  const int x = (int)get_global_id(1);
  float s = 0.0f;
  for (int k = -r; k <= r; k++) {
    // on the left
    // one tap
    s += weights[k + r] * in[x + (k + r)];
  }
  out[x] = s;
}

kernel void window(global long *out, int scale, global const short *in) {
  int i = get_global_id(0);
  long sum = 5;
  for (int k = 1; k < 6; ++k)
    sum += scale * in[i + (k - 1)];
  for (int k = 0; k < 3; ++k) {
    int at = i + k, twice = 2 * k;
    sum += twice;
  }
  out[i] = sum;
}

#define TAPS 9
#define RADIUS (TAPS / 2)
#define LENGTH 512
kernel void named(global const float *in, global float *out, float scale) {
  int i = get_global_id(0);
  double sum = 0;
  for (int j = -RADIUS; j < TAPS - RADIUS; ++j)
    sum += in[i + (j + 4)] * scale;
  out[i] = sum;
}

kernel void pad_int(const global int *in, global int *out,
                    int count, int before) {
  int i = (int)get_global_id(0) - before;
  out[get_global_id(0)] = i >= 0 && i < count ? in[i] : 0;
}

kernel void pad_float(const global float *in, global float *out,
                      int count, int before) {
  int i = (int)get_global_id(0) - before;
  out[get_global_id(0)] = i >= 0 && i < count ? in[i] : 0;
}

kernel void pad_short(const global short *in, global short *out,
                      int count, int before) {
  int i = (int)get_global_id(0) - before;
  out[get_global_id(0)] = i >= 0 && i < count ? in[i] : 0;
}
//--- declines.cl
// CHECK: declined pad-buffer: the loop does not count up by one, from one value of a signed int of its own to another
kernel void every_other(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; j += 2)
    if (i + j - 4 >= 0 && i + j - 4 < n)
      sum += in[i + j - 4];
  out[i] = sum;
}

// CHECK: declined pad-buffer: the guard does not ask, in int, whether the element's index itself is at least 0 and below a length that all work-items share, and nothing else
kernel void also_even(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n && (k & 1) == 0)
      sum += in[k];
  }
  out[i] = sum;
}

// Element 0 is there, and does not count.
// CHECK: declined pad-buffer: the guard does not ask, in int, whether the element's index itself is at least 0 and below a length that all work-items share, and nothing else
kernel void from_one(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k > 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// In unsigned numbers, -1 is large.
// CHECK: declined pad-buffer: the guard does not ask, in int, whether the element's index itself is at least 0 and below a length that all work-items share, and nothing else
kernel void unsigned_length(global const int *in, global int *out, uint n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the guard does not ask, in int, whether the element's index itself is at least 0 and below a length that all work-items share, and nothing else
kernel void own_length(global const int *in, global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < i)
      sum += in[k];
  }
  out[i] = sum;
}

// Rows follow one another, so that there is no room between them.
// CHECK: declined pad-buffer: the guard does not ask, in int, whether the element's index itself is at least 0 and below a length that all work-items share, and nothing else
kernel void of_a_row(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int c = x + j - 4;
    if (c >= 0 && c < w)
      sum += in[y * w + c];
  }
  out[y * w + x] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void in_work_group(global const int *in, global int *out, int n) {
  int i = get_local_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[get_global_id(0)] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void moved_id(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  i *= 3;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[get_global_id(0)] = sum;
}

// What wraps is negative.
// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void wrapped_id(global const int *in, global int *out, int n) {
  short i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[get_global_id(0)] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void own_offset(global const int *in, global int *out, int n,
                       global const int *at) {
  int i = get_global_id(0), sum = 0, from = at[i];
  for (int j = 0; j < 8; ++j) {
    int k = i + j - from;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void outer_loop(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int o = 0; o < 4; ++o) {
    sum *= 3;
    for (int j = 0; j < 8; ++j) {
      int k = i + j - o;
      if (k >= 0 && k < n)
        sum += in[k];
    }
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void own_taps(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < i; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the index is not an int that holds a global id, plus the loop's variable, plus what all work-items share
kernel void hidden(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4, i = 7;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: no index is below 0, so that the guard stands for something else
kernel void ahead(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j + 2;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// 16777217 + 0.0f is 16777216.
// CHECK: declined pad-buffer: the sum is no private number, or adding 0 to it may change it
kernel void rounded(global const float *in, global int *out, int n) {
  int i = get_global_id(0), sum = 16777217;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the sum is no private number, or adding 0 to it may change it
kernel void in_memory(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      out[k] += in[k];
  }
}

// CHECK: declined pad-buffer: what the element is multiplied by is no number, steady variable or constant element that all work-items share
kernel void its_own(global const int *in, global const int *by, global int *out,
                    int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k] * by[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: what the element is multiplied by is no number, steady variable or constant element that all work-items share
kernel void divides(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k] * (64 / (k + 1));
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: what the element is multiplied by is no number, steady variable or constant element that all work-items share
kernel void shared_taps(global const int *in, global int *out, int n,
                        local int *taps) {
  int i = get_global_id(0), sum = 0;
  taps[get_local_id(0)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k] * taps[j];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the buffer is no argument of this kernel in global memory, is volatile, or is used elsewhere too
kernel void used_twice(global int *in, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  in[i + n] = sum;
}

// CHECK: declined pad-buffer: the buffer is no argument of this kernel in global memory, is volatile, or is used elsewhere too
kernel void changes(volatile global int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the buffer is no argument of this kernel in global memory, is volatile, or is used elsewhere too
int helper(global const int *in, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  return sum;
}

// CHECK: declined pad-buffer: the kernel is called by other code or declared more than once
kernel void inner(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = sum;
}
kernel void outer(global const int *in, global int *out, int n) {
  inner(in, out, n);
  out[0] += helper(in, n);
}

#define TAP(k)                                                                 \
  if (k >= 0 && k < 100)                                                       \
  sum += in[k]
// CHECK: declined pad-buffer: the guarded sum comes from a macro, or a preprocessor directive stands in it
kernel void by_macro(global const int *in, global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    TAP(k);
  }
  out[i] = sum;
}

// CHECK: declined pad-buffer: the guarded sum comes from a macro, or a preprocessor directive stands in it
kernel void in_parts(global const int *in, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
#ifdef TWICE
      sum += 2 * in[k];
#else
      sum += in[k];
#endif
  }
  out[i] = sum;
}

char pad_char(char c) { return c; }
// CHECK: declined pad-buffer: the name of the kernel that pads means something else here
kernel void taken(global const char *in, global char *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = i + j - 4;
    if (k >= 0 && k < n)
      sum += in[k];
  }
  out[i] = pad_char(sum);
}
//--- one.cl
// Off by one, at the last element only.
kernel void k(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] + 1;
}
//--- one-wrong.cl
kernel void k(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n - 1)
    out[i] = in[i] + 1;
}
