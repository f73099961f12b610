"""vsix.py FOLDER OUT [BOM]: packs the extension for VS Code in FOLDER, whose npm packages
are installed there (test/editors/vscode/extension.sh), as the file OUT. Its bytes depend on
what is packed and on SOURCE_DATE_EPOCH alone. BOM is a bill of materials (sbom.py) to which
the npm packages that are bundled into the extension are added.

vsce packs; what it has packed is looked at as registries do (Open VSX: the fields of
package.json, a licence; the Marketplace: an icon of 128 pixels or more, no SVG in its place)
and packed again, in order and with one time."""
import base64
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zipfile

import folder as folders
import zips

SOURCE = pathlib.Path(__file__).resolve().parent.parent
NOTICES = "ThirdPartyNotices.txt"
# Of VS Code's manual, "Extension Manifest".
CATEGORIES = {"Programming Languages", "Snippets", "Linters", "Themes", "Debuggers",
              "Formatters", "Keymaps", "SCM Providers", "Other", "Extension Packs",
              "Language Packs", "Data Science", "Machine Learning", "Visualization",
              "Notebooks", "Education", "Testing"}


def bundled(folder):
    """The npm packages that are no tools of development: name, and what the lock file
    says."""
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    for place, entry in sorted(lock["packages"].items()):
        if place and not entry.get("dev"):
            yield place, place.rsplit("node_modules/", 1)[1], entry


def notices(folder):
    """Their terms, as those ask for."""
    for place, name, entry in bundled(folder):
        texts = [p for p in sorted((folder / place).iterdir())
                 if re.match(r"licen[cs]e", p.name, re.I)]
        if not texts:
            sys.exit(f"vsix.py: {place} has no file with its terms")
        yield f"{name} {entry['version']} ({entry['license']})\n\n"
        yield texts[0].read_text(encoding="utf-8").strip() + f"\n\n{'-' * 78}\n\n"


def faults(files):
    """What a registry would refuse in a package: its files' bytes by name."""
    told = json.loads(files["extension/package.json"])
    for field in ("name", "publisher", "version", "displayName", "description", "license",
                  "icon", "engines"):
        if not told.get(field):
            yield f"package.json has no {field}"
    if not re.fullmatch(r"[\w-]+", told.get("name", "")):
        yield "its name has other characters than letters, digits, - and _"
    if not re.fullmatch(r"\d+\.\d+\.\d+", told.get("version", "")):
        yield "its version is not of three numbers"
    if not re.match(r"(https?|git)://", told.get("repository", {}).get("url", "")):
        yield "package.json names no repository by https"
    unknown = set(told.get("categories", ())) - CATEGORIES
    if unknown or not told.get("categories"):
        yield f"its categories are none or unknown: {sorted(unknown)}"
    if len(told.get("keywords", ())) > 30:
        yield "it has more than 30 keywords"
    for name in ("README.md", "LICENSE.txt", NOTICES):
        if not files.get(f"extension/{name}".lower()):
            yield f"{name} is missing"
    given = told.get("contributes", {})
    for path in [told.get("main", ""), *(
            part[key] for sort, key in (("grammars", "path"), ("yamlValidation", "url"),
                                        ("languages", "configuration"))
            for part in given.get(sort, ()))]:
        if not files.get("extension/" + path.removeprefix("./")):
            yield f"package.json names {path}, which is not packed"
    icon = files.get(f"extension/{told.get('icon', '')}".lower(), b"")
    if icon[:8] != b"\x89PNG\r\n\x1a\n" or min(struct.unpack(">II", icon[16:24])) < 128:
        yield "its icon is no PNG of 128 pixels or more"
    for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", files.get(
            "extension/readme.md", b"").decode()):
        if not link.startswith("https://") or link.endswith(".svg"):
            yield f"README.md shows a picture that registries do not: {link}"


def repack(packed, out, seconds):
    with zipfile.ZipFile(packed) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    wrong = list(faults({**files, **{name.lower(): data for name, data in files.items()}}))
    if wrong:
        sys.exit("\n".join(f"vsix.py: {fault}" for fault in wrong))
    zips.write(out, ((name, files[name], 0o644) for name in sorted(files)), seconds)


def add_to_bom(path, folder):
    document = json.loads(path.read_text(encoding="utf-8"))
    for _, name, entry in bundled(folder):
        algorithm, _, digest = entry["integrity"].partition("-")
        purl = f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"
        document["components"].append({
            "type": "library", "bom-ref": purl, "name": name, "version": entry["version"],
            "purl": purl, "licenses": [{"license": {"id": entry["license"]}}],
            "hashes": [{"alg": algorithm.replace("sha", "SHA-"),
                        "content": base64.b64decode(digest).hex()}],
            "properties": [{"name": "clrewrite:how",
                            "value": "bundled into the extension for VS Code"}]})
        document["dependencies"][0]["dependsOn"].append(purl)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def pack(folder, out):
    (folder / NOTICES).write_text("".join(notices(folder)), encoding="utf-8")
    packed = folder / "packed.vsix"
    subprocess.run(["npm", "run", "--silent", "package", "--", "--out", packed],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    repack(packed, out, folders.epoch(SOURCE))
    os.remove(packed)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: vsix.py FOLDER OUT [BOM]")
    extension = pathlib.Path(sys.argv[1]).resolve()
    pack(extension, pathlib.Path(sys.argv[2]))
    if len(sys.argv) == 4:
        add_to_bom(pathlib.Path(sys.argv[3]), extension)
    print(sys.argv[2])
