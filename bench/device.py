"""Rewrites the corpus beside this script for a device, so that measured time
decides, and writes docs/lab/device.md: a table of the kernels, and how well the
estimate for GPUs that need no device orders the versions that were timed.

usage: device.py run BIN_DIR OUT_DIR --device NAME [--offline sm_90,...]
                 [--seconds N] [--jobs N] [--gpus N] [--limit N]
                 [--kernels NAME,...] [--more=OPTIONS]
       device.py table OUT_DIR [--out FILE]
       device.py options OUT_DIR
       device.py launches OUT_DIR
       device.py record OUT_DIR

`options` prints which build option pays for which kernel (docs/build-options.md),
`launches` the table of docs/lab/launches.md, where an option's speed-up is that of
the edited kernel and is multiplied with the edits'. --jobs kernels are searched side
by side, on each of the first --gpus GPUs of NVIDIA's, of which every one has its part of
the kernels. `record` prints how often the versions of each rewrite that were timed were
slower and faster (docs/targets.md, lib/select/Record.cpp).

`run` needs the device and leaves clrewrite's JSON report of each kernel in
OUT_DIR; kernels that are there already are left out, so that it can go on where
it stopped. It starts no kernel after --limit seconds. What --more says
goes to clrewrite, too. The others need OUT_DIR alone."""
import argparse
import concurrent.futures
import glob
import json
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
CLEAR = 1.05  # a change of time that the estimate should get right

INTRO = """# The corpus on an NVIDIA H200

What measured time keeps of the corpus (`bench/corpus`), with the launches
of its comments: each kernel by

```
{command}
```

with `python3 bench/device.py run`; written by `device.py table`. Exact edits
alone, each found faster twice; what was edited was then compared on the same
device, bit by bit (`--verify`). The device's own compiler gives the
registers and, with them, the warps. *Estimate* is what the first offline target
says: its cycles before over those after, "?" where that target can't measure the
kernel (then, for NVIDIA, none that has images). *Time* is the median of 20 launches,
*speed-up* the median of 20 pairs with its 95 % interval. Registers rise where
time falls more often than not: there, whole accesses are worth more than warps.

The second table is about every version that the searches timed, kept or not:
of those whose time changed by 5 % or more, how often the estimate for a GPU that
was not there is on the right side, says that nothing changes, or is on the wrong
side. It is the estimate of the day of the run; [estimate.md](estimate.md) has
today's for sm_90 against versions that were timed, and what it can't see.

"""


def command(options, path):
    targets = ",".join(filter(None, ["device:" + options.device, options.offline]))
    return [os.path.join(options.bin_dir, "clrewrite"), "--fix",
            "--target=" + targets, "--objective=time",
            "--verify=" + options.device, "--verify-seconds=4",
            f"--budget={options.seconds}s", "--format=json", *options.more, path]


def run(options):
    os.makedirs(options.out_dir, exist_ok=True)
    start = time.time()
    names = options.kernels or [
        os.path.basename(p)[:-3]
        for p in sorted(glob.glob(os.path.join(HERE, "corpus", "*.cl")))]

    def one(name, gpu):
        out = os.path.join(options.out_dir, name + ".json")
        if os.path.exists(out):
            return
        if time.time() - start > options.limit:
            print(f"stopped before {name}", flush=True)
            return
        path = os.path.join(options.out_dir, name + ".cl")
        shutil.copy(os.path.join(HERE, "corpus", name + ".cl"), path)
        began = time.time()
        done = subprocess.run(command(options, path), capture_output=True,
                              text=True, env={**os.environ, **gpu})
        try:
            document = json.loads(done.stdout)
        except ValueError:
            print(f"{name}: {done.stderr.strip()}", flush=True)
            return
        shown = " ".join(command(options, name + ".cl"))
        document["bench"] = {"command": shown.replace(options.bin_dir + "/", ""),
                             "seconds": round(time.time() - began)}
        with open(out, "w") as file:
            json.dump(document, file)
        print(f"{name}: {time.time() - began:.0f} s", flush=True)

    def all_on(number):
        gpu = {"CUDA_VISIBLE_DEVICES": str(number)} if options.gpus > 1 else {}
        # clrewrite has the device for a launch at a time, so that the others compile.
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda name: one(name, gpu), names[number::options.gpus]))

    with concurrent.futures.ThreadPoolExecutor(options.gpus) as gpus:
        list(gpus.map(all_on, range(options.gpus)))


def reports(options):
    out = {}
    for path in sorted(glob.glob(os.path.join(options.out_dir, "*.json"))):
        with open(path) as file:
            document = json.load(file)
        if document["files"][0]["kernels"]:
            out[os.path.basename(path)[:-5]] = document
    return out


