"""Runs clrewrite as a user does, with --fix and a limit of seconds, on files of
public projects, and tells what changed and what stood in the way. No project is
part of this repository; check some out into a folder each.

usage: real.py BIN_DIR FOLDER_OF_PROJECTS --list FILE [--each N] [--files N]
               [--target gfx906,sm_90] [--budget 10s] [--seconds N] [--jobs N]
               [--variants] [--more=OPTIONS] [--out FILE] [--before FILE]
               [--full FILE] [--diffs FOLDER] [--prove] [--device NAME]
               [--clock NAME] [--processes N]

The first run takes --each (default 10) files of each project that parse and
have a kernel, in an order that depends on their paths alone, finds their options
as public.py does, and writes them into --list; later runs read that, and take
the first --files of it. Each file is rewritten in a copy of its project,
without a cache and without being run on a device (--verify=off), --jobs (default
1) at a time, each with --processes (default 1) of its own: give it no more than the
machine has cores, since the budget is of seconds. --variants is clrewrite's, and so is
what --more says, such as --objective=estimate. --out keeps what each file gave,
after each file, and what it already has is not searched again. --before FILE
compares with those of another run; --full FILE tells how much of the gain of a run
with more time this one has. --diffs FOLDER keeps a unified diff of each file that
changed. --prove asks of each kernel that was edited whether it is proved to do the
same, and tells for how many it is, and why not for the others.

With --clock NAME what was edited without a device is timed on that one in the end: each
kernel with an edit, as it was and as it is, twice by turns, at a launch that is made up
there for the kernel as it was; not those whose only edits are lines for AMD's compilers, as
--target=gfx906,sm_90 has them. The summary then has how many times as fast each is, and how
many times as fast the estimate for --target's GPUs has it.

With --device NAME time decides on that device, by launches that are made up there
(--guess-launches), and what is kept is verified there. The summary then has what was timed, and,
for each rewrite, how often single edits are faster and slower that an estimate says to be faster."""
import argparse
import collections
import concurrent.futures
import difflib
import hashlib
import json
import math
import os
import queue
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading

import proofs
import public

CLEAR = 1.05  # smaller gains by the estimate are not counted
MOST_ROWS = 25
MOST_TRIES = 4  # files that are looked at for each that is taken
FOR_AMD = ("schedule-cut", "occupancy-cap", "limit-unroll", "opaque-guard")
TIMED_AT_ONCE = threading.Semaphore(3)  # so many files share the device


def in_order(paths):
    """PATHS in an order that depends on their names alone."""
    return sorted(paths, key=lambda p: hashlib.sha256(p.encode()).hexdigest())


def collect(clrewrite, folder, each):
    """Up to EACH files of every project of FOLDER, with their options."""
    out = []
    for name in sorted(os.listdir(folder)):
        project = public.Project(os.path.join(folder, name), clrewrite)
        paths = [os.path.relpath(os.path.join(at, file), folder)
                 for at, _, files in os.walk(project.folder)
                 for file in files if file.endswith(".cl")]
        taken = []
        for path in in_order(paths)[:MOST_TRIES * each]:
            if len(taken) < each:
                found = public.look(clrewrite, os.path.join(folder, path),
                                    project, "gfx906")
                if found.get("kernels"):
                    taken.append({"path": path, "options": found["options"],
                                  "kernels": found["kernels"]})
        out += taken
    order = in_order(f["path"] for f in out)
    return sorted(out, key=lambda f: order.index(f["path"]))


def obstacle(reason):
    """The sort of a reason: without the numbers, names and tokens that are
    those of one site."""
    reason = re.sub(r"(: |, )['`].*", "", reason)
    reason = re.sub(r"[-+]?\d+(\.\d+)?( %)?", "N", reason)
    reason = re.sub(r"kernel \w+ ", "kernel K ", reason)
    return reason[:100]


