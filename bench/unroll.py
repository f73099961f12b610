"""Holds what clrewrite takes NVIDIA's compiler to do with loops and built-in functions
against what it does: the PTX that NVIDIA's OpenCL driver makes of some nine hundred small
kernels, against the PTX that clrewrite has ptxas assemble for sm_90.

usage: unroll.py write OUT_DIR
       unroll.py gather FOLDER OUT_DIR [--clang clang]
       unroll.py device OUT_DIR [--library libOpenCL.so.1]
       unroll.py mine BIN_DIR OUT_DIR
       unroll.py table OUT_DIR [--misses]

`write` makes the kernels: nests of two loops, loops with guards, exits and private arrays,
loop heads of all sorts, and straight code with one built-in function; `gather` takes all .cl
files below FOLDER instead, with their includes, each kind being a folder there. `device`
compiles them by the driver of the first GPU, which has to be NVIDIA's, and needs nothing but
this script, Python and an OpenCL loader; `mine` compiles them by clrewrite, and needs ptxas.
`table` counts, by kind of kernel, those whose bodies are copied as often, by their loads of
global memory, or whose instructions are as many within a third; --misses lists the others."""
import argparse
import collections
import ctypes
import ctypes.util
import glob
import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

GPU, SIZES, BINARIES = 4, 0x1165, 0x1166  # CL_DEVICE_TYPE_GPU, CL_PROGRAM_BINARY_...
AT = "(x + j) * w + i"


def chain(products, at, element="float"):
    return (f"      {element} v = in[{at}];\n"
            + "".join(f"      v = fma(v, v, ({element})({k + 1}.5f));\n"
                      for k in range(products)) + "      acc += v;\n")


def kernel(head, body, element="float", before=""):
    return (f"{before}kernel void k(global const {element} *in, global {element} *out, "
            f"int n, int w) {{\n  int x = get_global_id(0);\n"
            f"  {element} acc = 0;\n  {head} {{\n{body}  }}\n  out[x] = acc;\n}}\n")


def loop(turns, name="i"):
    return f"for (int {name} = 0; {name} < {turns}; {name}++)"


def nest(outer, inner, hints=("", "")):
    return f"{hints[0]}{loop(outer, 'j')}\n    {hints[1]}{loop(inner)}"


def nests():
    for n in (2, 3, 4, 5, 8, 16):
        for m in (2, 3, 4, 5, 8, 16):
            for k in (1, 4, 16, 40):
                yield "nest", kernel(nest(n, m), chain(k, AT))
    guard = "      if (x + i >= 0 && x + i < w && j + x < n) {\n%s      }\n"
    near = "      int xx = clamp(x + i, 0, w - 1), yy = clamp(x + j, 0, n - 1);\n"
    for n in (3, 5, 8):
        for m in (3, 5, 8):
            for k in (1, 4, 16):
                yield "guarded nest", kernel(nest(n, m), guard % chain(k, AT))
                yield "clamped nest", kernel(nest(n, m), near + chain(k, "yy * w + xx"))
    for m in (2, 4, 8, 16):
        for k in (1, 4, 16, 40):
            yield "constant in variable", kernel(nest("n", m), chain(k, AT))
            yield "variable in constant", kernel(nest(m, "n"), chain(k, AT))
    for n in (2, 4, 8):
        for m in (2, 4, 8):
            for k in (1, 4, 10):
                yield "nest of float4", kernel(nest(n, m), chain(k, AT, "float4"), "float4")
    for hint in (1, 2, 4):
        for n, m in ((4, 4), (5, 5), (8, 8)):
            word = f"__attribute__((opencl_unroll_hint({hint}))) "
            yield "hints", kernel(nest(n, m, (word, "")), chain(4, AT))
            yield "hints", kernel(nest(n, m, ("", word)), chain(4, AT))