def kernel_row(name, document, offline):
    """The columns of one kernel's row, and its time's ratio."""
    file = document["files"][0]
    targets = {t["target"]: t for t in file["kernels"][0]["targets"]}
    device = next(t for n, t in targets.items() if n not in offline)
    timed = device["time"]
    if not timed:
        return [name, "", "", "", "", device["time_problem"] or "not timed"], None
    before, after = device["before"], device["after"]
    est = targets[offline[0]]
    estimates = [est["before"]["est_cycles"], est["after"]["est_cycles"]]
    kept = sorted({f"{r['rewrite']} [{r['alternative']}]"
                   for r in file["rewrites"] if r["applied"]})
    interval = f"{timed['ratio']:.2f} ({timed['ratio_low']:.2f} to {timed['ratio_high']:.2f})"
    return [name, f"{before['vgprs']} -> {after['vgprs']}",
            f"{before['occupancy']} -> {after['occupancy']}",
            f"{estimates[0] / estimates[1]:.2f}" if all(estimates) else "?",
            f"{timed['before_ns'] / 1000:.1f} -> {timed['after_ns'] / 1000:.1f}",
            interval, ", ".join(kept) or "-"], timed


def is_edited(name, document):
    """Whether an edit was kept; all of those must be verified."""
    file = document["files"][0]
    if not any(r["applied"] for r in file["rewrites"]):
        return False
    verdict = (file["kernels"][0]["verification"] or {}).get("verdict")
    if verdict != "same":
        sys.exit(f"device: {name}: verified as {verdict}")
    return True


def trials(document, offline):
    """(estimated, timed) speed-ups of every version that was timed, by offline
    target; the same code again does not count."""
    out = {name: [] for name in offline}
    for rewrite in document["files"][0]["rewrites"]:
        deltas = {d["target"]: d for d in rewrite["deltas"]}
        timed = next((d["time"] for d in deltas.values() if d.get("time")), None)
        if not timed:
            continue
        for name in offline:
            d = deltas.get(name)
            if d and d["before"]["est_cycles"] and d["after"]["est_cycles"]:
                out[name].append((d["before"]["est_cycles"]
                                  / d["after"]["est_cycles"], timed["ratio"]))
    return out


