"""compiles_everywhere.py FILE...: every kernel of every file compiles for every
offline target, by clrewrite's own measuring. LLVM itself crashes on some kernels for
gfx600 and gfx701 (22 finds that it has smashed its stack, or, within clrewrite, comes to
what is no instruction, or to a bad address; 19 goes on to one), and gfx942 has no images; that is
printed, and only there allowed."""
import json
import re
import subprocess
import sys

TARGETS = "gfx600,gfx701,gfx803,gfx906,gfx90a,gfx942,gfx1030,gfx1100,gfx1201"
llvm = int(re.search(r"\(LLVM (\d+)", subprocess.run(
    ["clrewrite", "--version"], capture_output=True, text=True).stdout)[1])
CRASHED = ["LLVM crashed (SIGSEGV)"]
if llvm >= 22:
    CRASHED += ["LLVM crashed (SIGABRT): *** stack smashing", "LLVM crashed (SIGILL)"]
KNOWN = {"gfx600": CRASHED, "gfx701": CRASHED,
         "gfx942": ["requested image instruction is not supported"]}
bad = kernels = 0
for path in sys.argv[1:]:
    out = subprocess.run(["clrewrite", "--format=json", "--only=serialise-vload",
                          "--alternative=none", "--target=" + TARGETS, path],
                         capture_output=True, text=True)
    report = json.loads(out.stdout)["files"][0]
    if report["problem"]:
        print(path, report["problem"], out.stderr)
        bad += 1
    for kernel in report["kernels"]:
        kernels += 1
        for target in kernel["targets"]:
            if target["problem"]:
                print(path, kernel["name"], target["target"], target["problem"])
                bad += not any(known in target["problem"]
                               for known in KNOWN.get(target["target"], []))
print(f"{kernels} kernels, {bad} problems")
sys.exit(1 if bad or not kernels else 0)
