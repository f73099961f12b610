"""Where the program clrewrite is, and starting it."""
import importlib.metadata
import os
import shutil
import sys


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


def become(name):
    """Replaces this process by the program, which is told its name: as clrewrite-lsp it
    is the language server."""
    try:
        path = find()
    except FileNotFoundError as error:
        sys.exit(f"{name}: {error}")
    os.execv(path, [name, *sys.argv[1:]])
