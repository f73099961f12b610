"""Runs clrewrite over the corpus beside this script, one target at a time, and
writes what it reaches into docs/lab/corpus.md: with the guard against slower
estimates and without it; beside them the best that an attribute of the
compiler's own reaches, and its spill-free floor.

usage: corpus.py BIN_DIR [--jobs N] [--targets gfx600,...] [--unsafe]
                 [--out FILE]

--unsafe adds a run with --unsafe-fixes.

Exits with 1 where a kernel got worse on the target it was rewritten for, or a
rewritten text gives other results. Each kernel is run from a copy that has its
small launch, so that a CPU can verify it. Measurements are kept in clrewrite's
cache, so a second run is quicker."""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import corpus_tables

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TARGETS = ["gfx600", "gfx906", "gfx90a", "gfx1030", "gfx1100", "gfx1201"]
NVIDIA = ["sm_75", "sm_90"]
MODES = {"guard": [], "free": ["--max-slowdown=inf"],
         "unsafe": ["--unsafe-fixes"]}
# What must not rise for a version to count as free of spills.
SPILLS = ["vgpr_spills", "sgpr_spills", "scratch_bytes"]


def small(text):
    """The kernel with the launch that a CPU can verify instead of the GPU's."""
    text = re.sub(r"^// clrewrite: launch .*\n", "", text, flags=re.M)
    return re.sub(r"^// small: launch ", "// clrewrite: launch ", text, flags=re.M)


def with_attribute(text, attribute):
    return re.sub(r"^(?=(__)?kernel )", f"__attribute__(({attribute}))\n", text,
                  count=1, flags=re.M)


def spill_free(usage, original):
    return usage["occupancy"] is not None and all(
        (usage[key] or 0) <= (original[key] or 0) for key in SPILLS)


