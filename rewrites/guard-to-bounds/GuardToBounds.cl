// guard-to-bounds: which bounds a guard becomes, and what is declined.
//
// PAIR: before.cl after.cl
// DECLINES: own-names.cl

//--- before.cl
#define RADIUS 3
#define INSIDE(c, n) ((c) >= 0 && (c) < (n))

kernel void window(global const float *in, constant float *f,
                   global float *out, int w, int r) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = -r; k <= r; ++k) {
    int c = x + k;
    if (c >= 0 && c < w)
      s += in[c] * f[k + r];
  }
  out[x] = s;
}

kernel void with_continue(global const float *in, global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) {
    const int c = x - k;
    if (c < 0 || c > w - 1)
      continue;
    if (in[c] > 3.0f || c > 4 * w) continue; // too bright
    s += in[c];
  }
  out[x] = s;
}

// The loop variable is narrow, and the guard of the inner loop bounds both.
kernel void plane(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (char j = -2; j <= 2; j += 1)
    for (char i = -2; 3 > i; i++) {
      int yy = y + j, xx = x + i;
      if (INSIDE(yy, h) && xx >= 0 && xx < w && in[xx] > 0) {
        s += in[yy * w + xx];
      }
    }
  out[y * get_global_size(0) + x] = s;
}

// A guard between the loops; both orders of comparing; & and ! of comparisons.
kernel void between(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int j = 0; j < 5; ++j) {
    int yy = j + y - 2;
    if ((0 <= yy) & (h > yy))
      for (int i = 0; i < 5; ++i) {
        int xx = x - (i - 2);
        if (!(xx < 0) && !(xx >= w || in[xx] < 0)) {
          float v = in[yy * w + xx];
          s += v;
        }
      }
  }
  out[y * get_global_size(0) + x] = s;
}

// More than one value on the other side; a break and a return stay right.
kernel void sums(global const int *in, global int *out, short low, int a) {
  int x = get_global_id(0), b = in[x] & 7;
  int s = 0;
  for (int k = low; k < 20; ++k)
    if (k > x - b + 2 && k >= low + 3 && k < low) {
      s += k;
      if (s > 30)
        break;
    }
  for (int k = 0; k < 20; ++k)
    if (3 * a - k <= 2 * b && k != 5)
      s ^= k;
  for (int k = 0; k < 20; ++k) {
    if (k <= 3)
      continue;
    s += k;
  }
  out[x] = s;
}

// Comments behind a guard that goes.
kernel void commented(global const float *in, global float *out, int n, int w) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    if (k < w) // only inside
      s += in[k];
  }
  for (int k = 0; k < n; ++k) {
    if (k >= w) /* beyond the end */ continue; // done
    s += in[k];
  }
  out[get_global_id(0)] = s;
}
kernel void code_behind(global const float *in, global float *out, int n, int w) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    if (k >= w) // beyond
      continue; s += in[k];
  }
  out[get_global_id(0)] = s;
}
//--- after.cl
#define RADIUS 3
#define INSIDE(c, n) ((c) >= 0 && (c) < (n))

kernel void window(global const float *in, constant float *f,
                   global float *out, int w, int r) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = max(-r, sub_sat(0, x)); k < min(r + 1, sub_sat(w, x)); ++k) {
    int c = x + k;
    s += in[c] * f[k + r];
  }
  out[x] = s;
}

kernel void with_continue(global const float *in, global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = max(max(-RADIUS, convert_int_sat((long)x - (long)w + 1)), convert_int_sat((long)x - 4 * (long)w));
       k < min(RADIUS + 1, add_sat(x, 1)); k++) {
    const int c = x - k;
    if (in[c] > 3.0f) continue; // too bright
    s += in[c];
  }
  out[x] = s;
}