def loops():
    for n in (3, 5, 8, 16, 32):
        for k in (1, 4, 16, 40):
            yield "guarded loop", kernel(loop(n), "      if (x + i >= 0 && x + i < w) {\n"
                                         + chain(k, "x + i") + "      }\n")
            yield "loop", kernel(loop(n), chain(k, "x + i"))
            yield "loop", kernel(f"for (int i = {n - 1}; i >= 0; i--)", chain(k, "x + i"))
    for k in (1, 2, 4, 8, 16, 40):
        yield "variable loop", kernel(loop("n"), chain(k, "x + i"))
        yield "variable loop", kernel("for (int i = x; i < n; i += 2)", chain(k, "x + i"))
        yield "loop that stores", kernel(loop("n"), chain(k, "x + i") + "      out[i] = acc;\n")
        yield "loop that ends early", kernel(
            loop("n"), chain(k, "x + i") + "      if (acc > 100.0f) break;\n")
    for n in (4, 8, 16, 32, 64):
        for k in (1, 4):
            copy = f"  {loop(n)} a[i] = in[x + i * w];\n"
            yield "private array", kernel(
                nest("n", n), "      float v = a[i];\n"
                + "".join(f"      v = fma(v, v, {p + 1}.5f);\n" for p in range(k))
                + "      a[i] = v;\n").replace(
                    "  float acc = 0;\n", f"  float acc = 0, a[{n}];\n" + copy).replace(
                    "  out[x] = acc;\n", f"  {loop(n)} out[x + i * w] = a[i];\n")
    for n in (3, 5, 9, 16):
        for m in (1, 3, 5):
            for f in ("exp", "sin", "sqrt", "native_exp", "log"):
                yield f"loop with {f}", kernel(
                    nest(m, n), f"      float v = {f}(in[{AT}]);\n"
                    "      acc += fma(v, v, 1.5f);\n")


def heads():
    """Loops that were looked at once the limits had been found from those above."""
    for head, count in (
            ("for (size_t i = get_global_id(0); i < n; i += get_global_size(0))", "uint"),
            ("for (size_t i = get_global_id(0); i < n; i += get_global_size(0))", "ulong"),
            ("for (int i = get_global_id(0); i < n; i += get_global_size(0))", "int"),
            ("for (uint i = get_global_id(0); i < n; i += get_global_size(0))", "uint"),
            ("for (int i = get_local_id(0); i < n; i += get_local_size(0))", "int"),
            ("for (int i = x; i < n; i += w)", "int"), ("for (uint i = 0; i < n; i++)", "uint"),
            ("for (uint i = 0; i <= n; i++)", "uint"), ("for (int i = 0; i <= n; i++)", "int"),
            ("for (size_t i = 0; i < n; i++)", "ulong"),
            ("for (int i = n - 1; i >= 0; i--)", "int"),
            ("for (int i = n; i > 0; --i)", "int"), ("for (int i = 0; i != n; i++)", "int"),
            ("for (int i = 0; i < n; i += 4)", "int"), ("for (int i = -w; i <= w; i++)", "int"),
            ("for (uint i = n / 2; i > 0; i >>= 1)", "uint"),
            ("for (int i = 1; i < n; i *= 2)", "int"),
            ("for (int i = 1; i < 256; i *= 2)", "int"),
            ("for (uint i = 0; i < 12; i++)", "int"), ("for (uchar i = 0; i < 12; i++)", "int"),
            ("for (int i = in[x]; i < (int)in[x + 1]; i++)", "int")):
        yield "head of a loop", kernel(head, chain(2, "i")).replace("int n", count + " n")
    for n in (7, 48, 97, 100):
        yield "head of a loop", kernel(loop(n), chain(2, "i * n"))
    yield "head of a loop", kernel("for (int i = 0; i < 48; i += 3)", chain(2, "i * n + w"))
    for body in ("      if (i == w) continue;\n" + chain(2, "i"),
                 chain(2, "i") + "      if (v > 100) break;\n",
                 chain(2, "i") + "      if (v > 100) { out[x] = v; return; }\n"):
        for turns in (16, "n"):
            yield "exits", kernel(loop(turns), body)
    table = "constant float t[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};\n"
    yield "tables", kernel(loop(9), "      acc += in[x + i * n] * t[i];\n", before=table)
    yield "tables", kernel(nest(3, 3), f"      acc += in[{AT}] * t[j * 3 + i];\n", before=table)
    call = "float f(float a, int k) { for (int j = 0; j < 3; j++) a = fma(a, a, k); return a; }\n"
    yield "calls", kernel(loop("n"), "      acc += f(in[i], i);\n", before=call)
    for turns in (4, "n"):
        yield "three loops", kernel(loop(turns, "c") + "\n   " + nest(3, 3),
                                    "      acc += in[(c * w + x + j) * w + i] * "
                                    "in[(c * 3 + j) * 3 + i];\n")


