"""Holds every rewrite to what all of them promise, on the `before` section of
its own test.

usage: each_rewrite.py FOLDER macros|crlf|exact

macros: with the whole text in a macro's body nothing is edited, and a declined
line of the rewrite says that it is the macro.
crlf: of the text with CRLF comes the same with CRLF, and untouched lines stay.
exact: without --unsafe-fixes and grants only edits of the class exact are made,
and every other one is announced."""
import json
import re
import subprocess
import sys


def section(path, name):
    with open(path) as file:
        parts = re.split(r"^//--- (.*)\n", file.read(), flags=re.M)
    return parts[parts.index(name) + 1] if name in parts else None


def fix(name, text, *options):
    done = subprocess.run(
        ["clrewrite", "--no-config", "--no-measure", "--verify=off", "--fix",
         "--only=" + name, *options, "-"], input=text.encode(),
        capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


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


def macros(name, before):
    _, plain, _ = fix(name, before, "--unsafe-fixes")
    assert plain != before, "finds no site in its own test"
    text = in_macro(before)
    status, after, told = fix(name, text, "--unsafe-fixes", "--verbose")
    assert status == 0, told
    assert after == text, "edits what comes from a macro's body"
    reasons = re.findall(f"declined {name}: (.*)", told)
    assert reasons, "says nothing of what comes from a macro's body"
    assert any("macro" in reason for reason in reasons), \
        "declines for another reason: " + "; ".join(reasons)


def crlf(name, before):
    _, plain, _ = fix(name, before, "--unsafe-fixes")
    status, after, told = fix(name, before.replace("\n", "\r\n"),
                              "--unsafe-fixes")
    assert status == 0, told
    assert plain != before
    assert after == plain.replace("\n", "\r\n"), "differs with CRLF"


def exact(name, before):
    status, after, told = fix(name, before)
    assert status == 0, told
    done = subprocess.run(
        ["clrewrite", "--no-config", "--no-measure", "--verify=off",
         "--format=json", "--only=" + name, "-"], input=before.encode(),
        capture_output=True)
    report = json.loads(done.stdout)["files"][0]["rewrites"]
    assert all(r["safety"] == "exact" for r in report if r["applied"]), report
    assert any(r["applied"] for r in report) == (after != before)
    hidden = [r for r in report if r["safety"] not in ("exact", None)]
    text = subprocess.run(
        ["clrewrite", "--no-config", "--no-measure", "--verify=off",
         "--only=" + name, "-"], input=before.encode(),
        capture_output=True).stdout.decode()
    if hidden and not any(r["applied"] for r in report):
        assert "to be tried: " + name in text, "is not announced: " + text


def stems(folder):
    listed = subprocess.run(["clrewrite", "--list-rewrites"],
                            capture_output=True, text=True).stdout
    for line in listed.splitlines():
        name = line.split()[0]
        stem = "".join(part.capitalize() for part in name.split("-"))
        yield name, f"{folder}/{name}/{stem}.cl"


def main():
    folder, what = sys.argv[1:]
    wrong = count = 0
    for name, path in stems(folder):
        count += 1
        try:
            globals()[what](name, section(path, "before.cl"))
        except AssertionError as problem:
            wrong += 1
            print(f"WRONG: {name}: {problem}")
    print(f"{count} rewrites, {wrong} wrong")


if __name__ == "__main__":
    main()