def estimates(bin_dir, target, texts):
    """The cycles of each text's first kernel for a target, by text; its comments have the
    launch. One that does not compile has none."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for number, text in enumerate(sorted(texts)):
            path = os.path.join(folder, f"{number}.cl")
            with open(path, "w") as file:
                file.write(text)
            paths[path] = text
        done = subprocess.run(
            [os.path.join(bin_dir, "clrewrite"), "measure", "--no-config", "--no-cache",
             f"--target={target}", "--format=json", *paths], capture_output=True, text=True)
    return {paths[file["path"]]: kernel["targets"][0]["before"].get("est_cycles")
            for file in json.loads(done.stdout)["files"] for kernel in file["kernels"][:1]}


def agreement(pairs):
    """Of the versions that time tells apart: how many, and on how many of them
    the estimate is on the right side, says neither, or is on the wrong side."""
    right = even = wrong = 0
    for estimated, timed in pairs:
        if 1 / CLEAR < timed < CLEAR:
            continue
        if abs(estimated - 1) < 1e-3:
            even += 1
        elif (estimated > 1) == (timed > 1):
            right += 1
        else:
            wrong += 1
    return right, even, wrong


def table(options):
    documents = reports(options)
    first = next(iter(documents.values()))
    offline = first["bench"]["command"].split("--target=")[1].split()[0].split(",")[1:]
    rows, ratios, slower, edited = [], [], 0, 0
    for name, document in documents.items():
        edited += is_edited(name, document)
        row, timed = kernel_row(name, document, offline)
        rows.append(row)
        if timed:
            ratios.append(timed["ratio"])
            slower += timed["ratio_high"] * 1.01 < 1
    lines = ["| kernel | registers | warps/SM | estimate | time, us | speed-up | kept |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines += ["", f"{len(ratios)} kernels: geometric mean {statistics.geometric_mean(ratios):.2f}, "
              f"{sum(r >= 1.05 for r in ratios)} at 1.05 or more, best "
              f"{max(ratios):.2f}, slower beyond noise {slower}. {edited} were "
              "edited, and all of these are verified as the same.", ""]
    lines += ["| estimate for | clear changes | right | no change | wrong |",
              "| --- | --- | --- | --- | --- |"]
    for target in offline:
        pairs = [p for d in documents.values() for p in trials(d, offline)[target]]
        right, even, wrong = agreement(pairs)
        lines.append(f"| {target} | {right + even + wrong} of {len(pairs)} | "
                     f"{right} | {even} | {wrong} |")
    before, after = INTRO.format(command=first["bench"]["command"].replace(
        next(iter(documents)) + ".cl", "FILE")), "\n".join(lines) + "\n"
    with open(options.out, "w") as file:
        file.write(before + after)


def build_options(options):
    """A row for each kernel for which an option pays."""
    print("| kernel | option | time, us | speed-up | verified |\n"
          "| --- | --- | --- | --- | --- |")
    documents = reports(options)
    ratios = []
    for name, document in documents.items():
        kept = next((o for o in document["files"][0].get("build_options", [])
                     if o["kept"]), None)
        timed = kept and next(d["time"] for d in kept["deltas"] if d["time"])
        ratios.append(timed["ratio"] if timed else 1)
        if timed:
            verified = (kept["verification"] or {}).get("verdict")
            print(f"| {name} | {kept['option']} "
                  f"| {timed['before_ns'] / 1000:.1f} -> {timed['after_ns'] / 1000:.1f} "
                  f"| {timed['ratio']:.2f} ({timed['ratio_low']:.2f} to "
                  f"{timed['ratio_high']:.2f}) "
                  f"| {'yes' if verified == 'same' else verified} |")
    print(f"\n{len(ratios)} kernels: geometric mean "
          f"{statistics.geometric_mean(ratios):.2f}, "
          f"{sum(r >= 1.05 for r in ratios)} at 1.05 or more.")


def launches(options):
    """A row for each kernel that keeps an edit or an option."""
    print("| kernel | registers | time, us | speed-up | kept | verified |\n"
          "| --- | --- | --- | --- | --- | --- |")
    edits_alone, ratios, nothing, tried = [], [], 0, []
    # A version is timed where it leaves the same bytes at that launch.
    words = {"same": "yes", "unknown": "at the launch alone"}
    for name, document in reports(options).items():
        file = document["files"][0]
        kernel = file["kernels"][0]
        device = kernel["targets"][0]
        kept = sorted({f"{r['rewrite']} [{r['alternative']}]"
                       for r in file["rewrites"] if r["applied"]})
        timed = device["time"]
        ratio = timed["ratio"] if timed and kept else 1
        edits_alone.append(ratio)
        option = next((o for o in file.get("build_options", []) if o["kept"]), None)
        faster = option and next(d["time"] for d in option["deltas"] if d["time"])
        if faster:
            ratio *= faster["ratio"]
            kept.append(f"`{option['option']}` ({faster['ratio']:.2f} of it)")
        tried.append(sum(bool(d.get("time")) for r in file["rewrites"]
                         for d in r["deltas"]))
        ratios.append(ratio if kept else 1)
        if not kept:
            nothing += 1
            continue
        verdict = (kernel["verification"] or {}).get("verdict")
        before, after = device["before"]["vgprs"], device["after"]["vgprs"]
        low, high = (timed["ratio_low"], timed["ratio_high"]) if timed else (1, 1)
        print(f"| {name} | {before} -> {after} | {timed['before_ns'] / 1000:.1f} -> "
              f"{timed['after_ns'] / 1000:.1f} | {ratio:.2f} ({low:.2f} to {high:.2f}) | "
              f"{', '.join(kept)} | {words.get(verdict, verdict)} |")
    print(f"\nOf {len(ratios)} kernels {nothing} keep nothing; {sum(r >= 1.05 for r in ratios)} "
          f"gain 5 % or more; geometric mean {statistics.geometric_mean(ratios):.3f}, "
          f"{statistics.geometric_mean(edits_alone):.3f} and "
          f"{sum(r >= 1.05 for r in edits_alone)} without build options; "
          f"{statistics.median(tried):g} alternatives timed in the median.")


def record(options):
    """A row for each rewrite of which versions were timed."""
    ratios = {}
    for document in reports(options).values():
        for r in document["files"][0]["rewrites"]:
            for d in r["deltas"]:
                if d.get("time"):
                    ratios.setdefault(r["rewrite"], []).append(d["time"]["ratio"])
    print("| rewrite | versions timed | slower by 5 % | faster by 2 % |\n"
          "| --- | --- | --- | --- |")
    for name, each in sorted(ratios.items(), key=lambda item: -len(item[1])):
        slower = sum(r <= 0.95 for r in each) / len(each)
        faster = sum(r >= 1.02 for r in each) / len(each)
        print(f"| {name} | {len(each)} | {slower:.0%} | {faster:.0%} |")


def main():
    parser = argparse.ArgumentParser()
    modes = parser.add_subparsers(dest="mode", required=True)
    runs = modes.add_parser("run")
    runs.add_argument("bin_dir")
    runs.add_argument("out_dir")
    runs.add_argument("--device", required=True)
    runs.add_argument("--offline", default="sm_90,gfx906,gfx1100")
    runs.add_argument("--seconds", type=int, default=20)
    runs.add_argument("--jobs", type=int, default=1)
    runs.add_argument("--gpus", type=int, default=1)
    runs.add_argument("--limit", type=float, default=math.inf)
    runs.add_argument("--kernels", type=lambda value: value.split(","))
    runs.add_argument("--more", type=shlex.split, default=[])
    tables = modes.add_parser("table")
    tables.add_argument("out_dir")
    tables.add_argument("--out", default=os.path.join(ROOT, "docs", "lab", "device.md"))
    modes.add_parser("options").add_argument("out_dir")
    modes.add_parser("launches").add_argument("out_dir")
    modes.add_parser("record").add_argument("out_dir")
    options = parser.parse_args()
    {"run": run, "table": table, "options": build_options,
     "launches": launches, "record": record}[options.mode](options)


if __name__ == "__main__":
    main()
