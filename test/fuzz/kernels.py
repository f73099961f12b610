"""Random kernels (generate.py), to which each legal edit is applied (each-edit); each
new version is proved equal, or run beside the original.

usage: kernels.py BIN_DIR [--first SEED] [--files N] [--seconds N] [--kernels N]
                  [--texts N] [--runs SHARE] [--rounds N] [--out FOLDER]
                  [--rewrite NAME]... [--arrays SHARE] [--jobs N] [--progress]
                  [--each-edit PROGRAM] [--builds]
       kernels.py BIN_DIR --shrink FOLDER/FIND.json

A seed makes a file of --kernels kernels (6). By default one file is made; --seconds goes on
with the next seed until the time is over, and --jobs works on so many files at the same
time. A file's edits make some forty texts, with one edit of each kernel; --texts takes so
many of them, by chance, which sees more kernels in the time. Of what is not proved a part
is run, above all where the prover knows a launch in which the versions may part, and of
what is proved the share --runs (0.03), so that proofs are held to runs; with a smaller
share less of all is run, and with --runs=-1 nothing: a difference is not seen then, but all
else is. --arrays is the share of kernels with private arrays (0.3), --rewrite names a
rewrite; those that are named are the only ones then. --each-edit is another program in the
place of each-edit. With --builds kernels have macros, #ifs and types that another build has
otherwise (builds.py), and each new version is compared with the original in that build.

A find is a new version that differs, that does not parse, or that is proved and differs;
an edit that can't be applied; a crash, a hang or an internal error; a --fix that finds
something to do in its own output again and again. Each find is written to --out, with the file before
and after. The launch that shows a difference is run again in oclgrind, and on the device
with -cl-opt-disable: what only the optimising driver shows is told as the driver's. Ends
with 1 where there is a find that is not.

--shrink takes statements out of a find's kernel while the find stays, and prints it."""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = HERE, os.path.dirname(HERE)
import builds  # noqa: E402
import generate  # noqa: E402
import shared_device  # noqa: E402

HANG = 120  # seconds of processor time after which a process is taken to hang
KEPT = 50  # files of which a device program keeps what it has compiled
HOPELESS = 8  # files after which nothing more is tried, if none of them could be read
ATTEMPTS = 4  # at a file that parses in another build, too
WAIT = 1800  # seconds that are waited for a command, on a machine that does much else
PROVED, SAME, UNKNOWN, DIFFERENT = "proved", "same by runs", "unknown", "different"
OPENED = ("crashed", "exceeded", "LLVM ERROR", "internal error", "Assertion")


class Tools:
    """The programs, and how they are asked."""

    def __init__(self, bin_dir, each_edit):
        self.bin = os.path.abspath(bin_dir)
        self.each_edit = os.path.abspath(each_edit) if each_edit else \
            os.path.join(self.bin, "..", "test", "fuzz", "each-edit")
        self.clrewrite = os.path.join(self.bin, "clrewrite")
        self.device = os.path.join(self.bin, "clrewrite-device")
        # A driver that crashes need not look for the names of its functions.
        self.environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}

    def share_devices(self, jobs, stack):
        """From now on verification asks device programs that stay, as tests do, since a
        driver takes longer to start than to run a kernel. Gives the folder for what they
        keep; none where no links to the programs can be made, and each verification has a
        device program to itself. All ends with `stack`."""
        bin_folder = os.path.realpath(self.bin)
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(
                dir=os.path.dirname(bin_folder), ignore_cleanup_errors=True))
            links = shared_device.linked(bin_folder, folder)
        except OSError:
            return None
        pool = shared_device.DevicePool()
        pool.MOST_IDLE = jobs
        stack.callback(pool.close)
        self.clrewrite = os.path.join(links, "clrewrite")
        self.environment[shared_device.VARIABLE] = pool.told()
        return folder

    def run(self, *words, folder, given=None, **environment):
        try:
            return subprocess.run(["prlimit", f"--cpu={HANG}", *words], cwd=folder,
                                  capture_output=True, text=True, timeout=WAIT,
                                  errors="replace", input=given,
                                  env={**self.environment, **environment},
                                  start_new_session=True)  # Ctrl-C is not theirs.
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 124, "", f"hangs: {words}")

    def edits(self, folder, seed, texts=0, rewrites=()):
        """The versions of folder/before.cl, all or so many texts, by all rewrites or by
        those that are named, and the counts of declined sites."""
        shelter = "__AMDGCN__" if seed % 4 == 3 else ""
        done = self.run(self.each_edit, "before.cl", "after", str(seed % 2**32),
                        str(texts), shelter, *rewrites, folder=folder)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return done, [x for x in lines if "edits" in x], \
            next((x["declined"] for x in lines if "declined" in x), {})

    def reads(self, folder, build):
        """folder/before.cl parses in that build."""
        return self.run(self.clrewrite, "--no-config", "--no-measure", "--no-cache",
                        "--verify=off", "--only=reroll", "before.cl", "--", *build,
                        folder=folder).returncode in (0, 1)

    def verify(self, folder, after, *options, kept=None, build=()):
        """`kept` is the folder of the device program; without one it has one for itself."""
        there = {"CLREWRITE_DEVICE_FOLDER": kept} if kept else {}
        done = self.run(self.clrewrite, "verify", *options, "before.cl", after,
                        *(["--", *build] if build else []), folder=folder, **there)
        told = dict((k, (w, e)) for k, w, e in re.findall(
            r"^(\w+): (\w+): (.*)", done.stdout, re.M))
        return done, told


