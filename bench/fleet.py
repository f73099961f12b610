"""Measures what docs/fleet.md says of many kernels: the time for twenty GPUs, from which that
for 10,000 kernels follows, and what shards give on a Slurm of this machine, with the memory
that each takes. No project is part of this repository; check some out into a folder each (of
CLBlast, whose kernels are strings, what clblast.py writes), and keep the machine free of other
work.

usage: fleet.py BIN_DIR FOLDER_OF_PROJECTS --work FOLDER [--kernels N] [--most N]
                [--targets gfx906,...] [--searched N] [--budget N] [--steps A,B]

  collect  finds options for files (as public.py does), of all projects in turn and in an
           order that depends on their paths alone, until --kernels (2,000) kernels parse; a
           project gives --most (300) at most. The list stays in --work, and is gone on with.
  targets  measures them for --targets (twenty of AMD's GPUs), on all processors, in 16 parts
           one after the other; one that was interrupted goes on with the next part
  shards   measures them for gfx906 in 1, 2, 4 and 8 shards, by `fleet --slurm`
  search   searches --searched (12) files of them with a kernel that VGPRs limit, for
           --budget (200) alternatives a kernel, the same way
  page     puts what the others found into docs/fleet.md (fleet_page.py)

All these steps, unless --steps names some. They run without a cache; Slurm is that of
test/fleet (slurm-wlm and munge)."""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import threading
import time

import fleet_page
import public
import real

TWENTY = ("gfx600,gfx701,gfx803,gfx900,gfx906,gfx908,gfx90a,gfx942,gfx1010,gfx1012,gfx1030,"
          "gfx1032,gfx1034,gfx1100,gfx1102,gfx1103,gfx1150,gfx1151,gfx1200,gfx1201")
SHARDS = (1, 2, 4, 8)
PARTS = 16  # of the step targets, which goes on with those that are missing
CORES = len(os.sched_getaffinity(0))
SLURM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "fleet",
                     "Inputs", "slurm.py")


# --- The kernels --------------------------------------------------------------

def collect(options):
    projects = {}
    for name in sorted(os.listdir(options.folder)):
        project = public.Project(os.path.join(options.folder, name))
        paths = [os.path.relpath(os.path.join(at, file), options.folder)
                 for at, _, files in os.walk(project.folder)
                 for file in files if file.endswith(".cl")]
        projects[name] = (project, real.in_order(paths))
    looked = real.load(options.list) if os.path.exists(options.list) else []
    known, count = {f["path"]: f for f in looked}, collections.Counter()
    # A file of each project in turn, so that a small list has them all.
    turns = itertools.zip_longest(*([(name, path) for path in paths]
                                    for name, (_, paths) in projects.items()))

    def look(name, path):
        return known.get(path) or {**public.look(
            options.clrewrite, os.path.join(options.folder, path), projects[name][0],
            "gfx906"), "path": path}
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for turn in turns:
            if sum(count.values()) >= options.kernels:
                break
            jobs = [(name, pool.submit(look, name, path))
                    for name, path in filter(None, turn) if count[name] < options.most]
            for name, job in jobs:
                file = job.result()
                count[name] += file.get("kernels", 0)
                if file["path"] not in known:
                    looked.append(file)
            public.keep(options.list, looked)
    print(f"collected {sum(count.values())} kernels of {len(+count)} projects:",
          ", ".join(f"{n} {c}" for n, c in sorted(count.items()) if c))


def listed(options):
    """The files with kernels, as many as are asked for."""
    out, count = [], collections.Counter()
    for file in real.load(options.list):
        name = file["path"].split("/")[0]
        if file.get("kernels") and count[name] < options.most and (
                sum(count.values()) < options.kernels):
            count[name] += file["kernels"]
            out.append(file)
    return out


