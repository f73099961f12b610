"""Rewrites the kernels of public projects and says how many gain: a check of
the search on code that it was not made for. No project is part of this
repository; check some out into a folder each.

usage: public.py BIN_DIR FOLDER_OF_PROJECTS --list FILE [--target gfx906]
                 [--sample N] [--jobs N] [--seconds N] [--max-slowdown PERCENT]
                 [--budget N] [--out FILE] [--before FILE]

The first run looks at every .cl file, finds options with which it parses (those
of the project's file clrewrite.options, one a line; the folders of its headers;
the macros that clrewrite proposes), and writes the kernels that VGPRs keep
below full occupancy into --list; later runs read that.
--sample takes whole files, in an order that depends on their paths alone, until
they have that many such kernels. --out keeps each kernel's figures, and
--before FILE compares with those of another run. A file whose search takes
longer than --seconds (default 600) counts as without a gain."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

MOST_GUESSES = 5


def run(command, seconds):
    """The report as JSON, or None, and what stood on stderr."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", timeout=seconds)
        return json.loads(done.stdout), done.stderr
    except subprocess.TimeoutExpired:
        return None, "timeout"
    except ValueError:
        return None, done.stderr


class Project:
    """The headers of a project's folder, by name."""

    def __init__(self, folder):
        self.folder = folder
        self.options = []
        own = os.path.join(folder, "clrewrite.options")
        if os.path.exists(own):
            with open(own) as file:
                self.options = file.read().splitlines()
        self.places = collections.defaultdict(set)
        for at, _, files in os.walk(folder):
            for file in files:
                self.places[file].add(at)

    def folder_for(self, header):
        """The folders from which HEADER, as it is included, is found."""
        for at in sorted(self.places[os.path.basename(header)]):
            up = os.path.dirname(header)
            if not up:
                return at
            if at.endswith("/" + up):
                return at[:-len(up) - 1]
        return None


def proposed(stderr, project, known):
    """Options that may mend what STDERR complains of."""
    new = []
    for header in re.findall(r"'([^']+)' file not found", stderr):
        if folder := project.folder_for(header):
            new.append("-I" + folder)
    if hint := re.search(r"for example: -- (.*)", stderr):
        words = shlex.split(hint[1])
        new += [a + " " + b if a == "-D" else a
                for a, b in zip(words, words[1:] + [""]) if a.startswith("-")]
    return [option for option in dict.fromkeys(new) if option not in known]


def words(options):
    return [word for option in options for word in option.split(" ", 1)]


def limited(document):
    """The kernels that VGPRs keep below full occupancy."""
    return [kernel["name"] for kernel in document["files"][0]["kernels"]
            if not kernel["targets"][0]["problem"]
            and kernel["targets"][0]["before"]["limiter"] == "VGPRs"]


def look(clrewrite, path, project, target):
    options = list(project.options)
    for _ in range(MOST_GUESSES):
        document, stderr = run(
            [clrewrite, "measure", "--target=" + target, "--format=json",
             "--jobs=1", "--compile-timeout=20", path, "--", *words(options)],
            120)
        if document and not document["files"][0]["problem"]:
            return {"path": path, "options": options,
                    "kernels": len(document["files"][0]["kernels"]),
                    "limited": limited(document)}
        new = proposed(stderr, project, options)
        if not new:
            break
        options += new
    return {"path": path, "problem": stderr[-300:] or "does not parse"}


def collect(clrewrite, folder, target, pool):
    projects = [Project(os.path.join(folder, name))
                for name in sorted(os.listdir(folder))
                if os.path.isdir(os.path.join(folder, name))]
    jobs = []
    for project in projects:
        for at, folders, files in os.walk(project.folder):
            folders.sort()
            jobs += [pool.submit(look, clrewrite, os.path.join(at, file),
                                 project, target)
                     for file in sorted(files) if file.endswith(".cl")]
    return [job.result() for job in jobs]


def sample(files, count):
    files = [file for file in files if file.get("limited")]
    files.sort(key=lambda f: hashlib.sha256(
        f["path"].split("/", 1)[-1].encode()).hexdigest())
    out, taken = [], 0
    for file in files:
        if taken < count:
            out.append(file)
            taken += len(file["limited"])
    return out


