"""Times kernels of the corpus that were written otherwise by hand, in ways that no rewrite
takes: tiles in local memory, tables in other memories, loads some iterations ahead.

usage: hand.py BIN_DIR --device DEVICE [--rounds N]

A file of bench/hand is named KERNEL.WAY.cl and has the launch of KERNEL in the corpus. Both
are timed one after the other, --rounds times (5), by `clrewrite measure`; both are compared
on other inputs, too, for five seconds by `clrewrite verify`, where restrict stands in the
file with restrict in the kernel of the corpus as well, so that no buffers overlap. Prints a
table: the medians of the two times, and their ratio."""
import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def microseconds(program, device, paths):
    done = subprocess.run([program, "measure", "--target=device:" + device,
                           "--no-cache", "--format=json", *paths],
                          capture_output=True, text=True)
    try:
        times = {os.path.abspath(file["path"]):
                 file["kernels"][0]["targets"][0]["time"]["before_ns"] / 1000
                 for file in json.loads(done.stdout)["files"]}
        return [times[path] for path in paths]
    except (ValueError, LookupError, TypeError):
        raise SystemExit(f"{paths[-1]}: no time: {done.stderr.strip()}") from None


def verdict(program, device, before, after):
    with open(before) as old, open(after) as new, \
            tempfile.NamedTemporaryFile("w", suffix=".cl") as apart:
        text = old.read()
        if "restrict" in new.read():
            text = re.sub(r"(global [^*(),]*\*)(?!restrict)", r"\1restrict ", text)
        apart.write(text)
        apart.flush()
        done = subprocess.run([program, "verify", apart.name, after,
                               "--device=" + device, "--prove=off", "--seconds=5"],
                              capture_output=True, text=True)
    told = done.stdout.partition("\n")[0].partition(": ")[2]
    return told.partition(",")[0] or done.stderr.strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--device", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = os.path.join(options.bin_dir, "clrewrite")
    print("| kernel | way | time, us | speed-up | verdict |\n| --- | --- | --- | --- | --- |")
    for path in sorted(glob.glob(os.path.join(HERE, "hand", "*.cl"))):
        kernel, way, _ = os.path.basename(path).split(".")
        before = os.path.join(HERE, "corpus", kernel + ".cl")
        times = [microseconds(program, options.device, [before, path])
                 for _ in range(options.rounds)]
        old, new = (statistics.median(t) for t in zip(*times))
        print(f"| {kernel} | {way} | {old:.1f} -> {new:.1f} | {old / new:.2f} | "
              f"{verdict(program, options.device, before, path)} |", flush=True)


if __name__ == "__main__":
    main()
