"""Asks whether clrewrite finds what maintainers found. bench/rediscover.csv lists
public commits that make an OpenCL kernel faster, or smaller in registers, by an
edit to its source. The parent's kernel and the commit's are measured, and the
parent's file is given to clrewrite --fix.

usage: rediscover.py BIN_DIR FOLDER_OF_REPOSITORIES [--list FILE]
                     [--target gfx906,sm_90] [--budget 10s] [--seconds N]
                     [--out FILE] [--only ID] [--diffs FOLDER] [--jobs N]
                     [--unsafe-fixes]

No project is part of this repository. FOLDER_OF_REPOSITORIES has a clone of each,
with its history, under the last part of its name; for example

    git clone --bare https://github.com/hashcat/hashcat FOLDER/hashcat

A commit whose repository is missing is named and left out. --only takes the
commits whose id, as the table has it, contains ID. --out keeps what each commit
gave, after each, and what it already has is not run again. --jobs (default 1) run at
a time, each with one process of its own. --diffs keeps two
diffs of each commit, what its maintainers wrote and what clrewrite wrote.
--unsafe-fixes allows clrewrite edits that assume something, or round.

A commit counts as a gain on a target where its kernel has more waves than the
parent's, or an estimate that is smaller by more than 1 %. The verdicts:

  same edit             the rewritten kernel has the commit's registers, waves and
                        estimate on each target, and lines of the parent that the
                        commit changes are among those that clrewrite changed
  as good               on each target on which the commit is a gain, the rewritten
                        kernel has no fewer waves than the commit's, and an
                        estimate that is at most 1 % greater
  better                as good, and on one of them more waves, or an estimate that
                        is smaller by more than 1 %
  not found             none of these
  no gain by our figures  the commit is a gain on no target
  does not parse        the parent's file or the commit's does not parse or
                        compile for any target with the list's options and those
                        that clrewrite proposes, or has no such kernel

Kernels are not run (--verify=off): what clrewrite keeps is legal by its own
conditions, and not every commit of the list leaves the results as they were."""
import argparse
import collections
import concurrent.futures
import csv
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

import public

CLEAR = 1.01
VERDICTS = ["same edit", "as good", "better", "not found",
            "no gain by our figures", "does not parse"]
FOUND = VERDICTS[:3]
SUFFIXES = (".cl", ".clh", ".opencl", ".c", ".h", ".hpp", ".inc")
MOST_REASONS = 6


def git(repository, *words, **more):
    return subprocess.run(["git", "-C", repository, *words], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          **more).stdout


def check_out(repository, revision, folder):
    """Writes what kernels are made of at REVISION into FOLDER. What a partial
    clone lacks is left out."""
    rows = [line.split("\t", 1) for line in git(
        repository, "ls-tree", "-r", "-z", revision).decode().split("\0") if line]
    files = [(about.split()[2], path) for about, path in rows
             if path.endswith(SUFFIXES) and about.startswith("100")
             and ".." not in path.split("/")]
    data = git(repository, "cat-file", "--batch",
               input="".join(oid + "\n" for oid, _ in files).encode())
    at = 0
    for _, path in files:
        end = data.index(b"\n", at)
        about = data[at:end].split()
        at = end + 1
        if about[1] == b"missing":
            continue
        size = int(about[2])
        to = os.path.join(folder, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "wb") as file:
            file.write(data[at:at + size])
        at += size + 1


def options_of(entry, side, folder):
    """The list's options for this side, one an argument of the compiler's, with
    folders of headers as they stand in FOLDER."""
    out = []
    more = entry["commit_options"] if side == "commit" else ""
    for word in shlex.split(entry["options"] + " " + more):
        if out and out[-1] in ("-D", "-I"):
            out[-1] += " " + word
        else:
            out.append(word)
    return [re.sub(r"^-I ?(?!/)", "-I" + folder + "/", o) for o in out]


def measure(arguments, project, entry):
    """{target: figures} of the entry's kernel where it compiles, the options with
    which it does, and what was wrong."""
    document, options, stderr = public.figures_of(
        arguments.clrewrite, os.path.join(project.folder, entry["file"]), project,
        arguments.target, front(project.folder, entry))
    out, problem = {}, "" if document else stderr[-300:] or "does not parse"
    for file in document["files"] if document else []:
        for kernel in file["kernels"]:
            if kernel["name"] == entry["kernel"]:
                for target in kernel["targets"]:
                    figures = {key: (target["before"] or {}).get(key) for key in
                               ("vgprs", "occupancy", "est_cycles")}
                    if None in figures.values():
                        problem = (target["problem"] or "no figures")[-300:]
                    else:
                        out[target["target"]] = figures
    return out, options, problem or ("" if out else "no such kernel")