def entry(document, text, new, took):
    """What one run on one file gave."""
    file = document["files"][0] if document and document["files"] else {}
    out = {"took": took, "changed": text != new, "kernels": {}, "way": {},
           "applied": {}, "problem": file.get("problem", "no report")}
    for kernel in file.get("kernels", []):
        out["kernels"][kernel["name"]] = {
            t["target"]: [pick(t["before"]), pick(t["after"])]
            for t in kernel["targets"] if not t["problem"]}
    way, applied = collections.Counter(), collections.Counter()
    record = collections.defaultdict(lambda: [0, 0])
    for r in file.get("rewrites", []):
        if r["applied"]:
            applied[r["rewrite"]] += 1
        else:
            way[r["rewrite"] + " | " + obstacle(r["reason"])] += 1
        if r["deltas"]:
            record[r["rewrite"]][0] += pays(r)
            record[r["rewrite"]][1] += 1
    out["way"], out["applied"], out["record"] = dict(way), dict(applied), record
    out["launches"] = [w["message"] for w in file.get("warnings", [])
                       if "made up" in w["message"]]
    kept = edited(file)
    out["timed"] = {k["name"]: t["time"] and (t["time"]["ratio"] if k["name"] in kept else 1)
                    for k in file.get("kernels", []) for t in k["targets"]
                    if t.get("time") or t.get("time_problem")}
    out["verdicts"] = [k["verification"]["verdict"] for k in file.get("kernels", [])
                       if k.get("verification")]
    out["trials"] = [trial(r) for r in file.get("rewrites", [])
                     if any(d.get("time") for d in r["deltas"])]
    return out


def edited(file, besides=()):
    """The kernels that keep an edit of another rewrite than BESIDES."""
    return {r["kernel"] for r in file.get("rewrites", [])
            if r["applied"] and r["rewrite"] not in besides}


def trial(r):
    """A rewrite, how many times as fast an edit of it was, and how many times as
    fast each estimate has it."""
    told = {}
    for d in r["deltas"]:
        before, after = ((d.get(k) or {}).get("est_cycles") for k in ("before", "after"))
        if before and after and not d.get("time"):
            told[d["target"]] = round(before / after, 4)
    timed = next(d["time"] for d in r["deltas"] if d.get("time"))
    return [r["rewrite"], r["alternative"], timed["ratio"], told]


def pays(r):
    """A rewrite's trial paid, alone or with others."""
    return r["applied"] or r["reason"].startswith(
        ("pays", "adds nothing to", "the other edits give the same gain"))


def pick(figures):
    return {key: figures.get(key) for key in
            ("occupancy", "vgprs", "est_cycles", "limiter")}


def rewrite(options, folder, file, diffs):
    """One file, in FOLDER, which is left as it was."""
    path = os.path.join(folder, file["path"])
    with open(path, "rb") as at:
        text = at.read()
    build = public.words(moved(file["options"], options.folder, folder))
    document, stderr, took = public.run_timed(
        [options.clrewrite, "--fix", "--budget=" + options.budget, "--format=json",
         f"--jobs={options.processes}", "--no-cache", "--no-config", *judged(options),
         *(["--variants"] if options.variants else []), *options.more, path, "--",
         *build],
        options.seconds)
    with open(path, "rb") as at:
        new = at.read()
    out = entry(document, text, new, took)
    if options.prove and document and text != new:
        out["proofs"] = proved(options, document, path, text, build)
    kernels = edited(document["files"][0], besides=FOR_AMD) if document else ()
    if options.clock and kernels:
        with TIMED_AT_ONCE:
            out["clocked"] = clocked(options, kernels, path, text, build)
    with open(path, "wb") as at:
        at.write(text)
    if stderr and not document:
        out["problem"] = stderr[-300:]
    if diffs and text != new:
        with open(os.path.join(diffs, file["path"].replace("/", "_")) + ".diff",
                  "w") as to:
            to.writelines(difflib.unified_diff(
                *(t.decode(errors="replace").splitlines(True)
                  for t in (text, new)), file["path"], file["path"]))
    return out