def lay_out(options, files, name):
    """A copy of each file, beside a configuration with its options; their paths. A folder
    alone would do without files in which only a macro says `kernel`."""
    top = os.path.join(options.work, name)
    shutil.rmtree(top, ignore_errors=True)
    out = []
    for file in files:
        source = os.path.join(options.folder, file["path"])
        folder = os.path.join(top, file["path"] + ".d")
        os.makedirs(folder)
        out.append(os.path.relpath(shutil.copy(source, folder), options.work))
        with open(os.path.join(folder, ".clrewrite.yaml"), "w", encoding="utf-8") as f:
            json.dump({"options": ["-I " + os.path.dirname(source), *file["options"]]}, f)
    return out


# --- Memory -------------------------------------------------------------------

def proportional(pid):
    """The memory of a process in KiB, with its part of what it shares."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def trees(word):
    """The processes whose command line has the word, each with all below it."""
    below, roots = collections.defaultdict(list), []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                parent = f.read().rpartition(")")[2].split()[1]
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().split(b"\0")
        except OSError:
            continue
        below[parent].append(pid)
        if os.path.basename(words[0]) == b"clrewrite" and any(
                w.startswith(word) for w in words):
            roots.append((pid, parent))
    known = {pid for pid, _ in roots}

    def all_of(pid):
        return [pid] + [each for child in below[pid] for each in all_of(child)]
    return [all_of(pid) for pid, parent in roots if parent not in known]


class Watch(threading.Thread):
    """Looks once a second at how much the largest tree of processes takes."""

    def __init__(self, word):
        super().__init__(daemon=True)
        self.word, self.most, self.over = word, 0, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(1):
            for tree in trees(self.word):
                self.most = max(self.most, sum(map(proportional, tree)))

    def mib(self):
        self.over.set()
        self.join()
        return round(self.most / 1024)


# --- The steps ----------------------------------------------------------------

def run(options, words):
    """The seconds on the wall and of processors that a command took."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, cwd=options.work, capture_output=True, text=True,
                          errors="replace", env={
                              **os.environ, "CLREWRITE_CACHE_DIR": "",
                              "CLREWRITE_READABLE": options.folder})
    took = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 2):  # 2: some file could not be measured
        sys.exit(f"fleet.py: {words[:3]}: exit code {done.returncode}: {done.stderr[-2000:]}")
    return took, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def report(options, name):
    document = real.load(os.path.join(options.work, name))
    bad = [f["path"] for f in document["files"] if f["problem"]]
    if len(bad) * 4 > len(document["files"]):
        sys.exit(f"fleet.py: {len(bad)} of {len(document['files'])} files could not be worked "
                 f"on, such as {bad[0]}")
    return document


def keep(options, name, found):
    public.keep(os.path.join(options.work, name),
         {"date": time.strftime("%Y-%m-%d"), "processors": CORES, **found})


def targets(options):
    files, names = lay_out(options, listed(options), "files"), options.targets.split(",")
    by_project, figures, failed = collections.defaultdict(lambda: [0, 0.0]), 0, 0
    parts = []
    for part in range(1, PARTS + 1):
        out, times = f"targets-{part}.json", os.path.join(options.work, f"times-{part}.json")
        if not os.path.exists(times):
            watch = Watch(b"--shard=")
            wall, cpu = run(options, [
                options.clrewrite, "measure", "--timing", "--format=json",
                "--target=" + options.targets, f"--shard={part}/{PARTS}", "--output=" + out,
                *files])
            public.keep(times, [wall, cpu, watch.mib()])
        parts.append(real.load(times))
        for file in report(options, out)["files"]:
            project = by_project[file["path"].split("/")[1]]
            project[0] += len(file["kernels"])
            project[1] += file["milliseconds"] / 1000
            for kernel in file["kernels"]:
                for target in kernel["targets"]:
                    figures += not target["problem"]
                    failed += bool(target["problem"])
        print(f"part {part} of {PARTS}: {parts[-1][0]:.0f} s", flush=True)
    wall, cpu = (sum(part[i] for part in parts) for i in (0, 1))
    kernels = sum(k for k, _ in by_project.values())
    # Other projects would have given another mean: that of as many, drawn with repetition.
    draw = random.Random(1)
    rows = [row for row in by_project.values() if row[0]]
    means = sorted(sum(s for _, s in drawn) / sum(k for k, _ in drawn)
                   for drawn in (draw.choices(rows, k=len(rows)) for _ in range(2000)))
    seconds = sum(s for _, s in by_project.values())
    scale = 10000 / kernels * 20 / len(names) / 3600
    spread = [means[int(len(means) * p)] * kernels / seconds * wall * scale
              for p in (0.05, 0.95)]
    keep(options, "targets.json", {
        "kernels": kernels, "targets": len(names), "wall": wall, "cpu": cpu,
        "mib": max(part[2] for part in parts), "figures": figures, "failed": failed,
        "hours": wall * scale, "cpu_hours": cpu * scale, "spread": spread,
        "each_ms": 1000 * cpu / (figures + failed),
        "by_project": {name: [count, 1000 * spent / max(1, count) / len(names)]
                       for name, (count, spent) in by_project.items()}})