def front(folder, entry):
    """The words in front of the entry's file: what its host puts before it."""
    files = [os.path.join(folder, f) for f in entry["front"].split()]
    return ["--program", *files] if files else []


def changed(before, after):
    """The lines of BEFORE, from 1, that are not those of AFTER; the line behind
    lines that are only added."""
    out = set()
    for tag, begin, end, _, _ in difflib.SequenceMatcher(
            None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            out.update(range(begin + 1, max(end, begin + 1) + 1))
    return out


def better(old, new):
    """NEW has more waves than OLD, or an estimate that is clearly smaller."""
    return (new["occupancy"] > old["occupancy"]
            or new["est_cycles"] * CLEAR < old["est_cycles"])


def as_good(old, new):
    """NEW has no fewer waves than OLD, and no estimate that is clearly greater."""
    return (new["occupancy"] >= old["occupancy"]
            and new["est_cycles"] <= CLEAR * old["est_cycles"])


def gains(result):
    """The targets on which the commit is a gain."""
    return [t for t, figures in result.get("commit", {}).items()
            if t in result["parent"] and better(result["parent"][t], figures)]


def reached(result, target):
    """The rewritten kernel is as good as the commit's on this target."""
    return (target in result["ours"]
            and as_good(result["commit"][target], result["ours"][target]))


def verdict(result):
    """What the figures of a commit's three kernels say of the search."""
    if not result.get("parent", {}).keys() & result.get("commit", {}).keys():
        return "does not parse"
    if not gains(result):
        return "no gain by our figures"
    if result["overlap"] and result["commit"] == result["ours"]:
        return "same edit"
    if not all(reached(result, t) for t in gains(result)):
        return "not found"
    return ("better" if any(better(result["commit"][t], result["ours"][t])
                            for t in gains(result)) else "as good")


def read_lines(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines(True)


def attempt(arguments, repository, entry, temporary):
    """What one commit gave."""
    out, projects, lines = {}, {}, {}
    for side, revision in (("parent", entry["commit"] + "^"),
                           ("commit", entry["commit"])):
        folder = os.path.join(temporary, side)
        check_out(repository, revision, folder)
        projects[side] = project = public.Project(folder)
        project.options += options_of(entry, side, folder)
        out[side], project.options, problem = measure(arguments, project, entry)
        if not out[side]:
            return {"problem": problem}
        lines[side] = read_lines(os.path.join(folder, entry["file"]))
    project = projects["parent"]
    path = os.path.join(project.folder, entry["file"])
    document, stderr, out["took"] = public.run_timed(
        [arguments.clrewrite, "--target=" + arguments.target, "--fix",
         "--budget=" + arguments.budget, "--format=json", "--jobs=1",
         "--no-cache", "--no-config", "--verify=off", *arguments.unsafe,
         *front(project.folder, entry), path, "--",
         *public.words(project.options)], arguments.seconds)
    out["ours"], _, _ = measure(arguments, project, entry)
    rewritten = read_lines(path)
    theirs = changed(lines["parent"], lines["commit"])
    own = changed(lines["parent"], rewritten)
    if arguments.diffs:
        keep_diff(arguments.diffs, entry, "commit", *lines.values())
        keep_diff(arguments.diffs, entry, "ours", lines["parent"], rewritten)
    out["overlap"] = bool(theirs & own)
    out["problem"] = "" if document else stderr[-300:]
    out["reasons"] = reasons(document, entry, theirs)
    return out


def keep_diff(folder, entry, name, old, new):
    os.makedirs(folder, exist_ok=True)
    path = f"{identity(entry).replace('/', '_')}.{name}.diff"
    with open(os.path.join(folder, path), "w") as to:
        to.writelines(difflib.unified_diff(old, new, "parent", name))


def reasons(document, entry, lines):
    """What clrewrite says of the lines that the commit changes."""
    count = collections.Counter(
        f"{r['rewrite']}: {r['reason'] or 'applied'}"
        for file in (document["files"] if document else [])
        if file["path"].endswith(entry["file"])
        for r in file["rewrites"] if r["line"] in lines)
    return [reason for reason, _ in count.most_common(MOST_REASONS)]


def identity(entry):
    return "/".join([entry["repository"].split("/")[-1], entry["commit"][:8],
                     entry["kernel"]])


def figures(result, target):
    """"24, 10, 1300 -> 20, 10, 1200 -> 20, 10, 1190" for one target."""
    out = []
    for side in ("parent", "commit", "ours"):
        f = result.get(side, {}).get(target)
        out.append(f"{f['vgprs']}, {f['occupancy']}, {f['est_cycles']:.0f}"
                   if f else "-")
    return " -> ".join(out)


def table(rows):
    """How many commits of each kind got each verdict."""
    print("| kind of edit | commits | found | " + " | ".join(VERDICTS) + " |")
    print("| --- |" + " ---: |" * (len(VERDICTS) + 2))
    kinds = collections.defaultdict(collections.Counter)
    for entry, result in rows:
        for kind in (entry["kind"], "all"):
            kinds[kind][verdict(result)] += 1
    for kind in sorted(kinds, key=lambda k: (k == "all", k)):
        count = kinds[kind]
        print(f"| {kind} | {sum(count.values())} | "
              f"{sum(count[v] for v in FOUND)} | "
              + " | ".join(str(count[v]) for v in VERDICTS) + " |")


def summary(arguments, rows):
    targets = arguments.target.split(",")
    print("## By kind of edit\n\nAll commits:\n")
    table(rows)
    print("\nThose that an exact edit of one kernel's text can express:\n")
    table([r for r in rows if r[0]["expressible"] == "yes"])
    print()
    for target in targets:
        of = [r for _, r in rows if target in gains(r)]
        print(f"On {target} {len(of)} commits are a gain, and "
              f"{sum(reached(r, target) for r in of)} rewritten kernels are as "
              "good as the commit's.")
    print("\n## Commit by commit\n")
    print("| commit and kernel | kind | expressible | verdict | "
          + " | ".join(targets) + " |")
    print("| --- |" + " --- |" * (len(targets) + 3))
    for entry, result in rows:
        print(f"| {identity(entry)} | {entry['kind']} | {entry['expressible']} | "
              f"{verdict(result)} | "
              + " | ".join(figures(result, t) for t in targets) + " |")


def clone_of(arguments, entry):
    return os.path.join(arguments.folder, entry["repository"].split("/")[-1])


def run_all(arguments, entries, results):
    """Adds what each of ENTRIES gives to RESULTS, but for those that the clones
    lack, which are named."""
    def one(entry):
        with tempfile.TemporaryDirectory() as temporary:
            return attempt(arguments, clone_of(arguments, entry), entry,
                           os.path.realpath(temporary))

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(one, e): identity(e) for e in entries
                   if identity(e) not in results}
        for done in concurrent.futures.as_completed(running):
            name = running[done]
            try:
                results[name] = done.result()
            except subprocess.CalledProcessError:
                print(f"missing: {name}: the clone's history lacks the commit")
                continue
            public.keep(arguments.out, results)
            print(f"{name}: {verdict(results[name])}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("bin_dir")
    parser.add_argument("folder")
    parser.add_argument("--list", default=os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "rediscover.csv"))
    parser.add_argument("--target", default="gfx906,sm_90")
    parser.add_argument("--budget", default="10s")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--out")
    parser.add_argument("--only", default="")
    parser.add_argument("--diffs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--unsafe-fixes", dest="unsafe", action="store_const",
                        const=["--unsafe-fixes"], default=[])
    arguments = parser.parse_args()
    arguments.clrewrite = os.path.join(os.path.abspath(arguments.bin_dir),
                                       "clrewrite")
    with open(arguments.list, newline="") as file:
        entries = [e for e in csv.DictReader(file)
                   if arguments.only in identity(e)]
    results = public.kept(arguments.out)
    missing = sorted({e["repository"] for e in entries
                      if not os.path.isdir(clone_of(arguments, e))})
    entries = [e for e in entries if e["repository"] not in missing]
    run_all(arguments, entries, results)
    for name in missing:
        print(f"missing: {name}: git clone --bare https://github.com/{name} "
              f"{os.path.join(arguments.folder, name.split('/')[-1])}")
    summary(arguments, [(e, results[identity(e)]) for e in entries
                        if identity(e) in results])


if __name__ == "__main__":
    sys.exit(main())