def spills(delta):
    return any((delta["after"][key] or 0) > (delta["before"][key] or 0)
               for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes"))


def why_not(kernel, rewrites):
    """Why KERNEL gained nothing, as far as its single edits tell."""
    own = [r for r in rewrites if kernel in r["kernel"].split(", ")]
    tried = [d for r in own for d in r["deltas"] if d["kernel"] == kernel
             and not spills(d)]
    if any(d["after"]["occupancy"] > d["before"]["occupancy"] for d in tried):
        return "the estimate rose where a wave was gained"
    if any((d["after"]["vgprs"] or 0) < (d["before"]["vgprs"] or 0)
           for d in tried):
        return "fewer VGPRs, but no step reached without spills"
    if any("budget" in r["reason"] for r in own):
        return "the budget was spent"
    if not tried:
        return "no edit could be tried"
    if all(d["after"] == d["before"] for d in tried):
        return "every edit gave the same code"
    return "no edit lowered VGPRs without spills"


def search(clrewrite, file, arguments):
    document, stderr = run(
        [clrewrite, "--target=" + arguments.target, "--format=json", "--jobs=1",
         "--verify=off", "--compile-timeout=20",
         *(["--max-slowdown=" + arguments.max_slowdown]
           if arguments.max_slowdown else []),
         *(["--budget=" + arguments.budget] if arguments.budget else []),
         file["path"], "--", *words(file["options"])], arguments.seconds)
    out = {}
    for name in file["limited"]:
        out[name] = {"cause": "timeout" if stderr == "timeout" else "failed"}
    if not document:
        return file["path"], out
    rewrites = document["files"][0]["rewrites"]
    for kernel in document["files"][0]["kernels"]:
        if kernel["name"] not in out:
            continue
        before, after = (kernel["targets"][0][k] for k in ("before", "after"))
        entry = {"waves": [before["occupancy"], after["occupancy"]],
                 "vgprs": [before["vgprs"], after["vgprs"]],
                 "cycles": [before["est_cycles"], after["est_cycles"]],
                 "kept": sorted({r["rewrite"] for r in rewrites if r["applied"]
                                 and kernel["name"] in r["kernel"].split(", ")})}
        if after["occupancy"] <= before["occupancy"]:
            entry["cause"] = why_not(kernel["name"], rewrites)
        out[kernel["name"]] = entry
    return file["path"], out


def gained(entry):
    return "waves" in entry and entry["waves"][1] > entry["waves"][0]


def summary(results):
    """RESULTS in figures."""
    entries = [e for file in results.values() for e in file.values()]
    measured = [e for e in entries if "waves" in e]
    wins = [e for e in entries if gained(e)]
    print(f"{len(wins)} of {len(entries)} kernels gain a wave "
          f"({100 * len(wins) / max(1, len(entries)):.1f} %)")
    for what, sign in (("waves", 1), ("vgprs", -1)):
        moves = [sign * (e[what][1] - e[what][0]) for e in measured]
        print(f"  {what}: helped {sum(m > 0 for m in moves)} kernels by "
              f"{sum(m for m in moves if m > 0)}, hurt "
              f"{sum(m < 0 for m in moves)} by "
              f"{-sum(m for m in moves if m < 0)}")
    for title, counts in (
            ("kept where a wave is gained",
             collections.Counter(k for e in wins for k in e["kept"])),
            ("no gain because",
             collections.Counter(e["cause"] for e in entries if "cause" in e))):
        for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
            print(f"  {title}: {name}: {count}")


def compare(before, after):
    """The kernels that gain in one run alone."""
    for title, ours, others in (("gain now", after, before),
                                ("gained before", before, after)):
        for path, kernels in sorted(ours.items()):
            for name, entry in kernels.items():
                other = others.get(path, {}).get(name)
                if other and gained(entry) and not gained(other):
                    print(f"  {title}: {path}: {name}: "
                          f"{entry['waves'][0]} -> {entry['waves'][1]}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("folder")
    parser.add_argument("--list", required=True)
    parser.add_argument("--target", default="gfx906")
    parser.add_argument("--sample", type=int, default=1 << 30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--max-slowdown", default="")
    parser.add_argument("--budget", default="")
    parser.add_argument("--out")
    parser.add_argument("--before")
    arguments = parser.parse_args()
    clrewrite = os.path.join(os.path.abspath(arguments.bin_dir), "clrewrite")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if not os.path.exists(arguments.list):
            files = collect(clrewrite, os.path.abspath(arguments.folder),
                            arguments.target, pool)
            with open(arguments.list, "w") as file:
                json.dump(files, file, indent=1)
        with open(arguments.list) as file:
            files = json.load(file)
        parsed = [f for f in files if "limited" in f]
        print(f"{len(parsed)} of {len(files)} files parse, with "
              f"{sum(f['kernels'] for f in parsed)} kernels; VGPRs limit "
              f"{sum(len(f['limited']) for f in parsed)} on {arguments.target}")
        jobs = [pool.submit(search, clrewrite, file, arguments)
                for file in sample(files, arguments.sample)]
        results = dict(job.result() for job in jobs)
    summary(results)
    if arguments.out:
        with open(arguments.out, "w") as file:
            json.dump(results, file, indent=1)
    if arguments.before:
        with open(arguments.before) as file:
            compare(json.load(file), results)


if __name__ == "__main__":
    sys.exit(main())