def barriers():
    """Loops in which the work-items of a work-group wait for each other."""
    wait = "      barrier(CLK_LOCAL_MEM_FENCE);\n"
    head = ("  int x = get_global_id(0);\n",
            "  local float t[256];\n  int x = get_global_id(0), l = get_local_id(0);\n")
    counts = (loop("n"), loop("w / 16"), loop(3), loop(4), loop(12), loop(32), loop(100),
              "for (int i = 0; i < n; i += 16)", "for (int i = n / 2; i > 0; i >>= 1)",
              "for (int i = 64; i > 0; i >>= 1)", "for (int i = 1; i < n; i *= 2)")
    bodies = [f"      t[l] = in[{AT.replace('j', 'i')}];\n{wait}" + chain(k, "0").replace(
        "in[0]", "t[l ^ 1]") + wait for k in (1, 4, 16, 40)]
    bodies.append(f"      if (l < i)\n        t[l] += t[l + i];\n{wait}      acc += t[0] * in[i];\n")
    bodies.append(f"      t[l] = in[i * w + x];\n{wait}"
                  f"      for (int k = 0; k < 16; k++)\n        acc += t[k] * in[x + k];\n{wait}")
    bodies.append(f"      t[l] = in[i * w + x];\n{wait}"
                  f"      for (int k = 0; k < w; k++)\n        acc += t[k] * in[x + k];\n{wait}")
    for turns in counts:
        for body in bodies:
            yield "loop with a barrier", kernel(turns, body).replace(*head)


def functions():
    one = ("exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan "
           "sqrt rsqrt cbrt erf floor ceil rint trunc round fabs native_exp native_log "
           "native_sin native_sqrt native_rsqrt native_recip half_exp half_sqrt sign").split()
    two = "pow powr fmod remainder fmin fmax atan2 hypot fdim native_divide step max min".split()
    for element in ("float", "float4"):
        calls = [f"{f}(a)" for f in one] + [f"{f}(a, b)" for f in two] + [
            "a / b", "1.0f / a", "a / 3.0f", "mad(a, b, a)", "a * b + a", "clamp(a, 0.0f, 1.0f)",
            "mix(a, b, a)", "smoothstep(a, b, b + 1.0f)"]
        for call in calls:
            yield "function", (
                f"kernel void k(global const {element} *in, global const {element} *by, "
                f"global {element} *out) {{\n  int x = get_global_id(0);\n"
                f"  {element} a = in[x], b = by[x];\n  out[x] = {call};\n}}\n")


