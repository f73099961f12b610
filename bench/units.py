"""What operations take of an NVIDIA GPU's partitions: cycles until a result can be used, and
cycles of the pipe for a warp. lib/measure/nvptx has these figures of an H200.

usage: units.py CLREWRITE [--target device:NVIDIA] [--ghertz 1.98] [--partitions 528]
       units.py --kernels FILE [--latency]

Each operation is a kernel that repeats lines of PTX, so that no compiler can do less; its
latency is told by one warp alone, where fma.rn.f32 is taken to have four cycles, and its
throughput by 32 warps for each partition. `--kernels` writes the kernels alone. What is
printed is for one round of the lines."""
import argparse
import os
import re
import subprocess
import tempfile

# "a" is the address of a buffer of small numbers.
TYPES = {"r": "int", "f": "float", "d": "double", "l": "long", "h": "short", "a": "ulong"}
LANES, GROUP, WARPS = 32, 256, 32
LINES = 16  # of a loop's body, at least
STEPS = {"latency": 5000, "throughput": 400}


def operations():
    """Name -> (registers, "x:r y:r", and lines of PTX)."""
    yield "add.f32", "x:f y:f", ["add.f32 x,x,y", "add.f32 y,y,x"]
    yield "fma.f32", "x:f y:f", ["fma.rn.f32 x,x,y,x", "fma.rn.f32 y,y,y,x"]
    yield "fma.f32, three registers", "x:f y:f z:f", ["fma.rn.f32 x,x,y,z"]
    yield "fma.f32, four sums", "a:f b:f c:f d:f x:f y:f z:f w:f e:f", [
        f"fma.rn.f32 {s},{m},e,{s}" for s, m in zip("abcd", "xyzw")]
    yield "min.f32", "x:f y:f z:f", ["min.f32 x,x,y", "max.f32 y,z,x"]
    yield "add.s32", "x:r y:r", ["add.s32 x,x,y", "add.s32 y,y,x"]
    yield "add.s64", "x:l y:l", ["add.s64 x,x,y", "add.s64 y,y,x"]
    yield "lop3.b32", "x:r y:r z:r w:r", ["lop3.b32 x,x,y,z,0x96", "lop3.b32 y,y,z,w,0xe8",
                                          "lop3.b32 z,z,w,x,0x96", "lop3.b32 w,w,x,y,0xca"]
    yield "shl.b32", "x:r y:r", ["shl.b32 x,x,y", "shr.u32 y,y,x"]
    yield "shl.b64", "x:l n:r", ["shl.b64 x,x,n"]
    yield "shf.l", "x:r y:r", ["shf.l.wrap.b32 x,x,y,7", "shf.l.wrap.b32 y,y,x,9"]
    yield "prmt", "x:r y:r", ["prmt.b32 x,x,y,0x5410", "prmt.b32 y,y,x,0x3276"]
    yield "min.s32", "x:r y:r z:r", ["min.s32 x,x,y", "max.s32 y,z,x"]
    yield "setp, selp, add.s32", "x:r y:r z:r", [
        "{ .reg .pred p; setp.gt.s32 p,x,y; selp.s32 x,z,y,p; }", "add.s32 y,y,x"]
    yield "bfe.u32", "x:r y:r z:r", ["bfe.u32 x,x,y,z", "add.s32 x,x,y"]
    yield "mul.lo.s32", "x:r y:r", ["mul.lo.s32 x,x,y"]
    yield "mad.lo.s32", "x:r y:r z:r", ["mad.lo.s32 x,x,y,z"]
    yield "mul.hi.u32", "x:r y:r", ["mul.hi.u32 x,x,y"]
    yield "mad.wide.u32", "x:r y:r l:l", ["mad.wide.u32 l,x,y,l", "mad.wide.u32 l,y,x,l"]
    yield "mul.lo.s64", "x:l y:l", ["mul.lo.s64 x,x,y"]
    yield "mul.hi.u64", "x:l y:l", ["mul.hi.u64 x,x,y"]
    yield "div.u32", "x:r y:r", ["div.u32 x,y,x", "add.s32 x,x,y"]
    yield "div.s32", "x:r y:r", ["div.s32 x,y,x", "add.s32 x,x,y"]
    yield "popc.b32", "x:r y:r", ["popc.b32 x,x", "add.s32 x,x,y"]
    yield "clz.b32", "x:r y:r", ["clz.b32 x,x", "add.s32 x,x,y"]
    yield "brev.b32", "x:r y:r", ["brev.b32 x,x", "add.s32 x,x,y"]
    yield "ex2", "x:f", ["ex2.approx.ftz.f32 x,x"]
    yield "sin", "x:f", ["sin.approx.ftz.f32 x,x"]
    yield "rcp", "x:f", ["rcp.approx.f32 x,x"]
    yield "rsqrt", "x:f", ["rsqrt.approx.f32 x,x"]
    yield "lg2, ex2", "x:f", ["lg2.approx.f32 x,x", "ex2.approx.ftz.f32 x,x"]
    yield "div.full.f32", "x:f y:f", ["div.full.f32 x,y,x"]
    yield "div.rn.f32", "x:f y:f", ["div.rn.f32 x,y,x"]
    yield "sqrt.rn.f32", "x:f", ["sqrt.rn.f32 x,x"]
    yield "f32 from s32", "x:r y:r f:f g:f", ["cvt.rn.f32.s32 f,x", "add.s32 x,x,y",
                                              "add.f32 g,g,f"]
    yield "f32 from u16", "x:r y:r f:f g:f", [
        "{ .reg .b16 h; cvt.u16.u32 h,x; cvt.rn.f32.u16 f,h; }", "add.f32 g,g,f",
        "add.s32 x,x,y"]
    yield "s32 from f32", "x:r y:r f:f g:f", ["cvt.rzi.s32.f32 x,f", "add.f32 f,f,g",
                                              "add.s32 y,y,x"]
    yield "s32 from f32 and back", "x:r f:f", ["cvt.rzi.s32.f32 x,f", "cvt.rn.f32.s32 f,x"]
    yield "f64 from f32 and back", "f:f d:d", ["cvt.f64.f32 d,f", "cvt.rn.f32.f64 f,d"]
    yield "f64 from s32 and back", "x:r d:d", ["cvt.rn.f64.s32 d,x", "cvt.rzi.s32.f64 x,d"]
    yield "f32 from s64 and back", "x:l f:f", ["cvt.rn.f32.s64 f,x", "cvt.rzi.s64.f32 x,f"]
    yield "f32 from f16 and back", "h:h f:f", ["cvt.f32.f16 f,h", "cvt.rn.f16.f32 h,f"]
    yield "rint.f32", "x:f y:f z:f", ["cvt.rni.f32.f32 z,x", "add.f32 x,x,y", "add.f32 y,y,z"]
    yield "add.f64", "x:d y:d", ["add.f64 x,x,y", "add.f64 y,y,x"]
    yield "fma.f64", "x:d y:d", ["fma.rn.f64 x,x,y,x", "fma.rn.f64 y,y,y,x"]
    yield "min.f64", "x:d y:d z:d", ["min.f64 x,x,y", "max.f64 y,z,x"]
    yield "rcp.f64", "x:d", ["rcp.rn.f64 x,x"]
    yield "div.f64", "x:d y:d", ["div.rn.f64 x,y,x"]
    yield "sqrt.f64", "x:d", ["sqrt.rn.f64 x,x"]
    yield "add.f16", "x:h y:h", ["add.f16 x,x,y", "add.f16 y,y,x"]
    yield "add.f16x2", "x:r y:r", ["add.f16x2 x,x,y", "add.f16x2 y,y,x"]
    yield "bar.sync", "x:r", ["bar.sync 0"]
    yield "ld.global from the L1, and its address", "x:r b:a", [
        "{ .reg .b64 t; mad.wide.u32 t,x,4,b; ld.global.ca.u32 x,[t]; }"]
    yield "add.f32 beside add.s32", "x:f y:f i:r j:r", [
        "add.f32 x,x,y", "add.s32 i,i,j", "add.f32 y,y,x", "add.s32 j,j,i"]
    yield "add.f32 beside mad.lo.s32", "x:f y:f i:r j:r", [
        "add.f32 x,x,y", "mad.lo.s32 i,i,j,i", "add.f32 y,y,x", "mad.lo.s32 j,j,i,j"]
    yield "add.f32 beside shf.l", "x:f y:f i:r j:r", [
        "add.f32 x,x,y", "shf.l.wrap.b32 i,i,j,7", "add.f32 y,y,x", "shf.l.wrap.b32 j,j,i,9"]
    yield "mad.lo.s32 beside shf.l", "x:r y:r i:r j:r", [
        "mad.lo.s32 x,x,y,x", "shf.l.wrap.b32 i,i,j,7", "mad.lo.s32 y,y,x,y",
        "shf.l.wrap.b32 j,j,i,9"]
    yield "four add.f32 beside add.f64", "x:f y:f d:d", [
        "add.f32 x,x,y", "add.f32 y,y,x", "add.f64 d,d,d", "add.f32 x,x,y", "add.f32 y,y,x"]
    yield "four add.f32 beside ex2", "x:f y:f z:f", [
        "add.f32 x,x,y", "add.f32 y,y,x", "ex2.approx.ftz.f32 z,z", "add.f32 x,x,y",
        "add.f32 y,y,x"]


