"""Rewrites kernels twice and says whether the second run still changes
something, and whether the first kept to where kernels stand.

usage: twice.py BIN_DIR [-j N] [--list FILE] [--program] FILE-OR-FOLDER...
                [-- option of clrewrite...]

Nothing is written beside the files: they go through `clrewrite --fix -`. FILE
of --list is a JSON array of {"path": ..., "options": [...]}, options being those
of clBuildProgram. With --program the files are copied, and rewritten as one
program."""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

OPENCL = (".cl", ".ocl", ".opencl", ".clh")
HOST = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl")
KERNEL = re.compile(rb"\b(__)?kernel\s+(void|__attribute__)")
RAW = re.compile(rb'R"([^ ()\\\t\n]{0,16})\((.*?)\)\1"', re.S)

Result = collections.namedtuple(
    "Result", "path state kernels first second stray note")


def parts(text):
    """What stands outside raw string literals, and what in them."""
    outside, inside, at = [], [], 0
    for match in RAW.finditer(text):
        outside.append(text[at:match.start(2)])
        inside.append(match.group(2))
        at = match.end(2)
    return outside + [text[at:]], inside


def strays(path, before, after):
    """Whether something changed that is no kernel's text: where the kernels
    stand in raw string literals, all else."""
    old, new = parts(before), parts(after)
    if not any(KERNEL.search(text) for text in old[1]):
        return path.endswith(HOST) and before != after
    return old[0] != new[0] or len(old[1]) != len(new[1]) or any(
        a != b and not KERNEL.search(a) for a, b in zip(old[1], new[1]))


def fix(clrewrite, path, text, options, arguments):
    """The text with its edits, the report, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run(
            [clrewrite, "--fix", "-", "--assume-filename=" + path,
             "--format=json", "--output=" + report, *arguments,
             "--options=" + " ".join(options)],
            input=text, capture_output=True)
        told = {"files": []}
        if os.path.exists(report):
            with open(report) as file:
                told = json.load(file)
    return done.stdout, told["files"], done.stderr.decode(errors="replace")


def edits(files):
    return sum(o["applied"] for f in files for o in f["rewrites"])


def twice(clrewrite, path, options, arguments):
    with open(path, "rb") as file:
        before = file.read()
    once, told, problem = fix(clrewrite, path, before, options, arguments)
    kernels = sum(len(f["kernels"]) for f in told)
    if any(f.get("problem") for f in told) or not told and problem:
        why = next((f["problem"] for f in told if f.get("problem")),
                   problem.splitlines()[-1] if problem else "")
        return Result(path, "failed", kernels, 0, 0, before != once, why)
    if not kernels:
        return Result(path, "no kernel", 0, 0, 0, before != once, "")
    again, told_again, problem = fix(clrewrite, path, once, options, arguments)
    labels = sorted({f"{o['rewrite']} [{o['alternative']}]" for f in told_again
                     for o in f["rewrites"] if o["applied"]})
    left = sum(1 for f in told for w in f["warnings"]
               if "not tried" in w["message"])
    state = "changed again" if again != once else "same"
    note = ", ".join(labels) + ("; the budget ended the first run" if left
                                else "")
    if any(f.get("problem") for f in told_again):
        state, note = "failed then", problem.splitlines()[-1]
    return Result(path, state, kernels, edits(told), edits(told_again),
                  strays(path, before, once), note)


def program(clrewrite, paths, arguments):
    """The same for the texts of one program, which are files of their own."""
    folder = tempfile.mkdtemp()
    names = []
    for number, path in enumerate(paths):
        names.append(os.path.join(folder, f"{number}-{os.path.basename(path)}"))
        shutil.copyfile(path, names[-1])

    def run():
        report = os.path.join(folder, "report.json")
        done = subprocess.run([clrewrite, "--fix", "--program", "--format=json",
                               "--output=" + report, *names, *arguments],
                              capture_output=True, text=True)
        with open(report) as file:
            files = json.load(file)["files"]
        if done.returncode == 2:
            sys.exit(done.stderr)
        return files, [open(name, "rb").read() for name in names]

    before = [open(name, "rb").read() for name in names]
    (told, once), (told_again, again) = run(), run()
    shutil.rmtree(folder)
    for path, a, b, c in zip(paths, before, once, again):
        yield Result(path, "same" if b == c else "changed again", 0,
                     int(a != b), int(b != c), strays(path, a, b), "")
    yield Result("the program", "same" if once == again else "changed again",
                 max(len(f["kernels"]) for f in told), edits(told),
                 edits(told_again), False, "")


def below(path):
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, names, files in os.walk(path):
        names[:] = sorted(n for n in names if not n.startswith("."))
        for name in sorted(files):
            full = os.path.join(folder, name)
            if name.endswith(OPENCL + HOST):
                with open(full, "rb") as file:
                    text = file.read()
                if KERNEL.search(text) and (name.endswith(OPENCL)
                                            or b'R"' in text):
                    found.append(full)
    return found


def main():
    words, arguments = sys.argv[1:], []
    if "--" in words:
        at = words.index("--")
        words, arguments = words[:at], words[at + 1:]
    clrewrite = os.path.join(os.path.abspath(words.pop(0)), "clrewrite")
    jobs, work, one = 1, [], False
    while words:
        word = words.pop(0)
        if word == "-j":
            jobs = int(words.pop(0))
        elif word == "--list":
            with open(words.pop(0)) as file:
                work += [(e["path"], e["options"]) for e in json.load(file)]
        elif word == "--program":
            one = True
        else:
            work += [(path, []) for path in below(word)]
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    results = program(clrewrite, [path for path, _ in work], arguments) \
        if one else pool.map(lambda w: twice(clrewrite, *w, arguments), work)
    count, sums = collections.Counter(), [0, 0, 0]
    stray = 0
    for r in results:
        print(f"{r.path}: {r.state}, {r.kernels} kernels, edits {r.first} then "
              f"{r.second}{', BYTES OUTSIDE CHANGED' if r.stray else ''}"
              f"{': ' + r.note if r.note else ''}", flush=True)
        count[r.state] += 1
        stray += r.stray
        sums = [a + b for a, b in zip(sums, (r.kernels, r.first, r.second))]
    print(", ".join(f"{n} {state}" for state, n in sorted(count.items())) +
          f"; {sums[0]} kernels, {sums[1]} edits, then {sums[2]}; bytes outside "
          f"kernels' texts changed in {stray} files")
    sys.exit(bool(stray or count["changed again"] or count["failed then"]))


main()