def problem_of(done):
    """A crash, a hang or an internal error, in a line; else none."""
    said = done.stdout + done.stderr
    if done.returncode < 0 or done.returncode > 2 or any(w in said for w in OPENED):
        return f"status {done.returncode}: " + said.strip()[-400:]
    return None


def options_for(version):
    """verify's for the edits of a version; None where it can't compare them."""
    if version["class"] == "exact":
        return []
    if version["class"] == "assumes":
        return ["--no-overlap"]
    if version["class"] == "launch":
        return ["--new-launch=" + ",".join(f"{e['kernel']}:{e['launch']}"
                                           for e in version["edits"])]
    return None


class Tally:
    def __init__(self):
        self.kernels = self.files = 0
        self.verdicts = collections.defaultdict(collections.Counter)
        self.by_kind = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()  # why edits are not proved
        self.untold = collections.Counter()  # why runs could not tell
        self.declined = collections.Counter()
        self.finds = []

    def add(self, other):
        self.kernels += other.kernels
        self.files += other.files
        for ours, theirs in (self.verdicts, other.verdicts), (self.by_kind, other.by_kind):
            for name, row in theirs.items():
                ours[name].update(row)
        self.reasons.update(other.reasons)
        self.untold.update(other.untold)
        self.declined.update(other.declined)
        self.finds += other.finds

    def show_kinds(self, names):
        print(f"\n| kind of kernel | kernels | edits | {' | '.join(names)} |")
        print("|---|" + "---|" * (len(names) + 2))
        for kind, row in sorted(self.by_kind.items()):
            print(f"| {kind} | {row['kernels']} | {sum(row[n] for n in names)} | " +
                  " | ".join(str(row[n]) for n in names) + " |")

    def show(self, seconds):
        names = (PROVED, SAME, UNKNOWN, DIFFERENT, "the driver's", "parses")
        print(f"| rewrite | applied | {' | '.join(names)} | declined |")
        print("|---|" + "---|" * (len(names) + 2))
        total = collections.Counter()
        for name in sorted({*self.verdicts, *self.declined}):
            row = self.verdicts[name]
            total += row
            print(f"| {name} | {sum(row.values())} | " +
                  " | ".join(str(row[n]) for n in names) + f" | {self.declined[name]} |")
        print(f"| all | {sum(total.values())} | " +
              " | ".join(str(total[n]) for n in names) +
              f" | {sum(self.declined.values())} |")
        self.show_kinds(names)
        print(f"\n{self.kernels} kernels in {self.files} files, "
              f"{sum(total.values())} edits, {len(self.finds)} finds, {seconds:.0f} s: "
              f"{60 * self.kernels / seconds:.0f} kernels a minute")
        for what, reasons in ("not proved", self.reasons), ("runs can't tell", self.untold):
            for reason, count in reasons.most_common(12):
                print(f"{what}: {count} times {reason}")