// The loop variable is narrow, and the guard of the inner loop bounds both.
kernel void plane(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (char j = clamp(sub_sat(0, y), -2, 3); j < min(3, sub_sat(h, y)); j += 1)
    for (char i = clamp(sub_sat(0, x), -2, 3); i < min(3, sub_sat(w, x)); i++) {
      int yy = y + j, xx = x + i;
      if (in[xx] > 0) {
        s += in[yy * w + xx];
      }
    }
  out[y * get_global_size(0) + x] = s;
}

// A guard between the loops; both orders of comparing; & and ! of comparisons.
kernel void between(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int j = max(0, sub_sat(2, y));
       j < min(5, convert_int_sat((long)h - (long)y + 2)); ++j) {
    int yy = j + y - 2;
    for (int i = max(0, convert_int_sat((long)x - (long)w + 3));
         i < min(5, add_sat(x, 3)); ++i) {
        int xx = x - (i - 2);
        if (!(in[xx] < 0)) {
          float v = in[yy * w + xx];
          s += v;
        }
      }
  }
  out[y * get_global_size(0) + x] = s;
}

// More than one value on the other side; a break and a return stay right.
kernel void sums(global const int *in, global int *out, short low, int a) {
  int x = get_global_id(0), b = in[x] & 7;
  int s = 0;
  for (int k = max(max((int)low, convert_int_sat((long)x - (long)b + 3)), add_sat((int)low, 3));
       k < min(20, (int)low); ++k) {
      s += k;
      if (s > 30)
        break;
    }
  for (int k = max(0, convert_int_sat(3 * (long)a - 2 * (long)b)); k < 20; ++k)
    if (k != 5)
      s ^= k;
  for (int k = 4; k < 20; ++k) {
    s += k;
  }
  out[x] = s;
}

// Comments behind a guard that goes.
kernel void commented(global const float *in, global float *out, int n, int w) {
  float s = 0;
  for (int k = 0; k < min(n, w); ++k) {
    // only inside
    s += in[k];
  }
  for (int k = 0; k < min(n, w); ++k) {
    /* beyond the end */ // done
    s += in[k];
  }
  out[get_global_id(0)] = s;
}
kernel void code_behind(global const float *in, global float *out, int n, int w) {
  float s = 0;
  for (int k = 0; k < min(n, w); ++k) {
    // beyond
     s += in[k];
  }
  out[get_global_id(0)] = s;
}
//--- declines.cl
#define FIRST(n) for (int k = 0; k < n; ++k)
#define GUARD(c, w) if ((c) < (w))

kernel void heads(global const float *in, global float *out, int w, global int *n) {
  int x = get_global_id(0), m = w & 15;
  float s = 0;
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (int k = 0; k < 9; k += 2)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (int k = 9; k >= 0; --k)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (uint k = 0; k < 9; ++k)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (char k = 0; k < m; ++k)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (int k = 0; k < 9; ++k)
    if (x + k < w) {
      s += in[x + k];
      k += s > 3;
    }
  // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
  for (int k = 0; k != 9; ++k)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop's end may change while it runs, or an end of it has side effects or reads memory
  for (int k = 0; k < m; ++k)
    if (x + k < w) {
      s += in[x + k];
      m -= s > 100;
    }
  // CHECK: declined guard-to-bounds: the loop's end may change while it runs, or an end of it has side effects or reads memory
  for (int k = 0; k < *n; ++k)
    if (x + k < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: the loop can be left early, so that its last value may be the largest int
  for (int k = 0; k <= m; ++k)
    if (x + k < w) {
      s += in[x + k];
      if (s > 9)
        break;
    }
  out[x] = s;
}

kernel void guards(global const float *in, global float *out, int w, uint u) {
  int x = get_global_id(0), moving = 0;
  size_t g = get_global_id(0);
  float s = 0;
  // An unsigned comparison: x + k below 0 is a large number.
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k)
    if ((uint)(x + k) < w)
      s += in[x + k];
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k) {
    int c = u + k;
    if (c < w)
      s += in[c];
  }
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k)
    if (g + k < w)
      s += in[k];
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k)
    if (x + 2 * k < w)
      s += in[k];
  // The sum may overflow where the loop makes no iteration.
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < w; ++k)
    if (x * w + k < w)
      s += in[k];
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k)
    if (moving + k < w) {
      s += in[k];
      ++moving;
    }
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k) {
    char c = x + k;
    if (c < w)
      s += in[k];
  }
  // CHECK: declined guard-to-bounds: no condition of the guard compares, in int, the loop's variable and a sum that stays the same while it runs
  for (int k = 0; k < 9; ++k)
    // CHECK: declined guard-to-bounds: the loop does not count up by one, from one value of a signed int of its own to another
    for (int i = 0; i < 9; i += 2)
      if (k + i < w)
        s += in[k];
  out[x] = s;
}

