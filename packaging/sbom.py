"""The bill of materials of a folder that folder.py has laid out, as CycloneDX 1.5
(ECMA-424): whatever is in it that comes from other projects, with the versions that this
system's packages have.

- Files that lie in the folder: the ICD loader, the compiler's headers, built-in
  functions of GPUs. Where they are from is known; dpkg says of which package.
- What is linked into the programs: LLVM, Clang, the C and C++ libraries and other
  archives.
- Headers that were compiled in, by Ninja's record. Of libc6-dev and linux-libc-dev these
  are declarations alone, and they are left out.
"""
import hashlib
import json
import platform
import re
import subprocess
import time
import urllib.parse
import uuid

import dpkg

FILE = "share/doc/clrewrite/clrewrite.cdx.json"
PARTS = ("lib/", "rewrites/", "advice/", "tools/")
DECLARATIONS = {"libc6-dev", "linux-libc-dev"}


def archives(build):
    """Archives that the portable programs and the layer are linked with, as the build's
    link lines name them; the compiler adds those of the C library where it is told
    -static-pie."""
    text = (build / "build.ninja").read_text(encoding="utf-8")
    found, implied = set(), {"libgcc.a", "libgcc_eh.a", "libstdc++.a"}
    for block in re.split(r"\n(?=build )", text):
        links = re.search(r"^  LINK_LIBRARIES = (.*)", block, re.M)
        if links and re.match(r"build portable/(lib)?clrewrite", block):
            found |= set(re.findall(r"(/usr/\S+\.a)\b", links[1]))
            implied |= {"libc.a", "libm.a"} if "-static-pie" in block else set()
    for name in implied:
        found.add(subprocess.run(["c++", f"-print-file-name={name}"], text=True,
                                 capture_output=True).stdout.strip())
    return found


def headers(build):
    """This system's headers that objects of the programs were compiled with."""
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], text=True,
                            capture_output=True, check=True).stdout
    found = set()
    for block in listed.split("\n\n"):
        name, _, rest = block.partition("\n")
        if name.startswith(PARTS):
            found |= set(re.findall(r"^    (/usr/\S+)$", rest, re.M))
    return found


def commit(source):
    """The commit of the source, which is told where nothing differs from it."""
    def git(*words):
        return subprocess.run(["git", "-C", str(source), *words], text=True,
                              capture_output=True)
    head = git("rev-parse", "HEAD")
    clean = git("status", "--porcelain", "--untracked-files=no")
    return head.stdout.strip() if head.returncode == 0 and not clean.stdout else None


def component(package, how, files):
    """A package of this system's; files are pairs of a path and the SHA-256 of the
    file."""
    system = platform.freedesktop_os_release()
    out = {"type": "library", "bom-ref": f"{package.name}@{package.version}",
           "name": package.name, "version": package.version,
           "purl": f"pkg:deb/{system['ID']}/{package.name}@"
                   f"{urllib.parse.quote(package.version, safe=':')}"
                   f"?arch={package.architecture}&distro="
                   f"{system['ID']}-{system.get('VERSION_ID', '')}",
           "properties": [
               {"name": "clrewrite:source",
                "value": f"{package.source} {package.source_version}"},
               *({"name": "clrewrite:how", "value": h} for h in sorted(how))]}
    if files:
        out["components"] = [
            {"type": "file", "bom-ref": path, "name": path,
             "hashes": [{"alg": "SHA-256", "content": sha}]} for path, sha in files]
    return out


def write(build, source, folder, version, origins, seconds):
    """Writes FILE into the folder. Origins say of files of the folder which files of this
    system they are copies of (libraries with another search path); seconds since 1970
    are the document's time."""
    how, files = {}, {}

    def add(paths, word, without=()):
        owners = dpkg.owners(paths)
        for path in paths:
            if path in owners and owners[path].name not in without:
                how.setdefault(owners[path], set()).add(word)
        return owners

    owners = add(sorted(set(origins.values())), "lies in the folder")
    loose = []
    for path, origin in sorted(origins.items()):
        entry = (path, hashlib.sha256((folder / path).read_bytes()).hexdigest())
        if origin in owners:
            files.setdefault(owners[origin], []).append(entry)
        else:
            loose.append(entry)
    add(sorted(archives(build)), "linked into the programs")
    add(sorted(headers(build)), "headers compiled in", DECLARATIONS)

    components = [component(p, how[p], files.get(p)) for p in sorted(how)]
    components += [{"type": "file", "bom-ref": path, "name": path,
                    "hashes": [{"alg": "SHA-256", "content": sha}]}
                   for path, sha in loose]
    name = f"clrewrite@{version}"
    head = commit(source)
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5",
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(
            uuid.NAMESPACE_OID, json.dumps([version, seconds, components]))),
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)),
            "component": {
                "type": "application", "bom-ref": name, "name": "clrewrite",
                "version": version,
                "licenses": [{"expression": "Apache-2.0 WITH LLVM-exception"}],
                **({"properties": [{"name": "clrewrite:commit", "value": head}]}
                   if head else {})}},
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [
            c["bom-ref"] for c in components]}]}
    (folder / FILE).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
