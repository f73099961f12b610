"""wrong_pairs.py FOLDER: NAME.before.cl and NAME.after.cl must be different
for `clrewrite verify`, and each the same as itself. One device program runs them."""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared_device import SharedDevice  # noqa: E402

DIFFERENT, SAME = 1, 0
device = SharedDevice(["clrewrite-device", "--keep",
                       "--private=" + os.environ["CLREWRITE_DEVICE_FOLDER"]])
failed = []


def verify(before, after, expected):
    run = subprocess.run(
        ["clrewrite", "verify", "--seconds=60",
         "--device-command=" + device.command(), before, after],
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
device.end()
if failed:
    sys.exit("\n".join(failed))
print(f"{len(pairs)} pairs, all different, and each version the same as itself")
