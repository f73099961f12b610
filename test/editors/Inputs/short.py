"""Folders whose paths are short. A socket's path has room for 107 bytes, so that
what programs put into TMPDIR or XDG_RUNTIME_DIR must not lie deep, as what a
build makes may.

usage: short.py COMMAND [argument...]

runs the command with such a folder as both, which ends with it."""
import os
import shutil
import subprocess
import sys
import tempfile


def folder():
    """A new one, for its maker alone: in TMPDIR, or in /tmp where that lies deep."""
    deep = len(os.fsencode(tempfile.gettempdir())) > 30
    return tempfile.mkdtemp(prefix="clr", dir="/tmp" if deep else None)


def main():
    short = folder()
    try:
        return subprocess.run(sys.argv[1:], env={
            **os.environ, "TMPDIR": short, "XDG_RUNTIME_DIR": short}).returncode
    finally:
        shutil.rmtree(short, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
