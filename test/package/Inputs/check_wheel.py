"""check_wheel.py WHEEL VENV: what the wheel must have, which is installed in VENV."""
import base64
import csv
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import zipfile

wheel, venv = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
# Parts of the C library, and its loader.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv)\.so|ld-linux")


def say(right, what, details=()):
    print("" if right else "WRONG", what, *details)


def elf(path):
    with open(path, "rb") as f:
        return f.read(4) == b"\x7fELF"


def out(*words):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True,
                          check=True).stdout


# Relocated by pip, so found by looking: bin and lib/clrewrite.
files = [p for p in [*(venv / "bin").iterdir(), *(venv / "lib/clrewrite").rglob("*")]
         if p.is_file() and "python" not in p.name and elf(p)]
asked = max(tuple(map(int, v.split("."))) for v in re.findall(
    r"GLIBC_(2\.\d+)", out("objdump", "-T", *files)))
tag = re.search(r"manylinux_(\d+)_(\d+)_\w+(?=\.whl$)", wheel.name)
say(tuple(map(int, tag.groups())) == asked,
    f"tag: {tag[0]}, the C library that its files ask for", [asked])

with zipfile.ZipFile(wheel) as z:
    names = z.namelist()
    record = next(n for n in names if n.endswith(".dist-info/RECORD"))
    rows = list(csv.reader(io.StringIO(z.read(record).decode())))
    # The time that made.sh says.
    assert {i.date_time[:3] for i in z.infolist()} == {(2023, 11, 14)}
    wrong = sorted(set(names) ^ {row[0] for row in rows}) + [
        row[0] for row in rows if row[0] != record and row[1:] != [
            "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(
                z.read(row[0])).digest()).rstrip(b"=").decode(),
            str(z.getinfo(row[0]).file_size)]]
    sbom = json.loads(z.read(next(n for n in names if n.endswith(".cdx.json"))))
say(len(rows) > 100 and not wrong, "record: each file, with its hash", wrong)

# Of all that the loader opens for each file, by the search paths in the files alone.
wrong = [line for f in files for line in out("ldd", f).splitlines()
         if "=>" in line and not SYSTEM.search(line) and f"=> {venv}/" not in line]
say(len(files) >= 4 and not wrong, "loader: the libraries of the wheel, and of the C "
    "library", wrong)

told = {part["name"]: (part["hashes"][0]["content"], library["version"])
        for library in sbom["components"] for part in library.get("components", ())}
foreign = [p for p in (venv / "lib/clrewrite").rglob("*")
           if p.is_file() and p.name not in ("libclrewrite-layer.so", "clrewrite-store")]
wrong = [p for p in foreign if told.get(str(p.relative_to(venv)), ("", ""))[0] !=
         hashlib.sha256(p.read_bytes()).hexdigest()]
linked = {c["name"] for c in sbom["components"] for p in c["properties"]
          if p["value"] == "linked into the programs"}
say(len(told) == len(foreign) > 10 and not wrong and all(v for _, v in told.values())
    and {"libsqlite3-dev", "libseccomp-dev", "libc6-dev"} <= linked
    and any(re.match(r"llvm-\d+-dev", name) for name in linked),
    "bill of materials: each file from elsewhere, with its hash and a version",
    [*wrong, linked])