def long_loops():
    """Loops of so many turns that few are copied, whose bodies grow by one instruction."""
    for what, text in (("nothing else", ""), ("sqrt", "      v = sqrt(v);\n"),
                       ("1 / v", "      v = 1.0f / v;\n"), ("a division", "      v = v / acc;\n"),
                       ("1 / sqrt", "      v = 1.0f / sqrt(v);\n"),
                       ("rsqrt", "      v = rsqrt(v);\n")):
        for k in range(1, 13):
            for more in ("", "      v += 2.5f;\n"):
                yield f"long loop with {what}", kernel(loop(2048), chain(k, "x + i").replace(
                    "      acc +=", text + more + "      acc +="))
    def grown(what, text, element="float4"):
        for k in range(1, 13):
            more = "".join(f"      v = fma(v, v, {p + 1}.5f);\n" for p in range(k))
            yield f"long loop with {what}", kernel(loop(2048), text.replace("MORE", more), element)

    yield from grown("three lanes", "      float4 r;\n      r.xyz = in[i].xyz - in[x].xyz;\n"
                     "      float v = r.x * r.x + r.y * r.y + r.z * r.z;\nMORE"
                     "      acc.xyz += v * r.xyz;\n")
    yield from grown("lanes", "      float4 q = in[i];\n      float v = q.x * q.y;\nMORE"
                     "      acc.x += v;\n      acc.y += q.z + q.w;\n")
    yield from grown("a swizzle", "      float4 v = in[i];\nMORE      acc += v.wzyx;\n")
    yield from grown("made vectors", "      float4 q = in[i];\n      float v = q.x;\nMORE"
                     "      acc += (float4)(v, q.y, v, q.w);\n")
    yield from grown("vload4", "      float4 q = vload4(i, in);\n      float v = q.x * q.y;\n"
                     "MORE      acc += v + q.w;\n", "float")
    yield from grown("an index divided", "      float v = in[(x + i) / w];\nMORE      acc += v;\n",
                     "float")
    yield from grown("an index divided by three",
                     "      float v = in[(x + i) / 3];\nMORE      acc += v;\n", "float")
    yield from grown("an unsigned rest",
                     "      float v = in[(uint)(x + i) % 5u];\nMORE      acc += v;\n", "float")
    yield from grown("a choice", "      float v = in[i];\nMORE      acc += v > 1.0f ? v : acc;\n",
                     "float")
    yield from grown("a conversion", "      float v = (float)(i + x);\nMORE"
                     "      acc += v * in[i];\n", "float")


def write(options):
    os.makedirs(options.out_dir, exist_ok=True)
    kinds = {}
    for source in (nests, loops, heads, barriers, long_loops, functions):
        for kind, text in source():
            name = f"{len(kinds):04}"
            kinds[name] = kind
            with open(os.path.join(options.out_dir, name + ".cl"), "w") as file:
                file.write(text)
    with open(os.path.join(options.out_dir, "kinds.json"), "w") as file:
        json.dump(kinds, file)


def gather(options):
    os.makedirs(options.out_dir, exist_ok=True)
    kinds = {}
    for path in sorted(glob.glob(os.path.join(options.folder, "**", "*.cl"), recursive=True)):
        done = subprocess.run(
            [options.clang, "-cc1", "-E", "-P", "-triple", "nvptx64", "-x", "cl",
             "-cl-std=CL1.2", "-I", os.path.dirname(path), path], capture_output=True, text=True)
        if done.returncode == 0 and "kernel" in done.stdout:
            name = f"{len(kinds):04}"
            kinds[name] = os.path.relpath(path, options.folder).split(os.sep)[0]
            with open(os.path.join(options.out_dir, name + ".cl"), "w") as file:
                file.write(done.stdout)
    with open(os.path.join(options.out_dir, "kinds.json"), "w") as file:
        json.dump(kinds, file)


def sources(options):
    return sorted(glob.glob(os.path.join(options.out_dir, "*.cl")))


def emptied(*parts):
    folder = os.path.join(*parts)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def device(options):
    library = options.library or ctypes.util.find_library("OpenCL")
    if not library:
        raise SystemExit("unroll.py: there is no OpenCL loader; --library names one")
    cl = ctypes.CDLL(library)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    cl.clCreateContext.restype = cl.clCreateProgramWithSource.restype = pointer
    count = ctypes.c_uint()
    cl.clGetPlatformIDs(0, None, ctypes.byref(count))
    platforms = (pointer * count.value)()
    cl.clGetPlatformIDs(count, platforms, None)
    gpu, error = pointer(), ctypes.c_int()
    if not any(cl.clGetDeviceIDs(pointer(p), ctypes.c_ulong(GPU), 1, ctypes.byref(gpu),
                                 None) == 0 for p in platforms):
        raise SystemExit("unroll.py: there is no GPU with an OpenCL driver")
    context = pointer(cl.clCreateContext(None, 1, ctypes.byref(gpu), None, None,
                                         ctypes.byref(error)))
    out = emptied(options.out_dir, "device")
    for path in sources(options):
        with open(path, "rb") as file:
            text = ctypes.c_char_p(file.read())
        program = pointer(cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None,
                                                       ctypes.byref(error)))
        if cl.clBuildProgram(program, 1, ctypes.byref(gpu), b"", None, None) == 0:
            length = size()
            cl.clGetProgramInfo(program, SIZES, size(ctypes.sizeof(length)),
                                ctypes.byref(length), None)
            binary = ctypes.create_string_buffer(length.value)
            into = (pointer * 1)(ctypes.cast(binary, pointer))
            cl.clGetProgramInfo(program, BINARIES, size(ctypes.sizeof(into)), into, None)
            name = os.path.basename(path)[:-3] + ".ptx"
            with open(os.path.join(out, name), "wb") as file:
                file.write(binary.raw.rstrip(b"\0"))
        cl.clReleaseProgram(program)


