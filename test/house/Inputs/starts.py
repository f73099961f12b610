"""Finds what starts a process. Each has a limit of time and of memory, so that is
done in one place (lib/process), and in those that are named here, with why.

usage: starts.py SOURCE_FOLDER"""
import pathlib
import re
import sys

MAY = {
    "lib/process/Forked.cpp": "the one place that forks",
    "lib/capture/RunCaptured.cpp": "the user's own program, which the command names",
    "tools/clrewrite/FleetCommand.cpp": "the run's own shards, for as long as they take",
    "tools/clrewrite-device/Sandbox.cpp": "the keeper and the first process of a sandbox",
}
# Children that have what lib/process offers, and limits of their own.
FORKS = {
    "lib/process/Workers.cpp", "lib/process/Program.cpp",
    "lib/opencl/DeviceProcess.cpp",  # a time for each job; the sandbox limits memory
    # The work of the main process, whose readers have bounds; what compiles or
    # runs anything is a child of it with limits.
    "tools/clrewrite/LspJob.cpp", "tools/clrewrite/Filter.cpp",
}
STARTS = re.compile(r"\b(fork|vfork|clone3?|exec[lv]p?e?|execvpe|fexecve|posix_spawnp?|popen"
                    r"|system|ExecuteAndWait|ExecuteNoWait)\s*\(")
top = pathlib.Path(sys.argv[1])
files = wrong = 0
# Other folders may change meanwhile, as the build's does.
for path in sorted(path for folder in ("lib", "tools", "rewrites", "advice")
                   for path in (top / folder).glob("**/*")):
    name = path.relative_to(top).as_posix()
    if path.suffix not in (".cpp", ".h") or name.endswith("Test.cpp"):
        continue
    files += 1
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = re.sub(r'//.*|"(\\.|[^"\\])*"', "", line)
        if STARTS.search(code) and name not in MAY or (
                re.search(r"\bforkChild\(", code) and path.suffix == ".cpp" and
                name not in FORKS and name not in MAY):
            wrong += 1
            print(f"WRONG: {name}:{number} starts a process: use process::runProgram, "
                  "which has limits")
print(f"{files} files, {wrong} wrong")