def opinions(tools, folder):
    """What two others say of the launch folder/witness.json, by who."""
    path = os.path.join(folder, "witness.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    plain = dict(job, versions=[dict(v, options=v["options"] + " -cl-opt-disable")
                                for v in job["versions"]])
    found = {}
    for name, words, text in (
            ("the driver without optimisation", [], plain),
            ("oclgrind", ["oclgrind", "--build-options", "-cl-opt-disable"], job)):
        if words and not shutil.which(words[0]):
            found[name] = "nothing"
            continue
        done = tools.run(*words, tools.device, "--allow-native", folder=folder,
                         given=json.dumps(text) + "\n")
        try:
            answer = json.loads(done.stdout)
            found[name] = "nothing" if not answer["ok"] else \
                "the same" if answer["same"] else "different"
        except (ValueError, KeyError):
            found[name] = "nothing"
    return found


class Work:
    """One file of kernels."""

    def __init__(self, tools, given, seed, folder, kept):
        self.tools, self.tally, self.given = tools, Tally(), given
        self.seed, self.folder, self.kept = seed, folder, kept
        self.build = []  # the options of the other build
        self.proofs = {}  # what is proved in it, by text
        self.begun = time.monotonic()
        self.kinds = generate.kinds(seed, given.kernels)
        self.random = random.Random(seed)
        self.runs = collections.Counter()  # of what is not proved

    def count(self, edit, verdict):
        self.tally.verdicts[edit["rewrite"]][verdict] += 1
        if edit["kernel"] in self.kinds:
            self.tally.by_kind[self.kinds[edit["kernel"]]][verdict] += 1

    def find(self, kind, kernel, edits, detail, after=None):
        entry = {"seed": self.seed, "kind": kind, "kernel": kernel, "detail": detail,
                 "build": self.build,
                 "edits": [e for e in edits if e["kernel"] == kernel] or edits}
        self.tally.finds.append(entry)
        made = " upon ".join(x for e in entry["edits"][:1] for x in (
            f"{e['rewrite']} [{e['label']}]", e["upon"]) if x)
        print(f"find: seed {self.seed}, {kernel}: {kind}, {made}: {detail[:300]}",
              flush=True)
        if self.given.out:
            os.makedirs(self.given.out, exist_ok=True)
            stem = os.path.join(self.given.out,
                                f"{self.seed}-{kernel}-{len(self.tally.finds)}")
            with open(stem + ".json", "w", encoding="utf-8") as file:
                json.dump(dict(entry, kernels=self.given.kernels, arrays=self.given.arrays), file, indent=1)
            for name, path in ("before", "before.cl"), ("after", after):
                if path and os.path.exists(os.path.join(self.folder, path)):
                    shutil.copy(os.path.join(self.folder, path), f"{stem}-{name}.cl")

    def check(self, version):
        """Proves, or runs, one new version."""
        edits, after = version["edits"], f"after/{version['text']}.cl"
        if version["problem"]:
            return self.find("does not parse", edits[0]["kernel"], edits,
                             version["problem"], after)
        options = options_for(version)
        if options is None:
            for edit in edits:
                self.count(edit, "parses")
            return None
        sample = self.random.random() < self.given.runs
        for edit in edits:
            if edit["why"].startswith("the prover ") and "exceeded" not in edit["why"]:
                self.find("prover", edit["kernel"], edits, edit["why"], after)
            verdict = PROVED if edit["proved"] else UNKNOWN
            if edit["why"]:
                self.tally.reasons[re.sub(
                    r"line \d+ of the (new version|original): ", "", edit["why"])] += 1
            if sample or self.must_run(version, edit):
                verdict = self.run(version, edit["kernel"], after, options,
                                   edit["proved"])
            if self.build and verdict != DIFFERENT:
                verdict = self.there(version, edit["kernel"], after, options)
            self.count(edit, verdict)
        return None

    def there(self, version, kernel, after, options):
        """Proves, or runs, a kernel of a new version in the other build."""
        if version["text"] not in self.proofs:
            done, self.proofs[version["text"]] = self.tools.verify(
                self.folder, after, "--prove=only", *options, build=self.build)
            if problem_of(done):
                self.find("verifier", kernel, version["edits"], problem_of(done), after)
        word, _ = self.proofs[version["text"]].get(kernel, ("unknown", ""))
        return PROVED if word == "proved" else UNKNOWN if self.given.runs < 0 else \
            self.run(version, kernel, after, options, False, self.build)

    def must_run(self, version, edit):
        """Where the prover knows a launch in which the versions may part, twice a
        rewrite and kernel; else a part of what is not proved. What a user must grant
        differs where it assumes what does not hold, so that less of it is run."""
        if edit["proved"] or self.given.runs < 0:
            return False
        self.runs[edit["kernel"], edit["rewrite"]] += 1
        first = self.runs[edit["kernel"], edit["rewrite"]] <= 2
        share = {"exact": 1 if edit["suspects"] else 0.2, "launch": 0.4}.get(
            version["class"], 0.1)
        share *= min(1, self.given.runs / 0.03)
        return self.random.random() < (share if first else share / 4)

    def run(self, version, kernel, after, options, proved, build=()):
        done, told = self.tools.verify(
            self.folder, after, f"--kernel={kernel}",
            "--witness=witness.json", f"--rounds={self.given.rounds}", "--seconds=8",
            f"--seed={self.seed % 2 ** 32}", *options, kept=self.kept, build=build)
        word, why = told.get(kernel, ("unknown", ""))
        if word == "different":
            others = opinions(self.tools, self.folder)
            drivers = "different" not in others.values() and (
                proved or "the same" in others.values())
            kind = "the driver's" if drivers else \
                "proved, but different" if proved else "different"
            self.find(kind, kernel, version["edits"], f"{why}; " + ", ".join(
                f"{who} says {what}" for who, what in others.items()), after)
            return "the driver's" if drivers else DIFFERENT
        if build and "the original's launch crashed" in why:
            self.tally.untold["a smaller number is no address of a vector"] += 1
            return UNKNOWN
        if problem_of(done) or kernel not in told:
            self.find("verifier", kernel, version["edits"],
                      problem_of(done) or done.stderr.strip()[-400:], after)
        if word != "same" and why:
            self.tally.untold[re.sub(r"\d+", "N", why)] += 1
        return PROVED if proved else SAME if word == "same" else UNKNOWN

    def fix(self, rewrites):
        """--fix of a rewrite, or of all, comes to an end: what it leaves out since edits
        overlap it may find in its own output, but not again and again."""
        for name in [None, *self.random.sample(rewrites, min(2, len(rewrites)))]:
            edit = {"rewrite": name or "all by --fix", "label": "", "kernel": "",
                    "upon": ""}
            shutil.copy(os.path.join(self.folder, "before.cl"),
                        os.path.join(self.folder, "fixed.cl"))
            words = [self.tools.clrewrite, "--no-config", "--no-measure", "--no-cache",
                     "--verify=off", "--fix", *([f"--only={name}"] if name else []),
                     "fixed.cl"]
            texts = [None]
            while len(texts) < 7 and (len(texts) < 3 or texts[-1] != texts[-2]):
                done = self.tools.run(*words, folder=self.folder)
                if problem_of(done) or done.returncode:
                    self.find("--fix", "", [edit], problem_of(done) or
                              done.stderr[-400:] + done.stdout[-400:])
                    return
                with open(os.path.join(self.folder, "fixed.cl"), "rb") as file:
                    texts.append(file.read())
            if texts[-1] != texts[-2]:
                self.find("--fix does not end", "", [edit], "", "fixed.cl")
            if not name:
                self.check_fixed(edit)

    def check_fixed(self, edit):
        _, told = self.tools.verify(self.folder, "fixed.cl", "--prove=only",
                                    kept=self.kept)
        for kernel, (word, _) in told.items():
            edit = dict(edit, kernel=kernel)
            version = {"edits": [edit], "text": "fixed"}
            verdict = PROVED if word == "proved" else UNKNOWN if self.given.runs < 0 else \
                self.run(version, kernel, "fixed.cl", [], False)
            if self.build and verdict != DIFFERENT:
                verdict = self.there(version, kernel, "fixed.cl", [])
            self.count(edit, verdict)

    def write(self):
        """Writes before.cl; False where no variation of it parses in the other build."""
        text = made = generate.file(self.seed, self.given.kernels, self.given.arrays)
        for attempt in range(ATTEMPTS):
            if self.given.builds:
                made, self.build = builds.vary(text, f"{self.seed} {attempt}")
            with open(os.path.join(self.folder, "before.cl"), "w", newline="",
                      encoding="utf-8") as file:
                file.write(made)
            if not self.build or self.tools.reads(self.folder, self.build):
                return True
        self.tally.untold["no variation parses in the other build"] += 1
        return False

    def all(self):
        self.tally.files, self.tally.kernels = 1, self.given.kernels
        for kind in self.kinds.values():
            self.tally.by_kind[kind]["kernels"] += 1
        if not self.write():
            return
        done, versions, declined = self.tools.edits(self.folder, self.seed,
                                                    self.given.texts, self.given.rewrite)
        if done.returncode:
            kind = "generator" if done.returncode == 1 else "each-edit"
            self.find(kind, "", [], done.stderr[-600:])
        self.tally.declined.update(declined)
        for version in versions:
            self.check(version)
        if self.given.progress:
            print(f"seed {self.seed}: {len(versions)} texts, "
                  f"{time.monotonic() - self.begun:.0f} s", flush=True)
        if not self.given.rewrite and not done.returncode and self.seed % 3 == 1:
            self.fix(sorted({e["rewrite"] for v in versions for e in v["edits"]}))


