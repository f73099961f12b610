"""wrong_pairs.py FOLDER: NAME.before.cl and NAME.after.cl must be different
for `clrewrite verify`, and each the same as itself."""
import glob
import os
import subprocess
import sys

DIFFERENT, SAME = 1, 0
failed = []


def verify(before, after, expected):
    run = subprocess.run(
        ["clrewrite", "verify", "--seconds=60", before, after],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != expected:
        failed.append(f"{before} {after}: {run.returncode}, {run.stdout}")


pairs = sorted(glob.glob(f"{sys.argv[1]}/*.before.cl"))
for before in pairs:
    after = before.replace(".before.", ".after.")
    verify(before, after, DIFFERENT)
    verify(before, before, SAME)
    # What is undefined, or never ends, is not the same as anything.
    if "undefined" not in open(after).read():
        verify(after, after, SAME)
if failed:
    sys.exit("\n".join(failed))
print(f"{len(pairs)} pairs, all different, and each version the same as itself")
