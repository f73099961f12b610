"""broken.py SOURCE WORK: breaks a copy of a rewrite's test in several ways, and sees that
the tests of test/rewrites.py fail of each."""
import os
import sys

source, work = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "test"))
from rewrites import Case, Failed

FILE = "rewrites/limit-unroll/LimitUnroll.cl"
with open(os.path.join(source, FILE), encoding="utf-8") as file:
    GOOD = file.read()
path = os.path.join(work, FILE)
os.makedirs(os.path.dirname(path), exist_ok=True)


def problem(test, name, old="", new=""):
    """What the test says of the text with `new` in place of the last `old`."""
    text = new.join(GOOD.rsplit(old, 1)) if old else GOOD
    assert not old or text != GOOD, old
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    case = Case(path)
    case.start(os.path.join(work, "out"), dict(os.environ))
    try:
        getattr(case, "test_" + test)(*name)
    except Failed as failure:
        return str(failure)
    return ""


BREAKS = [
    ("fix", ["after.cl"], "s ^= g[i]", "s ^=  g[i]"),
    ("fix", ["after.cl"], "AGAIN-after: declined", "AGAIN-after: legal"),
    ("fix", ["after.cl"], "// AGAIN-after:", "// NO-after:"),
    ("declines", [], "CHECK: declined limit-unroll: ", "CHECK: declined limit-unroll: not "),
    ("declines", [], "// CHECK: declined", "// declined"),
    ("wrong", ["unroll"], "j + 1 < n; j += 2)\n    sum += in[i + j] + in[i + j + 1]",
     "j < n; ++j)\n    sum += in[i + j]"),
    ("sections", [], "//--- unroll-wrong.cl", "//--- unroll-other.cl"),
    ("sections", [], "//--- declines.cl", "//--- other.cl"),
    ("sections", [], "// PAIR: before.cl after.cl", "//"),
    ("sections", [], "// AGAIN", "// VERIFY: before.cl --no-overlap\n// AGAIN"),
]
missed = 0
for test, name, old, new in BREAKS:
    good, bad = problem(test, name), problem(test, name, old, new)
    if good or not bad:
        missed += 1
        print(f"WRONG: {test}: '{new}' for '{old}': {good or 'it passes'}")
print(f"{len(BREAKS)} ways to break a test, {missed} not seen")