def mine(options):
    """A ptxas that comes first on PATH keeps what it is given."""
    out = emptied(os.path.abspath(options.out_dir), "mine")
    with tempfile.TemporaryDirectory() as folder:
        real = subprocess.run(["sh", "-c", "command -v ptxas"], capture_output=True, text=True,
                              check=True).stdout.strip()
        keeping = os.path.join(folder, "ptxas")
        with open(keeping, "w") as file:
            file.write('#!/bin/sh\nfor a; do case "$a" in *.ptx) cp "$a" "$KEPT";; esac; done\n'
                       f'exec "{real}" "$@"\n')
        os.chmod(keeping, os.stat(keeping).st_mode | stat.S_IXUSR)

        def measure(path):
            kept = os.path.join(out, os.path.basename(path)[:-3] + ".ptx")
            subprocess.run([os.path.join(options.bin_dir, "clrewrite"), "measure", "--no-config",
                            "--no-cache", "--target=sm_90", path], capture_output=True,
                           env={**os.environ, "KEPT": kept,
                                "PATH": folder + os.pathsep + os.environ["PATH"]})

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(measure, sources(options)))


def counts(path):
    """Loads of global memory, and instructions."""
    with open(path, errors="replace") as file:
        text = file.read()
    return (len(re.findall(r"^\s+(?:@\S+ )?ld\.global", text, re.M)),
            len(re.findall(r"^\s+(?:@!?%p\d+ )?[a-z][\w.]*\s[^;]*;$", text, re.M)))


def table(options):
    with open(os.path.join(options.out_dir, "kinds.json")) as file:
        kinds = json.load(file)
    agree, every, misses, left_out = collections.Counter(), collections.Counter(), [], 0
    for name, kind in kinds.items():
        pair = [os.path.join(options.out_dir, by, name + ".ptx") for by in ("device", "mine")]
        if not all(map(os.path.exists, pair)):
            left_out += 1
            continue
        (loads, length), (own_loads, own_length) = map(counts, pair)
        same = (3 * length <= 4 * own_length and 3 * own_length <= 4 * length
                if kind == "function" else loads == own_loads)
        every[kind] += 1
        agree[kind] += same
        if not same:
            misses.append(f"{name} {kind}: {loads} loads and {length} instructions on the "
                          f"device, {own_loads} and {own_length} here")
    print("| kernels | compared | agree |\n| --- | --- | --- |")
    for kind in every:
        print(f"| {kind} | {every[kind]} | {agree[kind]} |")
    print(f"| all | {sum(every.values())} | {sum(agree.values())} |")
    if left_out:
        print(f"{left_out} were not compiled by both")
    if options.misses:
        print(*misses, sep="\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    for name in ("write", "gather", "device", "mine", "table"):
        mode = modes.add_parser(name)
        if name == "gather":
            mode.add_argument("folder")
            mode.add_argument("--clang", default="clang")
        if name == "mine":
            mode.add_argument("bin_dir")
        mode.add_argument("out_dir")
    modes.choices["device"].add_argument("--library")
    modes.choices["table"].add_argument("--misses", action="store_true")
    options = parser.parse_args()
    {"write": write, "gather": gather, "device": device, "mine": mine,
     "table": table}[options.mode](options)


if __name__ == "__main__":
    main()
