"""The tests of a rewrite, which lit runs (cases.py). A test file, rewrites/NAME/Name.cl, has
sections (`//--- before.cl`) and, above them, lines that say how they belong together:

    PAIR: before.cl after.cl OPTION...    --fix makes the second of the first
    FIX-after: TEXT                       FileCheck's lines of what it says then
    AGAIN-after: TEXT                     and of what it says of its own output; without
                                          any, it says nothing
    VERIFY: after.cl OPTION...            options of `clrewrite verify` for the pair
    RACES: after.cl OPTION...             options of oclgrind.py, a line for each run
    WRONG: after.cl KERNEL TEXT => TEXT   this edit makes the kernel wrong
    DECLINES: other.cl OPTION...          as declines.cl, which needs no line
    MACROS: no: REASON                    leaves out the test of the text in a macro
    RUN: COMMAND                          as in any test of lit's

In place of VERIFY's or RACES' options, `no: REASON` leaves that out, and `alone: REASON`
has only the old version simulated. Of each pair lit has the tests fix-AFTER,
verify-AFTER and races-AFTER, of each wrong version, which may also be a section
NAME-wrong.cl beside NAME.cl, wrong-NAME; and declines, macros, exact and sections of
the rewrite. So none is written twice, and none is forgotten."""
import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")


class Failed(Exception):
    pass


class Sections:
    """The sections of a file, as split-file has them, and what stands above them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.head, *parts = re.split(r"^//--- (.*)\n", file.read(), flags=re.M)
        self.texts = dict(zip(parts[::2], parts[1::2]))


def in_macro(text):
    """The text as the body of a macro, which is used once; its directives
    before it."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = text.replace("\\\n", " ")
    lines = text.split("\n")
    directives = [line for line in lines if line.lstrip().startswith("#")
                  and "#pragma" not in line]
    code = [line for line in lines if not line.lstrip().startswith("#")]
    return "\n".join(directives) + "\n#define ALL \\\n" + \
        " \\\n".join(code) + "\n\nALL\n"


def lines_of(head, key):
    """The words behind each `// KEY: NAME`, by the name."""
    found = {}
    for name, rest in re.findall(rf"^// {key}: (\S+)(?: (.*))?$", head, re.M):
        found.setdefault(name, []).append(rest)
    return found


def launched_alike(options):
    """verify's options for two versions that the host launches alike."""
    return [word for word in options if not word.startswith("--new-launch")]


def stem(section):
    return section.removesuffix(".cl")


