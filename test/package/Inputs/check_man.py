"""check_man.py PAGE SOURCE: that the formatted manual page has every option of
the program's help, and the variables that the source reads, no others."""
import pathlib
import re
import subprocess
import sys


def text(*words):
    return subprocess.run(["clrewrite", *words], capture_output=True,
                          text=True, check=True).stdout


def say(right, what):
    print("" if right else "WRONG", what)


page = pathlib.Path(sys.argv[1]).read_text()
source = pathlib.Path(sys.argv[2])
full = text("--help-all")
commands = re.findall(r"^  ([a-z]+) ", full.split("\nCommands")[1], re.M)
options = set()
for shown in [full] + [text(c, "--help") for c in commands]:
    options |= set(re.findall(r"^  (?:-\w, )?(--?[a-z-]+)", shown, re.M))
missing = [o for o in options if not re.search(rf"\s{o}\b", page)]
say(len(options) > 40 and not missing,
    "options: as many as --help-all and the commands' help have"
    + "".join(f" not {o}" for o in missing))

read = set()
for folder in ("lib", "tools/clrewrite"):
    for file in (source / folder).rglob("*.cpp"):
        code = file.read_text()
        read |= set(re.findall(r'(?:getenv|GetEnv)\("([A-Z_]+)"', code))
        # Several in a loop.
        for names in re.findall(r"\{([^{}]*)\}\)\s*if [^;]*getenv\(", code):
            read |= set(re.findall(r'"([A-Z_]+)"', names))
script = (source / "tools/clrewrite-store/clrewrite-store").read_text()
read |= set(re.findall(r'environ\.get\("([A-Z_]+)"', script))
told = page.split("\nENVIRONMENT")[1].split("\nEXAMPLES")[0]
told = set(re.findall(r"(?:^ {7}|, )([A-Z][A-Z_]{4,})", told, re.M))
say(read == told, "environment: what the source reads"
    + "".join(f" {n}" for n in sorted(read ^ told)))
say(max(map(len, page.split("\n"))) <= 80, "80 columns")