def proved(options, document, path, text, build):
    """(kernel, "proved" or "unknown", reason, seconds) of each kernel with an edit in PATH,
    which was TEXT."""
    old = path + ".old.cl"  # beside it, for what it includes
    with open(old, "wb") as at:
        at.write(text)
    told, seconds = proofs.proofs(options.clrewrite, os.path.dirname(path), old, path,
                                  build=["--", *build])
    os.remove(old)
    kept = edited(document["files"][0])
    return [[*each, seconds / len(told)] for each in told if each[0] in kept] or [
        [os.path.basename(path), "unknown", "clrewrite verify tells nothing", seconds]]


def clocked(options, kernels, path, text, build):
    """Of each of KERNELS in PATH, which was TEXT, for which a launch can be made up: that
    launch, and how many times as fast it is, twice; None where it could not be timed."""
    old = path + ".old.cl"  # beside it, for what it includes
    with open(old, "wb") as at:
        at.write(text)

    def measured(which, *words):
        return public.run([options.clrewrite, "measure", "--no-cache", "--no-config",
                           "--format=json", "--target=device:" + options.clock, *words,
                           which, "--", *build], options.seconds)[0]

    guessed = measured(old, "--guess-launches")
    launches = {}
    for warning in guessed["files"][0]["warnings"] if guessed else []:
        made_up = re.search(r"kernel (\w+) is made up; .*// clrewrite: launch (.*)",
                            warning["message"])
        if made_up and made_up[1] in kernels:
            launches[made_up[1]] = made_up[2]
    asked = ["--launch=" + launch_option(*each) for each in launches.items()]
    times = []
    for which in (old, path) * 2 if asked else ():
        document = measured(which, *asked)
        times.append({k["name"]: t["time"]["before_ns"]
                      for k in document["files"][0]["kernels"]
                      for t in k["targets"] if t["time"]} if document else {})
    os.remove(old)
    return {kernel: [launch, *(before[kernel] / after[kernel]
                               if kernel in before and kernel in after else None
                               for before, after in zip(times[::2], times[1::2]))]
            for kernel, launch in launches.items()}


def launch_option(kernel, launch):
    """The words of a launch comment as --launch takes them."""
    words = dict(word.split("=", 1) for word in launch.split())
    sizes = [words.pop("global"), *([words.pop("local")] if "local" in words else [])]
    return ",".join([":".join([kernel, *sizes])] + [f"{k}={v}" for k, v in words.items()])


def judged(options):
    if not options.device:
        return ["--target=" + options.target, "--verify=off"]
    return [f"--target=device:{options.device},{options.target}", "--objective=time",
            "--guess-launches", "--verify=" + options.device]


def rewrite_all(options, files, results):
    """Adds what each of FILES gives to RESULTS. A copy of the projects has one
    file rewritten at a time, which others of it may include."""
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        copies = queue.Queue()
        for n in range(options.jobs):
            copies.put(os.path.join(os.path.realpath(temporary), str(n)))
            shutil.copytree(options.folder, copies.queue[-1])

        def one(file):
            copy = copies.get()
            try:
                return rewrite(options, copy, file, options.diffs)
            finally:
                copies.put(copy)

        running = {pool.submit(one, f): f["path"] for f in files}
        for done in concurrent.futures.as_completed(running):
            results[running[done]] = done.result()
            public.keep(options.out, results)


def moved(options, old, new):
    """OPTIONS with the folders of the copy."""
    return [o.replace(old + "/", new + "/") for o in options]


def gain(pair):
    """How many times as fast the estimate has a kernel; 1 where it has none."""
    before, after = (figures["est_cycles"] for figures in pair)
    return before / after if before and after else 1.0


def waves(pair):
    before, after = (figures["occupancy"] or 0 for figures in pair)
    return after - before


def pairs(results):
    """(target, before and after) of every kernel."""
    return [(target, pair) for r in results.values()
            for kernel in r["kernels"].values()
            for target, pair in kernel.items()]


