"""check_vsix.py SOURCE WORK: packs what stands for the extension, as vsce does it, right and
with one fault at a time."""
import json
import pathlib
import sys
import zipfile

source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(source / "packaging"))
import vsix  # noqa: E402

extension = source / "editors" / "vscode"
told = json.loads((extension / "package.json").read_text(encoding="utf-8"))
FILES = {"package.json": json.dumps(told).encode(), "README.md": b"# readme",
         "LICENSE.txt": b"terms", vsix.NOTICES: b"terms", "dist/extension.js": b"code",
         "config.schema.json": b"{}", "language-configuration.json": b"{}",
         "syntaxes/opencl.tmLanguage.json": b"{}",
         "media/icon.png": (extension / "media/icon.png").read_bytes()}


def packed(files, year):
    """A package as vsce writes it in some year."""
    path = work / "packed.vsix"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(f"extension/{name}", (year, 1, 1, 0, 0, 0)), data)
    return path


def tried(what, files):
    try:
        vsix.repack(packed(files, 2026), work / "wrong.vsix", 0)
        print(what, "WRONG")
    except SystemExit as e:
        print(f"{what}: {e}")


vsix.repack(packed(FILES, 2025), work / "one.vsix", 1700000000)
vsix.repack(packed(dict(reversed(FILES.items())), 2026), work / "two.vsix", 1700000000)
same = (work / "one.vsix").read_bytes() == (work / "two.vsix").read_bytes()
print("twice:", "the same bytes" if same else "WRONG")

for left_out in ("LICENSE.txt", "dist/extension.js", "media/icon.png"):
    tried(f"without {left_out}", {n: d for n, d in FILES.items() if n != left_out})
without = {key: value for key, value in told.items() if key != "repository"}
tried("without a repository", {**FILES, "package.json": json.dumps(without).encode()})
unknown = {**told, "categories": ["Registers"]}
tried("with the category Registers", {**FILES, "package.json": json.dumps(unknown).encode()})
tried("with a picture as SVG", {**FILES, "README.md": b"![a](https://x.invalid/a.svg)"})

bom = work / "bom.json"
bom.write_text(json.dumps({"components": [], "dependencies": [{"dependsOn": []}]}))
vsix.add_to_bom(bom, extension)
document = json.loads(bom.read_text(encoding="utf-8"))
names = [c["purl"] for c in document["components"] if len(c["hashes"][0]["content"]) == 128]
assert names == document["dependencies"][0]["dependsOn"]
print(f"bill of materials: {len(names)} packages of npm,", *names)
