"""What recording costs a program that launches 10,000 times, with and without
the layer, one after the other in the same run; and what the layer's own code
takes of it and of launches with a plan, above a driver that does nothing.

usage: capture.py BIN_DIR [ROUNDS]"""
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

LAUNCHES = 10000
# Work-items: launches of about 40, 20 and 10 us of PoCL, and of next to nothing.
SIZES = {"launches of 2,048 work-items": 2048, "of 1,024": 1024, "of 512": 512,
         "of 64": 64}

bin_dir = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
layer = os.path.join(bin_dir, "..", "lib", "libclrewrite-layer.so")


def folder_bytes(folder):
    return sum(f.stat().st_size for f in pathlib.Path(folder).rglob("*")
               if f.is_file())


def run(items, captured):
    """Seconds on the clock and of the processor, and the folder's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ)
        if captured:
            env["OPENCL_LAYERS"] = layer
            env["CLREWRITE_CAPTURE"] = os.path.join(folder, "capture")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [os.path.join(bin_dir, "layer-host"), "many", str(LAUNCHES),
             str(items)], env=env, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 77:
            print("capturing: no OpenCL device")
            sys.exit()
        if done.returncode:
            sys.exit(f"capture: layer-host ended with {done.returncode}")
        clock = float(re.search(r", ([\d.]+) s", done.stdout)[1])
        processor = (after.ru_utime + after.ru_stime - before.ru_utime -
                     before.ru_stime)
        return clock, processor, folder_bytes(folder)


def compare(name, items):
    run(items, False)
    pairs = [(run(items, False), run(items, True)) for _ in range(rounds)]
    clock = sorted(b[0] / a[0] for a, b in pairs)
    processor = sorted(b[1] / a[1] for a, b in pairs)
    each = statistics.median(a[0] for a, _ in pairs) / LAUNCHES * 1e6
    more = statistics.median(b[0] - a[0] for a, b in pairs) / LAUNCHES * 1e9
    print(f"  {name}, {each:.1f} us each: time {statistics.median(clock):.3f}, "
          f"processor time {statistics.median(processor):.3f} "
          f"({more:+.0f} ns a launch; medians of {rounds} pairs; {clock[0]:.2f} to {clock[-1]:.2f}, "
          f"{processor[0]:.2f} to {processor[-1]:.2f}), "
          f"{pairs[0][1][2]} bytes written")


def alone(what, env, *launches):
    done = subprocess.run([os.path.join(bin_dir, "layer-host"), "alone", layer,
                           *launches], env=dict(os.environ, **env),
                          capture_output=True, text=True, check=True)
    if not what:
        return
    if "CLREWRITE_PLAN" in env and done.stderr.count("0 did not") != 3:
        sys.exit(f"capture: not all launches took the plan: {done.stderr}")
    same, buffers, scalar = re.findall(r"([\d.]+ ns)", done.stdout)
    print(f"  the layer's own code {what}, a launch: {same} with the arguments of "
          f"the one before, {buffers} with two buffers set anew, {scalar} with a "
          "scalar that counts")


def planned(folder, more):
    """A plan for the programs of the host above a driver that does nothing, with
    MORE conditions."""
    os.makedirs(folder)
    alone("", {"CLREWRITE_CAPTURE": folder + "/once"}, "1")
    (log,) = pathlib.Path(folder, "once").glob("events-*.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    path = os.path.join(folder, "plan.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "programs": [
            {"hash": line["hash"], "options": "", "device": "idle",
             "driver": "idle", "text": "", "build": "", "kernels": [
                 {"name": "k", "launch": {"divide": [4, 2], "local": [8, 8]},
                  "when": {"arguments": [{"index": 2, "hex": "02000000"}],
                           **more, "multiple": [16], "local": [16, 16]}}]}
            for line in lines if line["event"] == "program"]}, file)
    return path


print(f"capturing {LAUNCHES} launches, against running without the layer")
for name, items in SIZES.items():
    compare(name, items)
with tempfile.TemporaryDirectory() as folder:
    alone("that captures", {"CLREWRITE_CAPTURE": folder + "/capture"})
    alone("with a plan", {"CLREWRITE_PLAN": planned(folder + "/p", {})})
    alone("with a plan that wants the buffers apart", {
        "CLREWRITE_PLAN": planned(folder + "/a", {"apart": [[0, 1]]})})
