"""Holds the estimate against measured times: for each variant of the kernels
beside this script, the estimated speed-up on some GPUs and the one that was
timed on an NVIDIA H200 (h200.csv), and how far their orders agree.

usage: estimate.py BIN_DIR [TARGETS]

Only the order is compared, since most of these are other GPUs: Kendall's tau-b
over all pairs of variants, and how many of the clear losers (0.9 and below) the
estimate would let through as no slower."""
import csv
import itertools
import json
import math
import os
import subprocess
import sys

clrewrite = os.path.join(sys.argv[1], "clrewrite")
targets = (sys.argv[2] if len(sys.argv) > 2 else "gfx600,gfx906,gfx1100,sm_90").split(",")
here = os.path.dirname(os.path.abspath(__file__))


def estimates(kernel, variant):
    command = [clrewrite, "--format=json", "--only=serialise-vload",
               "--target=" + ",".join(targets),
               os.path.join(here, "kernels", kernel + ".cl"), "--"]
    out = subprocess.run(command + ([f"-DV_{variant}"] if variant else []),
                         capture_output=True, text=True)
    report = json.loads(out.stdout)
    return [t["before"]["est_cycles"]
            for t in report["files"][0]["kernels"][0]["targets"]]


def tau_b(pairs):
    agree = ties_a = ties_b = differ = 0
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        x, y = a - c, b - d
        if x * y > 0:
            agree += 1
        elif x * y < 0:
            differ += 1
        elif x == 0 and y != 0:
            ties_a += 1
        elif y == 0 and x != 0:
            ties_b += 1
    n = math.sqrt((agree + differ + ties_a) * (agree + differ + ties_b))
    return (agree - differ) / n if n else 0


rows = list(csv.DictReader(open(os.path.join(here, "h200.csv"))))
base = {k: estimates(k, None) for k in {r["kernel"] for r in rows}}
print(f"{'kernel':14}{'variant':18}{'H200':>6}" + "".join(f"{t:>9}" for t in targets))
table = []
for r in rows:
    ratios = [b / a for a, b in zip(estimates(r["kernel"], r["variant"]),
                                    base[r["kernel"]])]
    table.append((float(r["speedup"]), ratios))
    print(f"{r['kernel']:14}{r['variant']:18}{r['speedup']:>6}"
          + "".join(f"{x:9.2f}" for x in ratios))
for i, t in enumerate(targets):
    pairs = [(h, round(e[i], 2)) for h, e in table]
    losers = [e for h, e in pairs if h <= 0.9]
    let_through = sum(e >= 1 for e in losers)
    print(f"{t}: tau-b {tau_b(pairs):.2f}; of {len(losers)} clear losers "
          f"{let_through} pass as no slower")
