"""Writes the programs of CLBlast as files that a compiler takes: for each routine and each
precision the text that the library puts together and builds, with the parameters that its
kernels have by themselves. They serve fleet.py and public.py as a project like others; none
is part of this repository.

usage: clblast.py CHECKOUT OUT

CHECKOUT is a folder of CLBlast's sources; OUT gets ROUTINE.PRECISION.cl."""
import os
import re
import sys

PRECISIONS = ("16", "32", "64", "3232", "6464")


def text(path):
    """The OpenCL C in a file of raw strings."""
    with open(path, encoding="utf-8") as f:
        return "".join(re.findall(r'R"\((.*?)\)"', f.read(), re.S))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, out = os.path.join(sys.argv[1], "src"), sys.argv[2]
    os.makedirs(out, exist_ok=True)
    common = text(os.path.join(source, "kernels", "common.opencl"))
    for at, _, files in sorted(os.walk(os.path.join(source, "routines"))):
        for file in sorted(f for f in files if f.endswith(".cpp")):
            with open(os.path.join(at, file), encoding="utf-8") as f:
                parts = re.findall(r'^\s*#include "(\S*\.opencl)"', f.read(), re.M)
            program = "".join(text(os.path.join(at, part)) for part in parts
                              if not part.endswith("common.opencl"))
            for precision in PRECISIONS if "kernel" in program else ():
                name = f"{file[:-len('.cpp')]}.{precision}.cl"
                with open(os.path.join(out, name), "w", encoding="utf-8") as f:
                    f.write(f"#define PRECISION {precision}\n{common}{program}")


if __name__ == "__main__":
    main()