def rounds(lines):
    return max(1, LINES // len(lines))


def kernel(number, registers, lines, what, warps):
    """The text of a kernel, with its launch."""
    kinds = dict(each.split(":") for each in registers.split())
    names = list(kinds)
    size = warps * LANES if what == "throughput" else LANES
    out = [f"// clrewrite: launch global={size} local={min(size, GROUP)} p={4 * size} q=4K one=1 "
           f"steps={STEPS[what]}",
           f"kernel void k{number}(global int *p, global const int *q, int one, int steps) {{"]
    for place, (name, kind) in enumerate(kinds.items()):
        start = (f"{1 + place / 8}f + 1e-9f * (one + (int)get_global_id(0))" if kind in "fd" else
                 f"(one + (int)get_global_id(0)) * {3 + 2 * place}")
        if "a" in kinds.values():
            start = "one"
        if kind == "a":
            start = "(ulong)q"
        if kind == "l":  # No compiler knows its upper half.
            start = f"({start}) * 0x1234567890l"
        out.append(f"  {TYPES[kind]} {name}_ = {start};")
    out.append("  for (int k = 0; k < steps; k++) {")
    for line in lines * rounds(lines):
        text = re.sub(r"(?<![\w.%])([a-z])(?=[],; ]|$)", lambda m: f"%{names.index(m[1])}"
                      if m[1] in names else m[1], line)
        text += "" if text.endswith("}") else ";"
        operands = ", ".join(f'"+{kinds[name].replace("a", "l")}"({name}_)' for name in names)
        out.append(f'    asm volatile("{text}" : {operands});')
    sum_of = {"f": "as_int({0}_)", "r": "{0}_", "h": "(int){0}_",
              "d": "(as_int2({0}_).x ^ as_int2({0}_).y)",
              "l": "(as_int2({0}_).x ^ as_int2({0}_).y)", "a": "({0}_ == 1)"}
    out.append("  }")
    out.append("  p[get_global_id(0)] = "
               + " + ".join(sum_of[kinds[name]].format(name) for name in names) + ";\n}\n")
    return "\n".join(out)


def text(what, warps):
    return "\n".join(kernel(number, registers, lines, what, warps)
                     for number, (_, registers, lines) in enumerate(operations()))


def times(program, target, what, warps):
    """Microseconds of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "units.cl")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text(what, warps))
        told = subprocess.run(
            [program, "measure", "--no-config", "--no-cache", f"--target={target}", path],
            capture_output=True, text=True,
            env={**os.environ, "CUDA_CACHE_DISABLE": "1"}, check=True).stdout
    return {name: float(time) for name, time in re.findall(
        r"kernel (\w+)\n[^\n]*time ([\d.]+) us", told)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--target", default="device:NVIDIA")
    parser.add_argument("--ghertz", type=float, default=1.98)
    parser.add_argument("--partitions", type=int, default=528)
    parser.add_argument("--kernels")
    parser.add_argument("--latency", action="store_true")
    args = parser.parse_args()
    warps = WARPS * args.partitions
    if args.kernels:
        with open(args.kernels, "w", encoding="utf-8") as f:
            f.write(text("latency" if args.latency else "throughput", warps))
        return
    alone = times(args.program, args.target, "latency", warps)
    many = times(args.program, args.target, "throughput", warps)
    operation = list(operations())
    cycle = alone["k1"] / (STEPS["latency"] * LINES * 4)
    print("| operations | latency | cycles of a partition |\n| --- | ---: | ---: |")
    for number, (name, _, lines) in enumerate(operation):
        one, all_of = alone.get(f"k{number}"), many.get(f"k{number}")
        if one is None or all_of is None:
            print(f"| {name} | not timed | |")
            continue
        turns = rounds(lines)
        print(f"| {name} | {one / cycle / STEPS['latency'] / turns:.1f} | "
              f"{all_of * 1e3 * args.ghertz / (WARPS * STEPS['throughput'] * turns):.1f} |")


if __name__ == "__main__":
    main()
