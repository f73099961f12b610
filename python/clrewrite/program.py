"""Where the program clrewrite is, and starting it."""
import importlib.metadata
import os
import shutil
import subprocess
import sys

from .report import Report, ReportError, parse


def find():
    """The path of the program clrewrite: that of this package, where it came as a wheel,
    else the one on PATH. Raises FileNotFoundError where there is none."""
    try:
        files = importlib.metadata.files("clrewrite") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        # A wheel has it in the environment's folder of programs.
        if file.parts[-2:] == ("bin", "clrewrite"):
            path = os.path.realpath(file.locate())
            if os.access(path, os.X_OK):
                return path
    path = shutil.which("clrewrite")
    if path is None:
        raise FileNotFoundError("the program clrewrite is neither part of this package nor "
                                "on PATH: pip install clrewrite, or see docs/installing.md")
    return path


def run(*arguments, cwd=None) -> Report:
    """Runs `clrewrite --format=json` with arguments as on a command line, in the folder
    cwd, and returns its report. Files that could not be worked on have a problem there;
    where there is no report at all, ReportError has what the program said."""
    words = [str(each) for each in arguments]
    # Commands such as measure come first, and the options of the compiler behind `--`.
    at = words.index("--") if "--" in words else len(words)
    done = subprocess.run([find(), *words[:at], "--format=json", *words[at:]], cwd=cwd,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if not done.stdout:
        said = done.stderr.decode(errors="replace").strip()
        raise ReportError(f"clrewrite ended with {done.returncode}: {said}")
    return parse(done.stdout)


def become(name):
    """Replaces this process by the program, which is told its name: as clrewrite-lsp it
    is the language server."""
    try:
        path = find()
    except FileNotFoundError as error:
        sys.exit(f"{name}: {error}")
    os.execv(path, [name, *sys.argv[1:]])