class Case:
    """A test file as values, and what a test of it does."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(os.path.dirname(path))
        self.sections = Sections(path)
        head = self.sections.head
        self.head = head
        self.pairs = {}
        for before, rest in ((b, r) for b, all_ in lines_of(head, "PAIR").items()
                             for r in all_):
            after, *options = shlex.split(rest)
            self.pairs[after] = before, options
        self.verify, self.races, self.declines = (
            lines_of(head, key) for key in ("VERIFY", "RACES", "DECLINES"))
        self.declines.setdefault("declines.cl", [""])
        self.wrong = {}
        for after, edits in lines_of(head, "WRONG").items():
            for edit in edits:
                kernel, edit = edit.split(" ", 1)
                if kernel in self.wrong:
                    raise Failed(f"{path}: {kernel} is wrong in two ways")
                self.wrong[kernel] = after, edit.split(" =>", 1)
        for section in self.sections.texts:
            if section.endswith("-wrong.cl"):
                self.wrong[stem(section)[:-len("-wrong")]] = section, None

    def tests(self):
        yield from ("sections", "exact")
        if not re.search(r"^// MACROS: no: \S", self.head, re.M):
            yield "macros"
        for after in self.pairs:
            yield "fix-" + stem(after)
            for what, given in ("verify", self.verify), ("races", self.races):
                if not self.word(given, after).startswith("no:"):
                    yield f"{what}-{stem(after)}"
        for section in self.declines:
            yield "declines" if section == "declines.cl" else "declines-" + stem(section)
        for name in self.wrong:
            yield "wrong-" + name

    @staticmethod
    def word(given, after):
        return given.get(after, [""])[0]

    def options(self, after):
        """verify's for the pair."""
        said = self.word(self.verify, after)
        return [] if said.startswith("no:") else shlex.split(said)

    def start(self, folder, environment):
        """What follows happens in the folder, which is made anew."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.folder, self.environment, self.log = folder, environment, ""
        for name in self.sections.texts:
            self.write(name, self.sections.texts[name])

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8",
                  newline="") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8",
                  newline="") as file:
            return file.read()

    def run(self, *words, given=None, status=0):
        self.log += "$ " + shlex.join(words) + "\n"
        done = subprocess.run(
            words, input=given, text=True, cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace",
            stdin=subprocess.DEVNULL if given is None else None)
        said = done.stdout + done.stderr
        if status is not None and done.returncode != status:
            self.log += said
            raise Failed(f"exit code {done.returncode}, not {status}")
        return done.stdout

    def hold(self, holds, problem):
        if not holds:
            raise Failed(problem)

    def same(self, wanted, name):
        """The file has the text that the section is, or a diff says where not."""
        text = self.read(name)
        if text != wanted:
            self.log += "".join(difflib.unified_diff(
                wanted.splitlines(True), text.splitlines(True), "wanted", name))
            raise Failed(f"{name} has another text")

    def clrewrite(self, *words, file, **rest):
        """Words behind a `--` stay behind the file."""
        cut = words.index("--") if "--" in words else len(words)
        return self.run("clrewrite", "--only=" + self.name, "--no-measure",
                        *words[:cut], file, *words[cut:], **rest)

    def filecheck(self, said, checks, *options):
        self.log += said
        self.run("FileCheck", checks, *options, given=said)

    def said(self, said, prefix, *options):
        """Whether the head has lines with the prefix; FileCheck's opinion then."""
        if not re.search(rf"^// {prefix}(-COUNT-\d+)?:", self.head, re.M):
            return False
        self.filecheck(said, self.path, "--check-prefix=" + prefix, "--allow-empty",
                       *options)
        return True

    # --- The tests ------------------------------------------------------------

    def test_fix(self, after):
        before, options = self.pairs[after]
        text, wanted = self.sections.texts[before], self.sections.texts[after]
        out = self.write(stem(before) + "-out.cl", text)
        fix = ["--verify=off", *options]
        said = self.clrewrite("--fix", *fix, file=out)
        self.same(wanted, out)
        self.said(said, "FIX-" + stem(after))
        if "// CHECK: " + out in text:
            self.filecheck(said, before)
        # Line endings stay as they are.
        crlf = self.write("crlf.cl", text.replace("\n", "\r\n"))
        self.clrewrite("--fix", *fix, file=crlf)
        self.same(wanted.replace("\n", "\r\n"), crlf)
        # Its own output holds nothing more to do.
        said = self.clrewrite("--fix", "--verbose", *fix, file=out)
        self.same(wanted, out)
        if not self.said(said, "AGAIN-" + stem(after), "--implicit-check-not=legal",
                         "--implicit-check-not=applied"):
            self.log += said
            self.hold(" " + self.name not in said, "it finds a site in its own output")
        # Nothing that needs a grant is applied without one.
        if "--unsafe-fixes" in fix:
            left = self.write("left.cl", text)
            self.clrewrite("--fix", *(w for w in fix if w != "--unsafe-fixes"), file=left)
            self.same(text, left)
        self.log += self.run(sys.executable,
                             os.path.join(INPUTS, "compiles_everywhere.py"), out)

    def test_verify(self, after):
        """The checker runs the original twice; so the pair shows that it is the same as
        itself, too."""
        before, options = self.pairs[after]
        out = self.write(stem(before) + "-out.cl", self.sections.texts[before])
        given = self.options(after)
        # Without options of its own, the command would do the same once more.
        self.clrewrite("--fix", *options,
                       *([] if given else ["--require-verified"]), file=out)
        self.same(self.sections.texts[after], out)
        options = given
        if options:
            self.run("clrewrite", "verify", *options, before, after)
        # The new version is defined: it agrees with itself.
        self.run("clrewrite", "verify", "--rounds=8",
                 *launched_alike(options), after, after)

    def test_races(self, after):
        before, _ = self.pairs[after]
        for options in self.races.get(after, [""]):
            if options.startswith("alone:"):
                options, new = "", before
            else:
                new = after
            self.log += self.run(sys.executable, os.path.join(INPUTS, "oclgrind.py"),
                                 *self.options(after),
                                 *shlex.split(options), before, new)

    def test_declines(self, section="declines.cl"):
        options = shlex.split(self.declines[section][0])
        self.filecheck(self.clrewrite("--verbose", *options, file=section), section,
                       "--implicit-check-not=declined", "--implicit-check-not=legal")

    def test_wrong(self, name):
        section, edit = self.wrong[name]
        if edit is None:
            before, wrong, options = name + ".cl", section, ["--seconds=20"]
        else:
            text, (old, new) = self.sections.texts[section], edit
            self.hold(old in text, f"{section} has no '{old}'")
            before = self.pairs[section][0]
            wrong = self.write("wrong.cl", text.replace(old, new.strip()))
            options = [*self.options(section), "--kernel=" + name]
        told = self.run("clrewrite", "verify", *options, before, wrong,
                        status=1)
        self.hold(edit is None or f"{name}: different:" in told, told)
        self.hold("it was proved equal" not in told, told)
        # What is undefined, or never ends, is not the same as anything.
        if "undefined" not in self.read(wrong):
            self.run("clrewrite", "verify", *launched_alike(options), wrong,
                     wrong)

    def through(self, text, *options):
        """--fix of a text from standard input, which is verified by nobody."""
        self.write("given.cl", text)
        return self.clrewrite("--no-config", "--verify=off", "--fix", *options, file="-",
                              given=text)

    def test_macros(self):
        """With the whole text in a macro's body nothing is edited, and a declined line
        of the rewrite says that it is the macro."""
        before = self.sections.texts["before.cl"]
        self.hold(self.through(before, "--unsafe-fixes") != before,
                  "it finds no site in its own test")
        out = self.write("macro.cl", in_macro(before))
        said = self.clrewrite("--no-config", "--verify=off", "--fix", "--unsafe-fixes",
                              "--verbose", file=out)
        self.same(in_macro(before), out)
        reasons = re.findall(f"declined {self.name}: (.*)", said)
        self.hold(reasons, "it says nothing of what comes from a macro's body")
        self.hold(any("macro" in reason for reason in reasons),
                  "it declines for another reason: " + "; ".join(reasons))

    def test_exact(self):
        """Without --unsafe-fixes and grants only edits of the class exact are made, and
        every other one is announced."""
        before = self.sections.texts["before.cl"]
        after = self.through(before)
        look = ["--no-config", "--verify=off"]
        report = json.loads(self.clrewrite(*look, "--format=json", file="before.cl",
                                           status=None))["files"][0]["rewrites"]
        applied = [r for r in report if r["applied"]]
        self.hold(all(r["safety"] == "exact" for r in applied), str(applied))
        self.hold(bool(applied) == (after != before), "the report and the text differ")
        if not applied and any(r["safety"] not in ("exact", None) for r in report):
            text = self.clrewrite(*look, file="before.cl", status=None)
            self.hold("to be tried: " + self.name in text,
                      "it is not announced: " + text)

    def test_sections(self):
        """Every rewrite has what all of them have, and no line and no section is for
        nothing."""
        texts = self.sections.texts
        self.hold("after.cl" in self.pairs, "it has no pair of before.cl and after.cl")
        self.hold("declines.cl" in texts, "it has no section declines.cl")
        self.hold(self.wrong, "it has no version that is wrong on purpose")
        used = {*self.pairs, *(before for before, _ in self.pairs.values()),
                *self.declines, *(section for section, _ in self.wrong.values()),
                *(n + ".cl" for n, (_, edit) in self.wrong.items() if edit is None),
                *re.findall(r"%t/([\w.-]+)", self.head),
                *(n for t in texts.values() for n in re.findall(r'#include "(.*)"', t))}
        for name in texts:
            self.hold(name in used, f"nothing uses the section {name}")
        for given in self.verify, self.races:
            for name in given:
                self.hold(name in self.pairs, f"{name} is no new version")
                self.hold(not re.fullmatch(r"(no|alone):\s*", given[name][0]),
                          "a reason is missing")
        for name in [n for pair in self.pairs.items() for n in (pair[0], pair[1][0])] + [
                *self.declines, *(after for after, _ in self.wrong.values())]:
            self.hold(name in texts, f"there is no section {name}")
