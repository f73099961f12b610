"""Times clrewrite against clang processes that compile the same files, one
after the other in the same run, and says where the time goes.

usage: bench.py BIN_DIR [ROUNDS]"""
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

bin_dir = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
clrewrite = os.path.join(bin_dir, "clrewrite")
libclc = glob.glob("/usr/lib/clc/amdgcn-*amdhsa.bc")
if not libclc:
    sys.exit("bench: no libclc for the compilation by hand")
# The Clang of the LLVM that clrewrite was built with.
version = subprocess.check_output([clrewrite, "--version"], text=True)
llvm = re.search(r"\(LLVM (\d+)", version)[1]
work = tempfile.mkdtemp()
kernel = os.path.join(work, "kernel.cl")
cache = os.path.join(work, "cache")
environment = {**os.environ, "CLREWRITE_CACHE_DIR": cache}


def clang(path):
    return [f"clang-{llvm}", "-x", "cl", "-cl-std=CL1.2", "-O3", "-w", "-target",
            "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-nogpulib", "-Xclang",
            "-mlink-builtin-bitcode", "-Xclang", libclc[0], "-S", "-o",
            os.path.join(work, "out.s"), path]


def seconds(*commands):
    start = time.perf_counter()
    for command in commands:
        status = subprocess.call(command, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=environment)
        if status not in (0, 1):
            sys.exit(f"bench: {command} ended with {status}")
    return time.perf_counter() - start


def fix(source, *options, cold=True):
    """A --fix of SOURCE as it is given, with an empty cache or a full one."""
    shutil.copy(source, kernel)
    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    target = [] if any("--target" in o for o in options) else ["--target=gfx906"]
    return seconds([clrewrite, *target, "--fix", *options, kernel])


def against_clang(name, source, count, *options):
    fix(source, *options)
    pairs = [(fix(source, *options), seconds(*[clang(source)] * count))
             for _ in range(rounds)]
    ratios = [a / b for a, b in pairs]
    print(f"{name}: {statistics.median(p[0] for p in pairs) * 1e3:.0f} ms, "
          f"{count} compilations {statistics.median(p[1] for p in pairs) * 1e3:.0f} ms, "
          f"ratio {statistics.median(ratios):.2f} (median of {rounds} pairs, "
          f"{min(ratios):.2f} to {max(ratios):.2f})")


def warm(name, source, *options):
    fix(source, *options)
    times = [fix(source, *options, cold=False) for _ in range(rounds)]
    print(f"{name}: {statistics.median(times) * 1e3:.0f} ms "
          f"(median of {rounds}, {min(times) * 1e3:.0f} to {max(times) * 1e3:.0f})")


examples = os.path.join(root, "examples")
box_sum = os.path.join(examples, "box-sum", "box_sum.cl")
fill_ids = os.path.join(examples, "narrow-pointer", "fill_ids.cl")
off = "--verify=off"
# For registers, so that the search goes as far as it can.
far = "--objective=registers"
print("cold, one kernel, one target")
against_clang("  nothing to gain (fill_ids)", fill_ids, 2, off)
against_clang("  searched for waves (box_sum on gfx600)", box_sum, 10, off,
              "--target=gfx600")
against_clang("  searched for registers to the end (box_sum)", box_sum, 10, off, far)
against_clang("  the same, and verified where there is a device", box_sum, 10, far)
print("warm, whole process")
warm("  box_sum", box_sum, off, far)
warm("  the same, and verified", box_sum, far)



def sandbox():
    """What the sandbox costs a file: from starting the device program to the answer
    of a kernel that has run in it, one after the other with and without it."""
    device = os.path.join(bin_dir, "clrewrite-device")
    job = json.dumps({
        "v": 1, "id": 1, "job": "run", "device": 0, "global": [64],
        "versions": [{"kernel": "k", "source":
                      "kernel void k(global int *p) { p[get_global_id(0)] = 7; }"}],
        "args": [{"buffer": {"bytes": 256, "fill": "zeros", "type": "int"}}]}) + "\n"
    # The driver's own cache, so that its compiler is left out of both.
    private = os.path.join(work, "private")
    os.makedirs(private, exist_ok=True)

    def once(held):
        own = {**environment, "POCL_CACHE_DIR": private,
               "CLREWRITE_SANDBOX": "" if held else "off"}
        start = time.perf_counter()
        answer = subprocess.run([device, "--allow-native", "--private=" + private],
                                input=job, capture_output=True, text=True, env=own)
        took = time.perf_counter() - start
        return took if '"ok":true' in answer.stdout else None

    if once(True) is None or once(False) is None:
        print("the sandbox: no OpenCL device")
        return
    pairs = [(once(True), once(False)) for _ in range(3 * rounds)]
    print(f"the sandbox of a device program that runs a kernel: "
          f"{statistics.median(p[0] for p in pairs) * 1e3:.0f} ms with it, "
          f"{statistics.median(p[1] for p in pairs) * 1e3:.0f} ms without, "
          f"difference {statistics.median(a - b for a, b in pairs) * 1e3:.1f} ms "
          f"(median of {len(pairs)} pairs)")


sandbox()


def throughput():
    files = sorted(glob.glob(os.path.join(root, "bench", "corpus", "*.cl")))
    ours = [clrewrite, "measure", "--no-cache", "--jobs=1", "--target=gfx906", *files]
    theirs = [clang(f) for f in files]
    ratios = [seconds(*theirs) / seconds(ours) for _ in range(3)]
    print(f"throughput on one core, {len(files)} files measured: "
          f"{statistics.median(ratios):.1f} times a loop of clang processes "
          f"({min(ratios):.1f} to {max(ratios):.1f})")


throughput()

sys.stdout.flush()
subprocess.call([sys.executable, os.path.join(root, "bench", "capture.py"),
                 bin_dir, str(rounds)])
print("\nwhere box_sum's time goes:")
sys.stdout.flush()
subprocess.call([clrewrite, "--target=gfx906", "--no-cache", far, "--timing", box_sum],
                stdout=subprocess.DEVNULL)
shutil.rmtree(work)
