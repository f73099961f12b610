"""Records what clrewrite writes into kernels, and compares two such records: a
change that is meant to keep behaviour keeps every line of the record.

usage: edits.py record BIN_DIR OUT.jsonl [--budget N] [--jobs N] [--together]
                       FILE|FOLDER... [-- BUILD OPTIONS]
       edits.py compare BEFORE.jsonl AFTER.jsonl [--renamed OLD=NEW ...]

record copies each .cl file of the folders (the corpus beside this script, and
checked-out public projects) into a folder of its own, with the headers that lie
beside it, and runs --fix on the copy for one target after another, with a budget
that is counted in alternatives, so that the speed of the machine decides nothing.
A line of OUT has the file, the target, the exit code, the text that was written
and the JSON report without durations. Files that no target can parse have lines
too: their errors must stay as they are.

compare tells each line that differs, and exits with 1 if there is any. --renamed
takes the new name of a rewrite for its old one."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

TARGETS = ["gfx600", "gfx906", "gfx1030", "sm_90"]
SECONDS = 300


def without_times(value):
    """VALUE without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items()
                if not key.endswith(("seconds", "_ms", "duration"))
                and key not in ("time", "version", "tool")}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


def run(clrewrite, path, target, budget, options):
    with tempfile.TemporaryDirectory() as folder:
        beside = os.path.dirname(path)
        for name in os.listdir(beside):
            if name.endswith((".h", ".clh", ".hcl", ".cl")):
                shutil.copy(os.path.join(beside, name), folder)
        name = os.path.basename(path)
        command = [clrewrite, "--no-cache", "--no-config", "--verify=off",
                   f"--target={target}", f"--budget={budget}", "--fix",
                   "--format=json", "--verbose", name, "--", *options]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return {"exit": "timeout"}
        with open(os.path.join(folder, name), "rb") as file:
            text = file.read().decode("latin-1")
        try:
            report = without_times(json.loads(done.stdout))
        except ValueError:
            report = done.stdout.decode("latin-1")
        return {"exit": done.returncode, "text": text, "report": report,
                "errors": done.stderr.decode("latin-1").replace(folder, "")}


def kernels(paths):
    for path in paths:
        if os.path.isfile(path):
            yield os.path.abspath(path), os.path.basename(path)
            continue
        for at, folders, files in os.walk(path):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".cl"):
                    full = os.path.join(at, name)
                    yield os.path.abspath(full), os.path.relpath(full, path)


def record(arguments):
    clrewrite = os.path.join(os.path.abspath(arguments.bin), "clrewrite")
    targets = [",".join(TARGETS)] if arguments.together else TARGETS
    jobs = [(path, name, target) for path, name in kernels(arguments.paths)
            for target in targets]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
            open(arguments.out, "w", encoding="utf-8") as out:
        results = pool.map(
            lambda job: run(clrewrite, job[0], job[2], arguments.budget,
                            arguments.options), jobs)
        for number, (job, result) in enumerate(zip(jobs, results), 1):
            line = {"file": job[1], "target": job[2], **result}
            print(json.dumps(line, sort_keys=True), file=out, flush=True)
            print(f"\r{number} of {len(jobs)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def load(path, renamed):
    lines = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            for old, new in renamed:
                line = line.replace(old, new)
            entry = json.loads(line)
            lines[entry.pop("file"), entry.pop("target")] = entry
    return lines


def sorted_rewrites(report):
    """The report with the outcomes in an order that no rewrite's name decides."""
    for file in report.get("files", []) if isinstance(report, dict) else []:
        file["rewrites"].sort(key=lambda r: json.dumps(r, sort_keys=True))
    return report


def compare(arguments):
    renamed = [each.split("=", 1) for each in arguments.renamed]
    before, after = load(arguments.before, renamed), load(arguments.after, [])
    wrong = 0
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            wrong += 1
            print(f"{key[0]} {key[1]}: only in one of the records")
            continue
        for what in ("exit", "text", "report", "errors"):
            a, b = old.get(what), new.get(what)
            if what == "report":
                a, b = sorted_rewrites(a), sorted_rewrites(b)
            if a != b:
                wrong += 1
                print(f"{key[0]} {key[1]}: another {what}")
    written = sum(1 for e in after.values()
                  if isinstance(e.get("report"), dict) and any(
                      r["applied"] for f in e["report"]["files"]
                      for r in f["rewrites"]))
    digest = hashlib.sha256(json.dumps(
        sorted((k, v.get("text")) for k, v in after.items())).encode())
    print(f"{len(after)} runs, {written} with edits, {wrong} differences; "
          f"texts {digest.hexdigest()[:16]}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record")
    one.add_argument("bin")
    one.add_argument("out")
    one.add_argument("paths", nargs="+")
    one.add_argument("--budget", type=int, default=24)
    one.add_argument("--together", action="store_true",
                     help="one run for all targets, which is quicker")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    two = commands.add_parser("compare")
    two.add_argument("before")
    two.add_argument("after")
    two.add_argument("--renamed", action="append", default=[], metavar="OLD=NEW")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:split])
    arguments.options = words[split + 1:]
    return (record if arguments.command == "record" else compare)(arguments)


if __name__ == "__main__":
    sys.exit(main())