def work(tools, given):
    """What became of all files. Where the time is over, or the user ends it, what was begun
    is finished."""
    begun, tally, lock = time.monotonic(), Tally(), threading.Lock()
    files = given.files or (1 if given.seconds is None else sys.maxsize)
    seeds = iter(range(given.first, given.first + files))
    stop = threading.Event()

    def files_with(kept):
        """Works on so many files with a device program that keeps what it compiles in
        that folder; False once there are no more."""
        for _ in range(KEPT):
            if stop.is_set() or given.seconds and time.monotonic() - begun >= given.seconds:
                return False
            with lock:
                seed = next(seeds, None)
            if seed is None:
                return False
            with tempfile.TemporaryDirectory() as folder:
                file = Work(tools, given, seed, folder, kept)
                file.all()
            with lock:
                tally.add(file.tally)
                # Then it is the programs, not the kernels.
                if tally.files == HOPELESS and HOPELESS == sum(
                        f["kind"] == "generator" for f in tally.finds):
                    print(f"none of the first {HOPELESS} files can be read: each-edit looks "
                          "for Clang's headers where clrewrite does, so that it belongs "
                          "beside it", flush=True)
                    stop.set()
        return True

    def one_after_the_other(shared):
        more = True
        while more:
            with tempfile.TemporaryDirectory(
                    dir=shared, ignore_cleanup_errors=True) as kept:
                more = files_with(kept if shared else None)

    with contextlib.ExitStack() as stack, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        shared = tools.share_devices(given.jobs, stack)
        lanes = [pool.submit(one_after_the_other, shared) for _ in range(given.jobs)]
        try:
            for lane in concurrent.futures.as_completed(lanes):
                lane.result()
        except KeyboardInterrupt:
            print("interrupted: the files that were begun are finished", flush=True)
        finally:
            stop.set()
    tally.show(time.monotonic() - begun)
    return tally


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--files", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--kernels", type=int, default=6)
    parser.add_argument("--texts", type=int, default=0)
    parser.add_argument("--runs", type=float, default=0.03)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--progress", action="store_true")
    parser.add_argument("--rewrite", action="append", default=[])
    parser.add_argument("--arrays", type=float, default=0.3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("--each-edit")
    parser.add_argument("--builds", action="store_true")
    parser.add_argument("--shrink")
    given = parser.parse_args()
    # Both finish what was begun, also where a shell started it in the background.
    for ends in signal.SIGINT, signal.SIGTERM:
        signal.signal(ends, signal.default_int_handler)
    tools = Tools(given.bin, given.each_edit)
    if given.shrink:
        import shrink
        return shrink.main(tools, given.shrink)
    return any(f["kind"] != "the driver's" for f in work(tools, given).finds)


if __name__ == "__main__":
    sys.exit(main())