class Runner:
    """Runs clrewrite on texts in a directory of its own. It is the same for
    every run, as clrewrite's cache tells files in different places apart."""

    def __init__(self, bin_dir):
        self.clrewrite = os.path.join(os.path.abspath(bin_dir), "clrewrite")
        self.work = os.path.join(os.path.dirname(os.path.abspath(bin_dir)),
                                 "corpus")
        os.makedirs(self.work, exist_ok=True)

    def place(self, *parts, text):
        path = os.path.join(self.work, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def report(self, *arguments):
        done = subprocess.run([self.clrewrite, *arguments, "--format=json",
                               "--jobs=1"], capture_output=True, text=True,
                              cwd=self.work)
        try:
            return json.loads(done.stdout)
        except ValueError:
            sys.exit(f"corpus: {' '.join(arguments)}: {done.stderr}")

    def fix(self, target, mode, name, text):
        path = self.place(target, name + ".cl", text=text)
        document = self.report("--fix", "--verify=off", "--target=" + target,
                               "--only-target",
                               *MODES[mode], path)
        file = document["files"][0]
        if not file["kernels"]:
            sys.exit(f"corpus: {name}: {file['problem']}")
        figures = file["kernels"][0]["targets"][0]
        kept = [f"{r['rewrite']} [{r['alternative']}]" for r in file["rewrites"]
                if r["applied"]]
        return {"before": figures["before"], "after": figures["after"],
                "problem": figures["problem"], "kept": kept,
                "text": open(path).read()}

    def measure(self, target, name, text, attributes):
        """The usage under each of ATTRIBUTES, in their order."""
        paths = [self.place(target, f"{name}.{a}.cl",
                            text=with_attribute(text, a)) for a in attributes]
        document = self.report("measure", "--target=" + target, *paths)
        return [file["kernels"][0]["targets"][0]["before"] if file["kernels"]
                else None for file in document["files"]]

    def verify(self, name, before, after, number):
        """The verdict and its reason; without the device's name."""
        paths = [self.place("verify", f"{name}.{number}.{part}.cl", text=text)
                 for part, text in (("before", before), ("after", after))]
        done = subprocess.run([self.clrewrite, "verify", "--seconds=30", *paths],
                              capture_output=True, text=True)
        line = (done.stdout + done.stderr).strip().split("\n")[0]
        match = re.match(r"[^:]+: (same|different|unknown): (.*)", line)
        if not match:
            return "unknown", line.split(": ", 1)[-1]
        return match[1], re.sub(r" on pthread.*", "", match[2])


def floor(runner, target, name, text, original):
    """The least amdgpu_num_vgpr(N) without new spills or scratch, by bisection
    and two tries below it, as spilling is not quite monotonic in N."""
    tried = {}

    def good(*counts):
        attributes = [f"amdgpu_num_vgpr({n})" for n in counts]
        usages = runner.measure(target, name, text, attributes)
        for n, usage in zip(counts, usages):
            if usage and spill_free(usage, original):
                tried[n] = usage
        return counts[0] in tried

    low, high = 1, original["vgprs"]
    while low < high:
        middle = (low + high) // 2
        if good(middle):
            high = middle
        else:
            low = middle + 1
    if low > 2:
        good(low - 1, low - 2)
    return tried


def attributes(runner, target, name, text, original):
    """The best of the compiler's own attributes, and the spill-free floor."""
    caps = floor(runner, target, name, text, original)
    best = ("", original)
    for n in range(original["occupancy"] + 1, original["occupancy_max"] + 1):
        label = f"amdgpu_waves_per_eu({n})"
        usage = runner.measure(target, name, text, [label])[0]
        if not usage or not spill_free(usage, original):
            break
        if usage["occupancy"] > best[1]["occupancy"]:
            best = (label, usage)
    least = original
    # The loosest cap for the most waves.
    for n, usage in sorted(caps.items(), reverse=True):
        if usage["occupancy"] > best[1]["occupancy"]:
            best = (f"amdgpu_num_vgpr({n})", usage)
        if usage["vgprs"] < least["vgprs"]:
            least = usage
    # Waves asked for change the scheduler's aim, and sometimes go lower.
    if best[1]["vgprs"] < least["vgprs"]:
        least = best[1]
    return {"best": best, "floor": least}


def work_on(runner, modes, target, name, text):
    """All that is measured of one kernel on one target; the modes one after
    the other, since they share most of their measurements."""
    result = {mode: runner.fix(target, mode, name, text) for mode in modes}
    original = result["guard"]["before"]
    if (target in corpus_tables.WITH_FLOOR and original["occupancy"]
            and original["occupancy"] < original["occupancy_max"]):
        result["attributes"] = attributes(runner, target, name, text, original)
    return result


def verdicts(pool, runner, texts, results):
    """Runs each distinct rewritten text of class exact beside its original."""
    pairs = sorted({(name, run[mode]["text"])
                    for (_, name), run in results.items()
                    for mode in ("guard", "free") if run[mode]["kept"]})
    answers = pool.map(lambda job: runner.verify(
        job[1][0], texts[job[1][0]], job[1][1], job[0]), enumerate(pairs))
    return [(name, *answer) for (name, _), answer in zip(pairs, answers)]


def compiler(runner, targets):
    version = subprocess.run([runner.clrewrite, "--version"],
                             capture_output=True, text=True).stdout.split("\n")[0]
    if any(target.startswith("sm_") for target in targets):
        text = subprocess.run(["ptxas", "--version"], capture_output=True,
                              text=True).stdout
        version += ", ptxas " + re.search(r"V([0-9.]+)", text)[1]
    return version


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("bin_dir")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--targets", type=lambda value: value.split(","))
    parser.add_argument("--unsafe", action="store_true")
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "lab", "corpus.md"))
    options = parser.parse_args()
    targets = options.targets or TARGETS + (NVIDIA if shutil.which("ptxas") else [])
    modes = ["guard", "free"] + (["unsafe"] if options.unsafe else [])
    texts = {os.path.basename(path)[:-3]: small(open(path).read())
             for path in glob.glob(os.path.join(HERE, "corpus", "*.cl"))}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options.bin_dir)
        # The longest first, so that the last to end is a short one.
        jobs = [(target, name) for target in targets
                for name in sorted(texts, key=lambda n: -len(texts[n]))]
        futures = {job: pool.submit(work_on, runner, modes, *job, texts[job[1]])
                   for job in jobs}
        for count, future in enumerate(
                concurrent.futures.as_completed(futures.values()), 1):
            future.result()
            print(f"\r{count} of {len(jobs)}", end="", file=sys.stderr)
        results = {job: future.result() for job, future in futures.items()}
        checked = verdicts(pool, runner, texts, results)
        version = compiler(runner, targets)
    print(file=sys.stderr)
    command = "python3 bench/corpus.py build/release/bin" + "".join(
        [" --targets " + ",".join(options.targets) if options.targets else "",
         " --unsafe" if options.unsafe else ""])
    worse = corpus_tables.worse(targets, sorted(texts), results)
    with open(options.out, "w") as out:
        out.write(corpus_tables.page(targets, sorted(texts), results, checked,
                                     worse, version, command))
    for line in worse + [f"{name}: different: {why}"
                         for name, verdict, why in checked
                         if verdict == "different"]:
        print("corpus: worse: " + line, file=sys.stderr)
        options.failed = True
    return 1 if hasattr(options, "failed") else 0


if __name__ == "__main__":
    sys.exit(main())
