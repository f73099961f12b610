"""Rewrites the kernels of public projects and says how many gain: a check of
the search on code that it was not made for. No project is part of this
repository; check some out into a folder each.

usage: public.py BIN_DIR FOLDER_OF_PROJECTS --list FILE [--target gfx906]
                 [--sample N] [--jobs N] [--seconds N]
                 [--max-slowdown PERCENT,PERCENT] [--budget N] [--out FILE]
                 [--before FILE]

The first run looks at every .cl file, finds options with which it parses (those
of the project's file clrewrite.options, one a line, or else of the .clrewrite.yaml
that `clrewrite init` writes there; the folders of its headers; the macros that
clrewrite proposes), and writes the kernels that VGPRs keep below full occupancy into
--list; later runs read that.
--sample takes whole files, in an order that depends on their paths alone, until
they have that many such kernels. Each is searched once with each --max-slowdown
(default 0,inf: with the guard against slower estimates, and without it). --out
keeps each kernel's figures, after each file, and what it already has is not
searched again; --before FILE compares with those of another run. A file whose
search takes longer than --seconds (default 600) counts as without a gain."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import public_report

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
    """The headers of a project's folder, by name, and the options of its files: those
    of its file clrewrite.options, one a line, else those of .clrewrite.yaml, which
    CLREWRITE, where it is given, writes by its init if there is none."""

    def __init__(self, folder, clrewrite=None):
        self.folder = folder
        self.options, self.by_file = [], {}
        own = os.path.join(folder, "clrewrite.options")
        settings = os.path.join(folder, ".clrewrite.yaml")
        if os.path.exists(own):
            with open(own) as file:
                self.options = file.read().splitlines()
        else:
            if clrewrite and not os.path.exists(settings):
                subprocess.run([clrewrite, "init"], cwd=folder, capture_output=True)
            self.read(settings)
        self.places = collections.defaultdict(set)
        for at, _, files in os.walk(folder):
            for file in files:
                self.places[file].add(at)

    def read(self, settings):
        """Takes the option sets of SETTINGS, the first one of each file."""
        if not os.path.exists(settings):
            return
        with open(settings) as file:
            text = file.read()
        for files, options in re.findall(r"files: (\[.*\])\n +options: (\[.*\])", text):
            found = [o.replace("-I ", "-I" + self.folder + "/") for o in json.loads(options)]
            for each in json.loads(files):
                self.by_file.setdefault(self.folder + each, found)

    def options_for(self, path):
        return [*self.options, *self.by_file.get(path, [])]

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
    if hint := re.search(r"for example: -- (.*?)(?:; or in |$)", stderr, re.M):
        words = shlex.split(hint[1])
        new += [a + " " + b if a in ("-D", "-I") else a
                for a, b in zip(words, words[1:] + [""]) if a.startswith("-")]
    return [option for option in dict.fromkeys(new) if option not in known]


def words(options):
    return [word for option in options for word in option.split(" ", 1)]


def limited(document):
    """The kernels that VGPRs keep below full occupancy."""
    return [kernel["name"] for kernel in document["files"][0]["kernels"]
            if not kernel["targets"][0]["problem"]
            and kernel["targets"][0]["before"]["limiter"] == "VGPRs"]


def figures_of(clrewrite, path, project, target, front=()):
    """The report on PATH with options with which it parses, those options, and
    what stood on stderr; no report where none were found. FRONT are the words in
    front of PATH: for a program of several files, --program and the others."""
    options = project.options_for(path)
    for _ in range(MOST_GUESSES):
        document, stderr = run(
            [clrewrite, "measure", "--target=" + target, "--format=json",
             "--jobs=1", "--no-config", "--compile-timeout=20", *front, path, "--",
             *words(options)], 120)
        if document and not any(f["problem"] for f in document["files"]):
            return document, options, stderr
        new = proposed(stderr, project, options)
        if not new:
            break
        options += new
    return None, options, stderr


def look(clrewrite, path, project, target):
    document, options, stderr = figures_of(clrewrite, path, project, target)
    if document:
        return {"path": path, "options": options,
                "kernels": len(document["files"][0]["kernels"]),
                "limited": limited(document)}
    return {"path": path, "problem": stderr[-300:] or "does not parse"}


def collect(clrewrite, folder, target, pool):
    projects = [Project(os.path.join(folder, name), clrewrite)
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


def run_timed(command, seconds):
    """What run() gives, and the seconds and the CPU seconds that it took: those
    do not depend on what else runs on the machine."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        job = subprocess.Popen(command, stdout=out, stderr=err,
                               start_new_session=True)
        stop = threading.Timer(seconds, os.killpg, (job.pid, signal.SIGKILL))
        stop.start()
        _, job.returncode, usage = os.wait4(job.pid, 0)
        stop.cancel()
        out.seek(0)
        err.seek(0)
        wall = time.monotonic() - start
        took = [round(wall, 1), round(usage.ru_utime + usage.ru_stime, 1)]
        try:
            return json.load(out), "", took
        except ValueError:
            late = job.returncode == signal.SIGKILL and wall >= seconds
            return (None, "timeout" if late
                    else err.read().decode(errors="replace"), took)


def kept(path):
    """What an earlier run, which may have been interrupted, kept."""
    if not path or not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def keep(path, results):
    """Keeps RESULTS, in one step, where a path is given."""
    if path:
        with open(path + ".new", "w") as to:
            json.dump(results, to, indent=1)
        os.replace(path + ".new", path)


def search(clrewrite, file, guard, arguments):
    """What a search of FILE's kernels gave, by kernel."""
    document, stderr, took = run_timed(
        [clrewrite, "--target=" + arguments.target, "--format=json", "--jobs=1",
         "--verify=off", "--compile-timeout=20", "--max-slowdown=" + guard,
         *(["--budget=" + arguments.budget] if arguments.budget else []),
         file["path"], "--", *words(file["options"])], arguments.seconds)
    out = {"took": took, "kernels": {}}
    for name in file["limited"]:
        cause = "timeout" if stderr == "timeout" else "failed"
        out["kernels"][name] = {"cause": cause, "stderr": stderr[-300:]}
    if document:
        out["kernels"].update(public_report.entries(document, file["limited"]))
    return out


def search_all(clrewrite, files, arguments, pool):
    """The results by guard and path. What --out holds of an earlier run, which
    may have been interrupted, is not searched again."""
    guards = arguments.max_slowdown.split(",")
    results = {guard: {} for guard in guards}
    results.update(kept(arguments.out))
    lock = threading.Lock()

    def both(file):
        # One guard after the other: they compile much the same texts, and the
        # second finds them in the cache.
        for guard in guards:
            if file["path"] in results[guard]:
                continue
            found = search(clrewrite, file, guard, arguments)
            with lock:
                results[guard][file["path"]] = found
                keep(arguments.out, results)

    for job in [pool.submit(both, file) for file in files]:
        job.result()
    wanted = {file["path"] for file in files}
    return {guard: {path: found for path, found in results[guard].items()
                    if path in wanted} for guard in guards}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("folder")
    parser.add_argument("--list", required=True)
    parser.add_argument("--target", default="gfx906")
    parser.add_argument("--sample", type=int, default=1 << 30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--max-slowdown", default="0,inf")
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
        results = search_all(clrewrite, sample(files, arguments.sample),
                             arguments, pool)
    public_report.summary(results)
    if arguments.before:
        with open(arguments.before) as file:
            public_report.compare(json.load(file), results)


if __name__ == "__main__":
    sys.exit(main())
