"""How much of each kernel the rounds of `clrewrite verify` reach, and what it costs to know.

usage: coverage.py BIN_DIR [FILE.cl|FOLDER ...] [--no-launches]

Each file (the corpus beside this script unless files are named) is verified against
itself with a comment behind it, so that the driver builds both, with the default options,
but nothing is proved: then all that the verdict rests on is its rounds, and these are
looked at. Launch comments say how kernels are launched;
--no-launches takes them out, so that verification has to guess. The cost is the time for
the coverage over the time of the whole command without it, both as the clock has it."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

VERDICT = re.compile(r"^(\w+): (same|different|unknown): (.*)$")
COVERAGE = re.compile(r"^  coverage: (\d+) of (\d+) branches were reached, (\d+) not "
                      r"looked at \((\d+) ms\)$")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("paths", nargs="*", default=[os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "corpus")])
    parser.add_argument("--no-launches", action="store_true")
    arguments = parser.parse_args()
    files = []
    for path in arguments.paths:
        files += [path] if os.path.isfile(path) else sorted(
            os.path.join(path, n) for n in os.listdir(path) if n.endswith(".cl"))
    kernels = same = whole = unseen = unknown = reached = branches = 0
    spent = cost = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if arguments.no_launches:
                text = re.sub(r"// *(clrewrite: launch|small:)[^\n]*", "//", text)
            before = os.path.join(folder, os.path.basename(path))
            after = before + ".after.cl"
            for name, all_of_it in ((before, text), (after, text + "// after\n")):
                with open(name, "w", encoding="utf-8") as file:
                    file.write(all_of_it)
            start = time.monotonic()
            done = subprocess.run(
                [os.path.join(arguments.bin, "clrewrite"), "verify", "--verbose", "--prove=off",
                 before, after], capture_output=True, text=True, check=False)
            spent += time.monotonic() - start
            for line in done.stdout.splitlines():
                if verdict := VERDICT.match(line):
                    kernels += 1
                    same += verdict[2] == "same"
                    known = "coverage: unknown" not in verdict[3]
                    unknown += not known
                    if verdict[2] != "same" or re.search(
                            "not reached|not looked at|coverage: unknown", verdict[3]):
                        print(f"{os.path.basename(path)}: {line}", flush=True)
                if found := COVERAGE.match(line):
                    taken, count, hidden, ms = map(int, found.groups())
                    reached += taken
                    branches += count
                    unseen += hidden
                    whole += known and taken == count and not hidden
                    cost += ms / 1000
            print(f"{os.path.basename(path)}, {cost:.1f} of {spent:.0f} s so far",
                  file=sys.stderr, flush=True)
    print(f"{kernels} kernels, {same} the same as themselves; of {whole} every branch is "
          f"reached, of {unknown} nothing is known")
    print(f"{reached} of {branches} branches are reached, {unseen} more are not looked at")
    print(f"{cost:.1f} s for it, {spent - cost:.1f} s for all else: "
          f"{100 * cost / (spent - cost):.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
