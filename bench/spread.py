#!/usr/bin/env python3
"""How well `verify --allow-varying` tells versions of a kernel apart whose
results differ from run to run (docs/verify.md).

    bench/spread.py build/release/bin [--seeds=100] [VERSION...]

The kernel adds squares to sums by atomics on floats. Versions that are right
and versions that are wrong are held against it, with other numbers for each
seed, and the verdicts are counted. The device must run work-items at the same
time: PoCL with two processors or more, or a GPU.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import tempfile

KERNEL = """void add(volatile global float *at, float v) {
  union { uint u; float f; } old, new;
  do {
    old.f = *at;
    new.f = old.f + v;
  } while (atomic_cmpxchg((volatile global uint *)at, old.u, new.u) != old.u);
}
// clrewrite: launch global=65536 local=64 bins=128 in=256K out=512
kernel void sums(global const float *in, volatile global float *out, int bins) {
  int i = (int)get_global_id(0);
  float x = in[i];
  BODY
}
"""
ADD = "add(out + i % bins, x * x);"
SPIN = "float y = x; for (int j = 0; j < COUNT; ++j) y = y * 1.0001f; " \
       "if (y == 12345) x = 0; " + ADD

RIGHT = {
    "the same": ADD,
    "written otherwise": "int at = i % bins; float v = x * x; add(out + at, v);",
    "slower": SPIN.replace("COUNT", "200"),
    "slower in some groups": SPIN.replace(
        "COUNT", "(int)(get_group_id(0) % 7) * 100"),
}
WRONG = {
    "one number of 65536 lost": "if (i != 777) " + ADD,
    "one number added twice": ADD + " if (i == 99) " + ADD,
    "one number in another sum": "add(out + (i == 5 ? 0 : i % bins), x * x);",
    "no atomics": "out[i % bins] += x * x;",
    "all sums by 1e-5 less": "add(out + i % bins, x * x * (1 - 1e-5f));",
    "all sums by 1e-6 less": "add(out + i % bins, x * x * (1 - 1e-6f));",
}


def verdict(clrewrite, folder, seed):
    done = subprocess.run(
        [clrewrite, "verify", "--prove=off", "--rounds=1", "--no-overlap",
         "--allow-varying", f"--seed={seed}", "before.cl", "after.cl"],
        cwd=folder, capture_output=True, text=True, check=False,
        env=dict(os.environ, CLREWRITE_DEVICE_FOLDER=f"{folder}/device"))
    return done.stdout.split("sums: ")[-1].split(":")[0] or done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("versions", nargs="*")
    parser.add_argument("--seeds", type=int, default=100)
    options = parser.parse_intermixed_args()
    clrewrite = str(options.bin.resolve() / "clrewrite")
    print("| version | " + " | ".join(COLUMNS) + " |\n|---|" +
          "---|" * len(COLUMNS))
    for kind, versions in (("right", RIGHT), ("wrong", WRONG)):
        for name, body in versions.items():
            if options.versions and name not in options.versions:
                continue
            with tempfile.TemporaryDirectory() as folder:
                for file, text in (("before.cl", ADD), ("after.cl", body)):
                    pathlib.Path(folder, file).write_text(
                        KERNEL.replace("BODY", text), encoding="utf-8")
                os.mkdir(f"{folder}/device")
                counts = collections.Counter(
                    verdict(clrewrite, folder, seed)
                    for seed in range(1, options.seeds + 1))
            other = set(counts) - set(COLUMNS)
            if other:
                raise SystemExit(f"{name}: {other}")
            print(f"| {kind}: {name} | " +
                  " | ".join(str(counts[c]) for c in COLUMNS) + " |",
                  flush=True)


COLUMNS = ["same", "within-spread", "unknown", "different"]

if __name__ == "__main__":
    main()