def same(one, other):
    """Whether two reports have the same kernels, figures and edits."""
    def told(document):
        return [(f["path"], f["problem"], f["kernels"],
                 [r for r in f.get("rewrites", ()) if r["applied"]]) for f in document["files"]]
    return told(one) == told(other)


def in_shards(options, what, words, files):
    """The words' command in one process, then in shards by Slurm, parted by the times that
    the first took."""
    command = [*words, "--jobs=1", "--format=json", "--target=gfx906"]
    wall, _ = run(options, [options.clrewrite, *command, "--timing",
                            f"--output={what}-report.json", *files])
    whole = report(options, f"{what}-report.json")
    rows = []
    for count in SHARDS:
        out = f"{what}-{count}.json"
        shutil.rmtree(os.path.join(options.work, out + ".fleet"), ignore_errors=True)
        watch = Watch(b"--shard=")
        took, _ = run(options, [
            options.clrewrite, "fleet", "--slurm", f"--shards={count}", f"--at-once={CORES}",
            f"--output={out}", "--", *command, f"--costs={what}-report.json", *files])
        rows.append({"shards": count, "wall": took, "mib": watch.mib(),
                     "efficiency": wall / took / min(count, CORES),
                     "same": same(whole, report(options, out))})
        print(f"{what}: {count} shards, {took:.0f} s", flush=True)
    keep(options, what + ".json", {
        "kernels": sum(len(f["kernels"]) for f in whole["files"]),
        "files": len(whole["files"]), "wall": wall, "rows": rows, "budget": options.budget})


def shards(options):
    in_shards(options, "shards", ["measure"], lay_out(options, listed(options), "files"))


def search(options):
    limited = [f for f in listed(options) if f.get("limited")][:options.searched]
    in_shards(options, "search",
              ["--verify=off", "--exit-zero", "--budget=" + options.budget],
              lay_out(options, limited, "limited"))


def page(options):
    found = {name: real.load(os.path.join(options.work, name + ".json"))
             for name in ("targets", "shards", "search")}
    fleet_page.write(found)


STEPS = {"collect": collect, "targets": targets, "shards": shards, "search": search,
         "page": page}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("folder")
    parser.add_argument("--work", required=True)
    parser.add_argument("--kernels", type=int, default=2000)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--targets", default=TWENTY)
    parser.add_argument("--searched", type=int, default=12)
    parser.add_argument("--budget", default="200")
    parser.add_argument("--steps", default=",".join(STEPS))
    options = parser.parse_args()
    unknown = set(options.steps.split(",")) - set(STEPS)
    if unknown:
        parser.error(f"unknown step: {', '.join(unknown)}")
    options.clrewrite = os.path.join(os.path.abspath(options.bin_dir), "clrewrite")
    options.folder, options.work = map(os.path.abspath, (options.folder, options.work))
    os.makedirs(options.work, exist_ok=True)
    options.list = os.path.join(options.work, "list.json")
    for step in options.steps.split(","):
        if step in ("shards", "search") and "SLURM_CONF" not in os.environ:
            code = subprocess.run([sys.executable, SLURM, os.path.join(options.work, "cluster"),
                                   sys.executable, *sys.argv, "--steps=" + step]).returncode
            if code:
                sys.exit(code)
        else:
            STEPS[step](options)


if __name__ == "__main__":
    main()