int unknown(int);

kernel void bodies(global const float *in, global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  // CHECK: declined guard-to-bounds: work-items may wait for each other in the loop: 'barrier(CLK_LOCAL_MEM_FENCE)'
  for (int k = 0; k < 9; ++k)
    if (k < w) {
      s += in[k];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  // CHECK: declined guard-to-bounds: work-items may wait for each other in the loop
  for (int k = 0; k < 9; ++k)
    if (k < w)
      s += unknown(k);
  // CHECK: declined guard-to-bounds: a jump leads into the loop: 'case'
  switch (w) {
  case 0:
    for (int k = 0; k < 9; ++k)
      if (k < w) {
      case 1:
        s += in[k];
      }
  }
  // CHECK: declined guard-to-bounds: the loop's head or its guard comes from a macro, or a preprocessor directive stands there
  FIRST(9)
    if (k < w)
      s += in[k];
  // CHECK: declined guard-to-bounds: the loop's head or its guard comes from a macro, or a preprocessor directive stands there
  for (int k = 0; k < 9; ++k)
    GUARD(k + x, w)
      s += in[k];
  // No sites: something else happens in each iteration, or on the other path,
  // or memory decides.
  for (int k = 0; k < 9; ++k) {
    s += 1;
    if (k + x < w)
      s += in[k];
  }
  for (int k = 0; k < 9; ++k) {
    if (k + x < w)
      s += in[k];
    s += 1;
  }
  for (int k = 0; k < 9; ++k)
    if (k + x < w)
      s += in[k];
    else
      s -= 1;
  for (int k = 0; k < 9; ++k)
    if (in[k] < w)
      s += in[k];
  for (int k = 0; k < 9; ++k)
    for (int i = k; s < 9; s += 1)
      if (k < w)
        s += in[k];
  out[x] = s;
}
// A macro makes the kernel: its numbers may be others with other options.
#define CUT_SUM(name)                                                          \
  kernel void name(global const float *in, global float *out, int w) {         \
    int x = get_global_id(0);                                                  \
    float s = 0;                                                               \
    for (int k = 0; k < 3; ++k)                                                \
      if (x + k < w)                                                           \
        s += in[x + k];                                                        \
    out[x] = s;                                                                \
  }
// CHECK: declined guard-to-bounds: the loop's head or its guard comes from a macro, or a preprocessor directive stands there
CUT_SUM(cut)
//--- own-names.cl
// CHECK: declined guard-to-bounds: min, max, clamp or a saturating function is not the built-in one here
#define min(a, b) ((a) < (b) ? (b) : (a))
kernel void own(global const float *in, global float *out, int w) {
  int x = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 3; ++k)
    if (x + k < w)
      s += in[x + k];
  out[x] = s;
}
//--- clamp.cl
// A wrong bound of a clamp.
kernel void k(global const int *in, global uchar *out) {
  int i = get_global_id(0);
  out[i] = clamp(in[i], 0, 255);
}
//--- clamp-wrong.cl
kernel void k(global const int *in, global uchar *out) {
  int i = get_global_id(0);
  out[i] = clamp(in[i], 0, 254);
}
