"""run.py BUILD [FILTER]: runs the tests of a build folder with lit, and tells at
the end which were not run, and why, and how each that failed ended: a log of all
tests may be cut in its middle.

FILTER is a regular expression for the names of tests, which lit shows while it
runs them; "editors" stands for those in real editors and in a browser."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

LAST_LINES, LONGEST_LINE = 25, 400  # of the output of a test that failed
EDITORS = r"(clrewrite|cases) :: (editors/|html/browser|site/browser)"
# What takes longest, so that it begins first where lit has no times of an earlier run.
LONGEST = {"cases": ["package/chroot", "editors/vscode", "device/faults_at_once"],
           "lit": ["fleet/slurm.test", "prove/kernels.test", "fleet/http.test", "examples/pages.test",
                   "examples/pages-align-to-included.test",
                   "cli/variants.test", "verify/pairs.test", "cli/variants-amd.test",
                   "verify/oclgrind-others.test", "verify/oclgrind-vectors.test",
                   "verify/oclgrind-filters.test", "security/bounds.test", "security/fuzz.test",
                   "house/added.test", "package/wheel.test", "package/deb.test", "package/rpm.test",
                   "examples/measured.test", "cli/files.test",
                   "examples/pages-issue-bound-to-written-out.test"],
           "rewrites": ["split-array/races-after", "split-array/races-rows",
                        "pad-buffer/verify.test"]}


def expect_times(suite):
    """Gives lit the order where it has none."""
    path = os.path.join(suite, ".lit_test_times.txt")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(f"{60 - i} {name}\n" for i, name in enumerate(
                LONGEST.get(os.path.basename(suite), [])))


def main():
    build = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    with open(os.path.join(build, "test", "lit", "lit.site.cfg.py"),
              encoding="utf-8") as f:
        llvm = re.search(r'^config.llvm_bin = "(.*)"', f.read(), re.M)[1]
    # Debian has it beside the other tools since LLVM 22; it runs with Debian's Python,
    # which has psutil.
    lit = [os.path.join(llvm, "lit")]
    if not os.path.exists(lit[0]):
        lit = ["/usr/bin/python3", os.path.join(os.path.dirname(llvm), "build", "utils",
                                                "lit", "lit.py")]
    suites = [os.path.join(build, "test", s) for s in
              ("lit", "rewrites", "advice", "cases")]
    results = tempfile.NamedTemporaryFile(suffix=".json")
    for suite in suites:
        expect_times(suite)
    # Many tests wait: for a child's limit of time, a browser, an archive.
    workers = 2 * len(os.sched_getaffinity(0))
    command = [*lit, "-v", f"--workers={workers}", "--timeout=1800", "--output",
               results.name]
    if wanted:
        command += ["--filter", EDITORS if wanted == "editors" else wanted]
    # Tests send signals; who starts a suite with nohup has one ignored, which is inherited.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    spent = tempfile.NamedTemporaryFile(mode="r", suffix=".txt")
    code = subprocess.run(command + suites, env={
        **os.environ, "CLREWRITE_TEST_SECONDS": spent.name}).returncode
    seconds = {name: float(time) for time, name in
               (line.rstrip("\n").split(" ", 1) for line in spent)}
    try:
        with open(results.name, encoding="utf-8") as f:
            tests = json.load(f)["tests"]
    except ValueError:
        return code or 1
    count = {"passed": 0, "failed": 0, "skipped": 0}
    left, failed = [], []
    for test in tests:
        kind = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "passed",
                "UNSUPPORTED": "skipped", "SKIPPED": "skipped"}
        kind = kind.get(test["code"], "failed")
        count[kind] += 1
        if kind == "skipped":
            left.append(test)
        if kind == "failed":
            failed.append(test)
    for test in sorted(left, key=lambda t: t["name"]):
        lines = test["output"].strip().splitlines()
        print(f"not run: {test['name']}: {lines[-1] if lines else '?'}")
    if any(re.match(EDITORS, test["name"]) for test in left):
        print("(./dev test editors installs the editors and browsers)")
    for what, took in (
            ("the longest", {t["name"]: t.get("elapsed", 0) for t in tests}),
            ("the most processor time", seconds)):
        most = sorted(took, key=took.get, reverse=True)[:10]
        print(f"{what}, of {sum(took.values()):.0f} s: " + ", ".join(
            f"{name.split(' :: ')[1]} {took[name]:.0f} s" for name in most))
    for test in failed:
        print(f"failed: {test['name']} ({test['code']}), which ended with")
        for line in test["output"].strip().splitlines()[-LAST_LINES:]:
            print(f"  {line[:LONGEST_LINE]}")
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return code or (0 if count["passed"] else 1)


if __name__ == "__main__":
    sys.exit(main())