def worth(pair):
    """What the search gained of one kernel on one target: the logarithm of its
    gain in waves, and of that by the estimate, where they are gains."""
    before, after = (figures["occupancy"] or 1 for figures in pair)
    return (max(0.0, math.log(after / before))
            + max(0.0, math.log(gain(pair))))


def summary(results):
    every = pairs(results)
    limited = [p for t, p in every
               if t.startswith("gfx906") and p[0]["limiter"] == "VGPRs"]
    print(f"{sum(r['changed'] for r in results.values())} of {len(results)} "
          f"files changed, in {sum(r['took'][0] for r in results.values()):.0f} "
          f"s, {sum(r['took'][1] for r in results.values()):.0f} s of CPU time; "
          f"{sum(n for r in results.values() for _, n in r['record'].values())}"
          f" alternatives measured")
    print(f"kernels and targets whose estimate improves by 5 %: "
          f"{sum(gain(p) >= CLEAR for _, p in every)} of {len(every)}")
    print(f"VGPR-limited kernels on gfx906 that gain a wave: "
          f"{sum(waves(p) > 0 for p in limited)} of {len(limited)}")
    print(f"worth: {sum(worth(p) for _, p in every):.2f}")
    table("applied", collections.Counter(
        name for r in results.values() for name in r["applied"].keys()
        for _ in range(r["applied"][name])))
    # What lib/select/Record.cpp has.
    paying, tried = collections.Counter(), collections.Counter()
    for r in results.values():
        for name, (some, every_one) in r["record"].items():
            paying[name] += some
            tried[name] += every_one
    for name, n in sorted(tried.items()):
        print(f'  record: {{"{name}", {paying[name]}, {n}}},')
    way, files = collections.Counter(), collections.Counter()
    for r in results.values():
        way.update(r["way"])
        files.update(r["way"].keys())
    table("in the way", way, files)
    for path, r in results.items():
        if r["problem"]:
            print(f"problem: {path}: {r['problem'].strip()[-100:]}")


def proof_summary(results):
    tally = proofs.Tally()
    for r in results.values():
        names = "+".join(sorted(r["applied"]))
        for kernel, what, why, seconds in r.get("proofs", []):
            tally.add(names, [(kernel, what, why)], seconds)
    tally.show("rewrites kept in the file")


def clock_summary(results):
    """What was edited, by the clock and by the estimates."""
    rows, without = [], 0
    for path, r in results.items():
        names = "+".join(sorted(r["applied"]))
        timed = r.get("clocked", {})
        without += bool(set(r["applied"]) - set(FOR_AMD)) and not timed
        for kernel, (_, *ratios) in timed.items():
            if None not in ratios and ratios:
                told = {t: gain(pair) for t, pair in r["kernels"].get(kernel, {}).items()}
                rows.append((min(ratios), max(ratios), told, kernel, path, names))
    print(f"files with such edits and no kernel that could be timed: {without}")
    print(f"edited kernels timed: {len(rows)}; 5 % faster twice: "
          f"{sum(r[0] >= CLEAR for r in rows)}; slower twice: "
          f"{sum(r[1] <= 1 / CLEAR for r in rows)}")
    for least, most, told, kernel, path, names in sorted(rows, key=lambda r: -r[0]):
        print(f"  | {kernel} of {path} | {names} | {least:.2f} | {most:.2f} | "
              + " | ".join(f"{t} {g:.2f}" for t, g in sorted(told.items())) + " |")


