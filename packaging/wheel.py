"""wheel.py FOLDER OUT [LEVEL]: packs a folder that folder.py has laid out as a wheel for
pip, and prints its path. LEVEL is zlib's (6; 0 stores, which is quickly made).

    bin/                  -> the programs' folder of the environment (data/scripts)
    lib/, share/          -> the environment itself (data/data): the programs look for
                             their things in ../lib/clrewrite beside themselves
    python/clrewrite/     -> the package clrewrite, which reads reports

A wheel has no links, so clrewrite-lsp, which is a link elsewhere, is an entry point that
starts clrewrite by that name. The wheel is tagged with the C library that the symbol
versions in the folder ask for, as PEP 600 has it; all other libraries are in the wheel.
Its bytes depend on the folder, on python/ and on SOURCE_DATE_EPOCH alone.

The formats are those of PyPA's specifications of binary distributions, core metadata 2.1
and, for the bill of materials, PEP 770."""
import base64
import hashlib
import os
import pathlib
import re
import sys

import folder as folders
import sbom
import zips

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "Rewrite OpenCL C kernels so that they need fewer registers"
ENTRY_POINTS = "[console_scripts]\nclrewrite-lsp = clrewrite.__main__:language_server\n"


def name_of(folder):
    """The version and the architecture, which the folder's name has."""
    found = re.fullmatch(r"clrewrite-(.+)-linux-(.+)", folder.name)
    if not found:
        sys.exit(f"wheel.py: {folder} is not named as folder.py does it")
    return found.groups()


def tag(folder, architecture):
    return "py3-none-manylinux_{}_{}_{}".format(*folders.needed_glibc(folder),
                                                architecture)


def metadata(version):
    return f"""Metadata-Version: 2.1
Name: clrewrite
Version: {version}
Summary: {SUMMARY}
License: Apache-2.0 WITH LLVM-exception
Keywords: OpenCL,GPU,registers,occupancy,source-to-source,LLVM
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Code Generators
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == 'pandas'
Provides-Extra: matplotlib
Requires-Dist: matplotlib; extra == 'matplotlib'
Description-Content-Type: text/markdown

""" + (SOURCE / "python" / "README.md").read_text(encoding="utf-8")


def script(path):
    """A program's bytes as a wheel has them: pip puts its own Python behind `#!python`."""
    data = path.read_bytes()
    return re.sub(rb"\A#!/usr/bin/env python3\n", b"#!python\n", data)


def members(folder, version, architecture):
    """Names in the wheel, with bytes and permissions."""
    info, data = f"clrewrite-{version}.dist-info", f"clrewrite-{version}.data"
    for path in sorted((SOURCE / "python" / "clrewrite").glob("*.py")):
        yield f"clrewrite/{path.name}", path.read_bytes(), 0o644
    yield "clrewrite/py.typed", b"", 0o644
    for path in sorted((folder / "bin").iterdir()):
        if not path.is_symlink():
            yield f"{data}/scripts/{path.name}", script(path), 0o755
    for top in ("lib", "share"):
        for path in sorted((folder / top).rglob("*")):
            if path.is_file():
                # What is shared is opened and not run: no more than that is needed.
                yield f"{data}/data/{path.relative_to(folder)}", path.read_bytes(), 0o644
    yield f"{info}/METADATA", metadata(version).encode(), 0o644
    yield f"{info}/WHEEL", (f"Wheel-Version: 1.0\nGenerator: clrewrite\n"
                            f"Root-Is-Purelib: false\n"
                            f"Tag: {tag(folder, architecture)}\n").encode(), 0o644
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode(), 0o644
    yield f"{info}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes(), 0o644
    yield f"{info}/sboms/clrewrite.cdx.json", (folder / sbom.FILE).read_bytes(), 0o644


def pack(folder, out, level):
    version, architecture = name_of(folder)
    path = out / f"clrewrite-{version}-{tag(folder, architecture)}.whl"
    for other in out.glob(f"clrewrite-{version}-*.whl"):  # perhaps for another C library
        other.unlink()
    record = []

    def recorded():
        for name, data, mode in members(folder, version, architecture):
            yield name, data, mode
            sha = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
            record.append(f"{name},sha256={sha.decode()},{len(data)}\n")
        name = f"clrewrite-{version}.dist-info/RECORD"
        yield name, "".join([*record, f"{name},,\n"]).encode(), 0o644

    zips.write(path, recorded(), folders.epoch(SOURCE), level)
    return path


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: wheel.py FOLDER OUT [LEVEL]")
    os.makedirs(sys.argv[2], exist_ok=True)
    print(pack(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]),
               int(sys.argv[3]) if len(sys.argv) == 4 else 6))
