"""Kernels that differ from their originals for rare inputs alone, and what verify
says of each. Prints a line for each pair that it takes for the same.

usage: pairs.py CLREWRITE [verify's options]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Each pair is a kernel's first lines, which both have, and what stands behind them
# in the one and in the other.
INT = """kernel void {name}(global const int *a, global const int *b, global int *o,
                   int n) {{
  int i = get_global_id(0);
  if (i >= n)
    return;
  int x = a[i], y = b[i];
  {body}
}}
"""
COUNT = """kernel void {name}(global const uint *a, global uint *o, int n) {{
  int i = get_global_id(0);
  uint x = i;
  {body}
  o[i] = x;
}}
"""
ROWS = """kernel void {name}(global const uint *a, global uint *o, int w, int h) {{
  int x = get_global_id(0);
  uint s = 0;
  if (x >= w)
    return;
  {body}
}}
"""
TILES = """kernel void {name}(global const int *a, global int *o, int n) {{
  int x = get_global_id(0), y = get_global_id(1);
  {body}
  o[tile] = a[y * n + x] + 1;
}}
"""
LONG = """kernel void {name}(global const ulong *a, global ulong *o) {{
  int i = get_global_id(0);
  ulong x = a[i];
  {body}
}}
"""
FLOAT = """kernel void {name}(global const float *a, global const float *b,
                   global float *o, int w, int h) {{
  int i = get_global_id(0), j = get_global_id(1);
  if (i >= w || j >= h)
    return;
  float x = a[j * w + i], y = b[j * w + i];
  {body}
}}
"""
BYTES = """kernel void {name}(global const uchar *a, global uchar *o, int pitch) {{
  int i = get_global_id(0), j = get_global_id(1);
  int p = j * pitch + i;
  {body}
}}
"""
PART = """kernel void {name}(global int *a, global int *o, int n) {{
  int i = get_global_id(0);
  {body}
}}
"""
PAIRS = [
    # One value.
    (INT, "o[i] = (x & 1023) == 77 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = x == (int)0xdeadbeef ? y : x;", "o[i] = x;"),
    (INT, "o[i] = x % 1000 == 999 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = x == 12345 ? 0 : x;", "o[i] = x;"),
    (INT, "o[i] = x > 4096 && x < 4098 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (x & 0xff) == 0x1b ? x ^ y : x;", "o[i] = x;"),
    (INT, "o[i] = x == 5 && y == 7 ? 1 : x;", "o[i] = x;"),
    (INT, "o[i] = (char)x == 'q' ? 1 : x;", "o[i] = x;"),
    (INT, "o[i] = x < 100 ? x : y;", "o[i] = x <= 100 ? x : y;"),
    (INT, "o[i] = x >= 255 ? 255 : x;", "o[i] = x > 255 ? 256 : x;"),
    (INT, "switch (x) { case 31: o[i] = 3; break; case 47: o[i] = y; break;"
     " default: o[i] = x; }",
     "switch (x) { case 31: o[i] = 3; break; default: o[i] = x; }"),
    (INT, "o[i] = x == INT_MIN ? 0 : abs(x);", "o[i] = (int)abs(x);"),
    (INT, "o[i] = (int)add_sat(x, y);", "o[i] = (int)((uint)x + (uint)y);"),
    (INT, "o[i] = (int)mul_hi(x, y);", "o[i] = (int)mul_hi((short)x, (short)y);"),
    (INT, "o[i] = (int)(((long)x * y) >> 8);", "o[i] = (int)((uint)x * (uint)y) >> 8;"),
    (INT, "o[i] = x >> 1;", "o[i] = x / 2;"),
    (INT, "o[i] = (int)((uint)x / 3u);", "o[i] = (int)(((ulong)(uint)x * 0x55555555ul) >> 32);"),
    (INT, "o[i] = x < 0 ? -1 : x > 0 ? 1 : 0;", "o[i] = x < 0 ? -1 : 1;"),
    (INT, "o[i] = (int)rotate((uint)x, 31u);", "o[i] = (int)((uint)x >> 1);"),
    (INT, "o[i] = popcount(x);", "o[i] = popcount(x & 0x7fffffff);"),
    (INT, "o[i] = x > 16 * 1024 - 1 ? y : x;", "o[i] = x > 16 * 1024 ? y : x;"),
    (INT, "o[i] = (x >> 8) == 77 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (x & 0xff00) == 0x4d00 && (y & 1) ? y : x;", "o[i] = x;"),
    (INT, "o[i] = x == n ? y : x;", "o[i] = x;"),
    (INT, "o[i] = x == 3 * i ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (int)((uint)x > (uint)y);", "o[i] = (int)(x > y);"),
    # One kind of number.
    (FLOAT, "o[j * w + i] = x < 0.0f ? 0.0f : x;", "o[j * w + i] = fmax(x, 0.0f);"),
    (FLOAT, "o[j * w + i] = x + 0.0f;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = x - x;", "o[j * w + i] = 0.0f;"),
    (FLOAT, "o[j * w + i] = x * 0.0f;", "o[j * w + i] = 0.0f;"),
    (FLOAT, "o[j * w + i] = x == x ? x : y;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = !(x < y) ? x : y;", "o[j * w + i] = x >= y ? x : y;"),
    (FLOAT, "o[j * w + i] = x > 0.5f ? 1.0f : 0.0f;", "o[j * w + i] = x >= 0.5f ? 1.0f : 0.0f;"),
    (FLOAT, "o[j * w + i] = x == 16777216.0f ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = x == 3e38f ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = fabs(x) < 1e-6f ? 0.0f : x;", "o[j * w + i] = x == 0.0f ? 0.0f : x;"),
    (FLOAT, "o[j * w + i] = isinf(x) ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = (x + y) - y;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = convert_uchar_sat(x * 255.0f);",
     "o[j * w + i] = (uchar)clamp(x * 255.0f + 0.001f, 0.0f, 255.0f);"),
    (FLOAT, "o[j * w + i] = x / y;", "o[j * w + i] = x * (1.0f / y);"),
    (FLOAT, "o[j * w + i] = mix(x, y, 0.25f);", "o[j * w + i] = x * 0.75f + y * 0.25f;"),
    # One row, one column, one lane, one size.
    (FLOAT, "o[j * w + i] = j == h - 1 ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = i == w - 1 ? x : a[j * w + i + 1];",
     "o[j * w + i] = i >= w - 2 ? x : a[j * w + i + 1];"),
    (FLOAT, "o[j * w + i] = i == 0 && j == 0 ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = w == h ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = (w & 3) ? x : y;", "o[j * w + i] = y;"),
    (FLOAT, "o[j * w + i] = i > 100 ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "float s = 0; for (int k = 0; k < w; ++k) s += a[j * w + k];"
     " o[j * w + i] = s;",
     "float s = 0; for (int k = 0; k < w - w % 4; ++k) s += a[j * w + k];"
     " o[j * w + i] = s;"),
    (INT, "int s = 0; for (int k = 0; k < n; ++k) s += a[k] * b[k]; o[i] = s;",
     "int s = 0; for (int k = 0; k < n; ++k) s -= a[k] * b[k]; o[i] = s;"),
    (INT, "int s = 0; for (int k = 0; k < n; k += 8) s ^= a[k]; o[i] = s;",
     "int s = 0; for (int k = 0; k < n - 8; k += 8) s ^= a[k]; o[i] = s;"),
    (INT, "o[i] = n == 1 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = i > 1000 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = i == 33 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (short)i == i ? x : y;", "o[i] = x;"),
    (INT, "o[i] = get_local_id(0) == 15 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = get_group_id(0) == 2 ? y : x;", "o[i] = x;"),
    (INT, "int4 v = (int4)(x, y, n, i); o[i] = v.s3;", "int4 v = (int4)(x, y, n, i & 63); o[i] = v.s3;"),
    (BYTES, "o[p] = min(a[p] + 3, 255);", "o[p] = a[p] + 3;"),
    (BYTES, "o[p] = (a[p] * 257 + 128) >> 8;", "o[p] = (a[p] * 256 + 128) >> 8;"),
    (BYTES, "o[p] = a[p] == 255 ? 0 : a[p];", "o[p] = a[p];"),
    (BYTES, "uchar4 v = vload4(p, a); vstore4(v + (uchar4)(1), p, o);",
     "uchar4 v = vload4(p, a); vstore4((uchar4)(v.xyz + (uchar3)(1), v.w | 1), p, o);"),
    # One overlap: what is stored is read again.
    ("""kernel void {name}(global int *a, global int *o) {{
  int i = get_global_id(0);
  {body}
}}
""", "o[2 * i] = 7; o[2 * i + 1] = a[2 * i];",
     "int x = a[2 * i]; o[2 * i] = 7; o[2 * i + 1] = x;"),
    ("""kernel void {name}(global int *a, global int *o) {{
  int i = get_global_id(0);
  {body}
}}
""", "o[2 * i] = a[2 * i + 1]; o[2 * i + 1] = a[2 * i];",
     "int x = a[2 * i + 1], y = a[2 * i]; o[2 * i] = x; o[2 * i + 1] = y;"),
    # One overlap in part: each of two begins an element, some elements, a row or a part of
    # an element behind the other, or with its last element.
    (PART, "for (int k = 0; k < 8; ++k) o[k] = a[k] + 1;",
     "for (int k = 0; k < 8; k += 2) { int x = a[k], y = a[k + 1]; o[k] = x + 1; o[k + 1] = y + 1; }"),
    (PART, "for (int k = 7; k >= 0; --k) o[k] = a[k] + 1;",
     "for (int k = 7; k >= 0; k -= 2) { int x = a[k], y = a[k - 1]; o[k] = x + 1; o[k - 1] = y + 1; }"),
    (PART, "for (int k = 0; k < 16; ++k) o[k] = a[k] * 3;",
     "if (o == a) for (int k = 0; k < 16; ++k) o[k] = a[k] * 3;"
     " else for (int k = 0; k < 16; k += 4) vstore4(vload4(0, a + k) * 3, 0, o + k);"),
    (PART, "for (int k = 0; k < 16; ++k) o[k] = a[k] * 3;",
     "if (o == a + 1) for (int k = 0; k < 16; ++k) o[k] = a[k] * 3;"
     " else for (int k = 0; k < 16; k += 4) vstore4(vload4(0, a + k) * 3, 0, o + k);"),
    (PART, "global int *p = o + i; for (int k = 0; k < 9; ++k) *p += a[k];",
     "global int *p = o + i; if (p + 1 <= a || a + 8 <= p)"
     " { int s = *p; for (int k = 0; k < 9; ++k) s += a[k]; *p = s; }"
     " else for (int k = 0; k < 9; ++k) *p += a[k];"),
    (PART, "for (int r = 0; r < 3; ++r) o[r * n + i] = a[r * n + i] * 3;",
     "int x = a[i]; for (int r = 0; r < 3; ++r) { int y = a[min(r + 1, 2) * n + i];"
     " o[r * n + i] = x * 3; x = y; }"),
    ("""kernel void {name}(global uchar *b, global int *o) {{
  global int *p = o + get_global_id(0);
  global uchar *q = (global uchar *)p;
  {body}
}}
""", "for (int k = 0; k < 5; ++k) *p = *p * 0x10203 ^ b[k];",
     "if (q + 1 <= b || b + 5 <= q)"
     " { int s = *p; for (int k = 0; k < 5; ++k) s = s * 0x10203 ^ b[k]; *p = s; }"
     " else for (int k = 0; k < 5; ++k) *p = *p * 0x10203 ^ b[k];"),
    # A barrier, and what stands before it.
    ("""kernel void {name}(global const int *a, global int *o) {{
  local int t[256];
  int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  {body}
}}
""", "o[i] = t[(l + 1) % s];", "o[i] = t[min(l + 1, s - 1)];"),
    # What only solving a condition finds: one value of 2^32, one lane, one border.
    (INT, "o[i] = (uint)x * 2654435761u == 19088743u ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (x ^ y) == 0x13579bdf && (x & 0xffff) == 0x2468 ? 0 : x;", "o[i] = x;"),
    (INT, "o[i] = (long)x * 3 + y == 4123456789l ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (uint)x / 1000u == 4001234u ? y : x;", "o[i] = x;"),
    (INT, "o[i] = (((uint)x + 1234567u) ^ 0x5bd1e995u) == (uint)y * 77773u ? 0 : x;", "o[i] = x;"),
    (INT, "o[i] = n * 7 == 8641969 ? y : x;", "o[i] = x;"),
    (INT, "o[i] = get_local_id(0) == 13 && get_group_id(0) == 199 ? y : x;", "o[i] = x;"),
    (FLOAT, "o[j * w + i] = x * 3.0f == 100.5f ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = x + y == 12345.75f && x < y ? y : x;", "o[j * w + i] = x;"),
    (FLOAT, "o[j * w + i] = j == h - 1 && i == w - 2 && w * h == 47 * 13 ? y : x;", "o[j * w + i] = x;"),
    (INT, "o[i] = i > 0 && (uint)a[i - 1] - (uint)x == 987654321u ? y : x;", "o[i] = x;"),
    # A count below zero.
    (COUNT, "for (uint k = 0; k < n; ++k) { if (k > 60) break; x = x * 3 + a[k & 31]; }",
     "if (0 < n) for (uint k = 0; k < n; ++k) { if (k > 60) break; x = x * 3 + a[k & 31]; }"),
    (COUNT, "for (int k = 0; k < n; ++k) x += a[k];", "for (uint k = 0; k < n; ++k) x += a[k];"),
    (COUNT, "for (int k = n; k < 0; ++k) x = x * 3 + k;", ";"),
    (COUNT, "if (n < i) x = 3;", "if ((uint)n < i) x = 3;"),
    # What 16 bits can't count: the rows of an image, the work-items of a launch.
    (ROWS, "for (int y = 0; y < h; ++y) s = s * 31 + a[y * w + x]; o[x] = s;",
     "for (short y = 0; y < h; ++y) s = s * 31 + a[y * w + x]; o[x] = s;"),
    (ROWS, "for (int y = h - 1; y >= 0; --y) s = s * 31 + a[y * w + x]; o[x] = s;",
     "for (short y = h - 1; y >= 0; --y) s = s * 31 + a[y * w + x]; o[x] = s;"),
    (TILES, "int tile = y * get_global_size(0) + x;", "short tile = y * get_global_size(0) + x;"),
    (TILES, "int tile = y * get_global_size(0) + x;", "ushort tile = y * get_global_size(0) + x;"),
    # Numbers of 64 bits.
    (LONG, "o[i] = (x ^ 0xfedcba9876543210ul) * 0x9e3779b97f4a7c15ul == 0x123456789abcdeful ? 1 : 2;",
     "o[i] = 2;"),
]


def main():
    before, after = [], []
    for number, (family, old, new) in enumerate(PAIRS):
        before.append(family.format(name=f"k{number}", body=old))
        after.append(family.format(name=f"k{number}", body=new))
    with tempfile.TemporaryDirectory() as folder:
        for name, kernels in (("before.cl", before), ("after.cl", after)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write("\n".join(kernels))
        clrewrite = os.path.abspath(shutil.which(sys.argv[1]))
        done = subprocess.run([clrewrite, "verify", *sys.argv[2:], "before.cl",
                               "after.cl"], cwd=folder, capture_output=True,
                              text=True)
    told = dict(re.findall(r"^k(\d+): (\w+):", done.stdout, re.M))
    print(done.stderr, end="")
    missed = [(n, PAIRS[n]) for n in range(len(PAIRS))
              if told.get(str(n)) != "different"]
    for number, (_, old, new) in missed:
        print(f"{told.get(str(number))}: {old}  /  {new}")
    print(f"{len(PAIRS) - len(missed)} of {len(PAIRS)} pairs told apart")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
