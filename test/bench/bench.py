"""Times a report for one kernel and one target against compiling the same
file twice by hand, interleaved in one run, and says where the time goes.

usage: bench.py BIN_DIR [ROUNDS]"""
import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

bin_dir = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
clrewrite = os.path.join(bin_dir, "clrewrite")
libclc = glob.glob("/usr/lib/clc/amdgcn-amd-amdhsa.bc")
if not libclc:
    sys.exit("bench: no libclc for the compilation by hand (libclc-22)")


def by_hand(path, out):
    return ["clang-22", "-x", "cl", "-cl-std=CL1.2", "-O3", "-target",
            "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-nogpulib", "-Xclang",
            "-mlink-builtin-bitcode", "-Xclang", libclc[0], "-S", "-o", out,
            path]


def seconds(*commands):
    start = time.perf_counter()
    for command in commands:
        status = subprocess.call(command, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        if status not in (0, 1):
            sys.exit(f"bench: {command} ended with {status}")
    return time.perf_counter() - start


def compare(name, path, *options):
    with tempfile.TemporaryDirectory() as work:
        hand = by_hand(path, os.path.join(work, "out.s"))
        ours = [clrewrite, "--target=gfx906", *options, path]
        seconds(ours, hand)  # warm up
        pairs = [(seconds(ours), seconds(hand, hand)) for _ in range(rounds)]
    a = statistics.median(p[0] for p in pairs)
    b = statistics.median(p[1] for p in pairs)
    ratio = statistics.median(p[0] / p[1] for p in pairs)
    spread = [p[0] / p[1] for p in pairs]
    print(f"{name}: report {a * 1e3:.0f} ms, two compilations {b * 1e3:.0f} ms, "
          f"ratio {ratio:.2f} (median of {rounds} pairs, "
          f"{min(spread):.2f} to {max(spread):.2f})")


box_sum = os.path.join(root, "examples", "box-sum", "box_sum.cl")
plain = os.path.join(root, "examples", "narrow-pointer", "fill_ids.cl")
compare("kernel with nothing to gain (fill_ids)", plain, "--verify=off")
# For registers, so that all alternatives of its site are compiled.
every = "--objective=registers"
compare("kernel with five alternatives (box_sum)", box_sum, every, "--verify=off")
compare("the same, and verified where there is a device", box_sum, every)
print("\nwhere box_sum's time goes:")
sys.stdout.flush()
subprocess.call([clrewrite, "--target=gfx906", every, "--timing", box_sum],
                stdout=subprocess.DEVNULL)