def timed_summary(results):
    said = [m for r in results.values() for m in r["launches"]]
    print(f"launches made up: {sum('is made up' in m for m in said)} of {len(said)}")
    ratios = [t for r in results.values() for t in r["timed"].values()]
    timed = [t for t in ratios if t]
    if not timed:
        return
    print(f"kernels timed: {len(timed)} of {len(ratios)}; 5 % faster: "
          f"{sum(t >= CLEAR for t in timed)}; slower: {sum(t <= 1 / CLEAR for t in timed)}; "
          f"geometric mean {statistics.geometric_mean(timed):.3f}, best {max(timed):.2f}")
    print("verified:", dict(collections.Counter(v for r in results.values()
                                                for v in r["verdicts"])))
    trials = collections.defaultdict(list)
    for r in results.values():
        for name, _, ratio, told in r["trials"]:
            trials[name].append((ratio, told.values()))
    for name, each in sorted(trials.items(), key=lambda item: -len(item[1])):
        faster = [ratio for ratio, told in each
                  if told and max(told) >= CLEAR and min(told) >= 0.99]
        print(f"  | {name} | {len(each)} | {slower(r for r, _ in each)} | "
              f"{gained(r for r, _ in each)} | {len(faster)} | {slower(faster)} | "
              f"{gained(faster)} |")


def slower(ratios):
    return sum(r <= 1 / CLEAR for r in ratios)


def gained(ratios):
    return sum(r >= CLEAR for r in ratios)


def table(title, count, files=None):
    for name, n in sorted(count.items(), key=lambda c: (-c[1], c[0]))[:MOST_ROWS]:
        print(f"  {title}: {name}: {n}"
              + (f" in {files[name]} files" if files else ""))


def compare(before, after):
    """Files and kernels that differ between two runs."""
    for path in after:
        if path in before and before[path]["changed"] != after[path]["changed"]:
            print(f"  {'changed now' if after[path]['changed'] else 'no longer'}"
                  f": {path}")
        for kernel, now in after[path]["kernels"].items():
            was = before.get(path, {"kernels": {}})["kernels"].get(kernel, {})
            for target in now.keys() & was.keys():
                old, new = worth(was[target]), worth(now[target])
                if abs(old - new) > 0.03:
                    print(f"  {path}: {kernel}: {target}: worth "
                          f"{old:.2f} -> {new:.2f}")


def share(full, results):
    """How much of the gain of FULL the RESULTS have, kernel by kernel; more
    than all of a kernel's counts as all."""
    has = of = 0.0
    for path, r in results.items():
        for kernel, now in r["kernels"].items():
            best = full.get(path, {"kernels": {}})["kernels"].get(kernel, {})
            for target in now.keys() & best.keys():
                of += worth(best[target])
                has += min(worth(best[target]), worth(now[target]))
    print(f"share of the gain of the other run: {100 * has / max(of, 1e-9):.0f} %"
          f" ({has:.2f} of {of:.2f})")


def load(path):
    with open(path) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("folder")
    parser.add_argument("--list", required=True)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--files", type=int, default=1 << 30)
    parser.add_argument("--target", default="gfx906,sm_90")
    parser.add_argument("--budget", default="10s")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--more", type=str.split, default=[])
    parser.add_argument("--out")
    parser.add_argument("--before")
    parser.add_argument("--full")
    parser.add_argument("--diffs")
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--device")
    parser.add_argument("--clock")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    options.clrewrite = os.path.join(os.path.abspath(options.bin_dir), "clrewrite")
    options.folder = os.path.abspath(options.folder)
    for name in filter(None, (options.clock, options.device)):
        devices = subprocess.run([options.clrewrite, "devices"], capture_output=True,
                                 text=True, check=False).stdout
        if not re.search(rf"^\d+: .*{re.escape(name)}", devices, re.M):
            parser.error(f"there is no device {name}; clrewrite devices lists those that "
                         "are there")
    if not os.path.exists(options.list):
        public.keep(options.list, collect(options.clrewrite, options.folder,
                                          options.each))
    files = load(options.list)[:options.files]
    results = public.kept(options.out)
    if options.diffs:
        os.makedirs(options.diffs, exist_ok=True)
    rewrite_all(options, [f for f in files if f["path"] not in results], results)
    results = {f["path"]: results[f["path"]] for f in files}
    summary(results)
    if options.prove:
        proof_summary(results)
    if options.device:
        timed_summary(results)
    if options.clock:
        clock_summary(results)
    if options.before:
        compare(load(options.before), results)
    if options.full:
        share(load(options.full), results)


if __name__ == "__main__":
    sys.exit(main())
