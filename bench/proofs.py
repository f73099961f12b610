"""How many edits `clrewrite verify` proves, why it proves others not, and how long
that takes.

usage: proofs.py BIN_DIR rewrites            the pairs that the rewrites' tests have
       proofs.py BIN_DIR corpus              each rewrite alone, and all of them, on each
                                             kernel of the corpus, as far as it is legal
       proofs.py BIN_DIR public FOLDER LIST [REWRITE]  all of them, or one alone, on the public
                                             files of a LIST that public.py or fleet.py has
                                             made; kernels of files that change, by project
       proofs.py BIN_DIR mutants [EACH [SEED]]  wrong kernels (mutants.py), EACH of a kind
                                             (default 1): the proved ones are listed

Nothing is run. Each table is Markdown; a kernel is one proof. Mutants are compiled
kernels with one change, and some compute the same as before: whoever reads the list
must look at them, or run them with `clrewrite verify --prove=off`."""
import collections
import concurrent.futures
import filecmp
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(ROOT, "test")]
import mutants  # noqa: E402
import public  # noqa: E402
import rewrites  # noqa: E402


class Tally:
    """Proofs by group, with their reasons and seconds."""

    def __init__(self):
        self.groups = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.seconds = []

    def add(self, group, told, seconds):
        for kernel, what, why in told:
            self.groups[group][what] += 1
            if what != "proved":
                self.reasons[re.sub(r"line \d+ of the (new version|original): |: '.*", "",
                                    why.removeprefix("not proved: "))] += 1
            self.seconds.append(seconds / len(told))

    def show(self, head):
        print(f"| {head} | proved | unknown |\n|---|---|---|")
        total = collections.Counter()
        for name, counter in sorted(self.groups.items()):
            total += counter
            print(f"| {name} | {counter['proved']} | {counter['unknown']} |")
        print(f"| all | {total['proved']} | {total['unknown']} |\n")
        print("| reason | kernels |\n|---|---|")
        for reason, count in self.reasons.most_common():
            print(f"| {reason} | {count} |")
        if self.seconds:
            print(f"\n{statistics.median(self.seconds):.2f} s a kernel in the median, "
                  f"{max(self.seconds):.2f} s at most")


def proofs(clrewrite, folder, before, after, options=(), build=()):
    """(kernel, "proved" or "unknown", reason) of each kernel, and the seconds."""
    begun = time.monotonic()
    done = subprocess.run([clrewrite, "verify", "--prove=only", *options, before, after,
                           *build], cwd=folder, capture_output=True, text=True)
    seconds = time.monotonic() - begun
    return re.findall(r"^(\w+): (proved|unknown): (.*)", done.stdout, re.M), seconds


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def of_rewrites(clrewrite):
    tally = Tally()
    folder = os.path.join(ROOT, "rewrites")
    for name in sorted(os.listdir(folder)):
        for file in sorted(os.listdir(os.path.join(folder, name)) if os.path.isdir(
                os.path.join(folder, name)) else ()):
            if not file.endswith(".cl"):
                continue
            case = rewrites.Case(os.path.join(folder, name, file))
            for after, (before, options) in case.pairs.items():
                with tempfile.TemporaryDirectory() as place:
                    for section, text in case.sections.texts.items():
                        write(place, section, text)
                    own = [word for word in case.options(after)
                           if word.startswith(("--no-overlap", "--new-launch"))]
                    build = options[options.index("--"):] if "--" in options else []
                    tally.add(name, *proofs(clrewrite, place, before, after, own, build))
    tally.show("rewrite")


def corpus():
    folder = os.path.join(HERE, "corpus")
    for file in sorted(os.listdir(folder)):
        if file.endswith(".cl"):
            yield file.removesuffix(".cl"), read(os.path.join(folder, file))


def of_corpus(clrewrite):
    tally = Tally()
    names = sorted(name for name in os.listdir(os.path.join(ROOT, "rewrites"))
                   if os.path.isdir(os.path.join(ROOT, "rewrites", name)))
    for _, text in corpus():
        for name in [*names, "all at once"]:
            with tempfile.TemporaryDirectory() as place:
                write(place, "before.cl", text)
                write(place, "after.cl", text)
                only = [] if name == "all at once" else ["--only=" + name]
                subprocess.run([clrewrite, "--no-config", "--no-measure", "--fix",
                                "--verify=off", *only, "after.cl"], cwd=place,
                               capture_output=True)
                if read(os.path.join(place, "after.cl")) != text:
                    tally.add(name, *proofs(clrewrite, place, "before.cl", "after.cl"))
    tally.show("rewrite")


def public_file(clrewrite, folder, file, only):
    """The proofs of a file in which all is edited that is legal; none where nothing is."""
    source = os.path.join(folder, file["path"])
    build = ["--", "-I" + os.path.dirname(source), *public.words(file["options"])]
    with tempfile.TemporaryDirectory() as place:
        for name in ("before.cl", "after.cl"):
            shutil.copy(source, os.path.join(place, name))
        subprocess.run([clrewrite, "--no-config", "--no-measure", "--fix", "--verify=off",
                        *only, "after.cl", *build], cwd=place, capture_output=True)
        if filecmp.cmp(os.path.join(place, "before.cl"), os.path.join(place, "after.cl"), False):
            return [], 0
        return proofs(clrewrite, place, "before.cl", "after.cl", build=build)


def of_public(clrewrite, folder, files, only):
    tally = Tally()
    os.environ["CLREWRITE_READABLE"] = os.path.abspath(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(file["path"].split("/")[0],
                 pool.submit(public_file, clrewrite, folder, file, only))
                for file in files if file.get("kernels")]
        for project, job in jobs:
            tally.add(project.partition("+")[2] or project, *job.result())
    tally.show("project")


def of_mutants(clrewrite, each, seed):
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        for name, text in corpus():
            write(place, "before.cl", text)
            taken = collections.Counter()
            for kind, line, was, new, mutant in mutants.chosen(name, text, each, seed):
                if taken[kind] == each or not mutants.compiles(mutant, place):
                    continue
                taken[kind] += 1
                write(place, "after.cl", mutant)
                told, seconds = proofs(clrewrite, place, "before.cl", "after.cl")
                tally.add(kind, told, seconds)
                if told and all(what == "proved" for _, what, _ in told):
                    print(f"proved: {name}, line {line}: {was!r} -> {new!r}", flush=True)
    tally.show("kind of mutant")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    clrewrite = os.path.join(os.path.abspath(sys.argv[1]), "clrewrite")
    if sys.argv[2] == "rewrites":
        of_rewrites(clrewrite)
    elif sys.argv[2] == "corpus":
        of_corpus(clrewrite)
    elif sys.argv[2] == "public" and len(sys.argv) in (5, 6):
        with open(sys.argv[4], encoding="utf-8") as file:
            of_public(clrewrite, os.path.abspath(sys.argv[3]), json.load(file),
                      ["--only=" + name for name in sys.argv[5:]])
    elif sys.argv[2] == "mutants":
        of_mutants(clrewrite, int((sys.argv[3:4] or ["1"])[0]),
                   int((sys.argv[4:5] or ["1"])[0]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
