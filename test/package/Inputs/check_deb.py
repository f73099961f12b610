"""check_deb.py PACKAGES ROOT SOURCE: what Debian's packages in the folder PACKAGES must
have, unpacked in ROOT."""
import gzip
import pathlib
import re
import subprocess
import sys

packages, root, source = map(pathlib.Path, sys.argv[1:])
debs = {deb.name.split("_")[0]: deb for deb in packages.glob("clrewrite*.deb")}


def out(*words):
    return subprocess.run(words, capture_output=True, text=True,
                          check=True).stdout


def say(right, what, details=()):
    print("" if right else "WRONG", what, *details)


def field(package, name):
    return out("dpkg-deb", "-f", debs[package], name).strip()


project = re.search(r"project\(clrewrite VERSION ([0-9.]+)",
                    (source / "CMakeLists.txt").read_text())[1]
newest = re.search(r"^## ([0-9.]+)", (source / "CHANGELOG.md").read_text(),
                   re.M)[1]
versions = {field(package, "Version") for package in debs}
say(versions == {project + "-1"} and project == newest,
    "version: the project's, and the changelog's newest",
    [versions, project, newest])

# The packages of the libraries that the programs name themselves.
wrong = []
FILES = {"clrewrite": "bin/clrewrite", "clrewrite-device": "bin/clrewrite-device",
         "clrewrite-layer": "lib/clrewrite/libclrewrite-layer.so"}
HELPERS = [package for package in debs if package.startswith("clrewrite-compile-")]
FILES.update((package, "lib/clrewrite/" + package) for package in HELPERS)
for package, file in FILES.items():
    named = re.findall(r"[a-z0-9.+-]+",
                       re.sub(r"\([^)]*\)", "", field(package, "Depends")))
    path = root / "usr" / file
    found = out("ldd", str(path))
    wrong += [line for line in found.split("\n") if "not found" in line]
    for library in re.findall(r"NEEDED.*\[(.*)\]", out("readelf", "-d", path)):
        line = re.search(rf"{re.escape(library)} => (\S+)", found)
        if not line:
            continue  # the loader itself
        owner = set()
        for place in {line[1], str(pathlib.Path(line[1]).resolve())}:
            for each in (place, "/usr" + place, place.replace("/usr", "", 1)):
                owned = subprocess.run(["dpkg", "-S", each], text=True,
                                       capture_output=True).stdout
                owner |= {o.split(":")[0] for o in owned.split("\n") if o}
        if not owner & set(named):
            wrong.append(f"{library} of {owner}")
say(not wrong, "libraries: all found, each in a package of Depends", wrong)

listed = {package: out("dpkg-deb", "-c", deb) for package, deb in debs.items()}
wrong = [line for lines in listed.values() for line in lines.split("\n")
         if line and (" root/root " not in line or re.search(r"\.bc$|opencl-c", line)
                      # The time that made.sh says, whatever the time zone.
                      or not re.search(r" 2023-11-1[345] ", line))]
wrong += [file + " is not stripped" for file in FILES.values()
          if ".symtab" in out("readelf", "-S", "-W", str(root / "usr" / file))]
say(not wrong, "files: owned by root, of the time that was said, stripped, none of them bundled", wrong)

programs = [(package, file.split("/")[-1]) for package, lines in listed.items()
            for file in re.findall(r"\./usr/(?:bin|lib)/(\S+)", lines)
            if not file.endswith("/")]
say(sorted(programs) == [("clrewrite", "clrewrite"), ("clrewrite", "clrewrite-lsp"),
                         ("clrewrite", "clrewrite-store"),
                         ("clrewrite", "git-clrewrite"),
                         *((package, package) for package in sorted(HELPERS)),
                         ("clrewrite-device", "clrewrite-device"),
                         ("clrewrite-layer", "libclrewrite-layer.so")]
    and not re.search("llvm|clang|clrewrite", field("clrewrite-device", "Depends"))
    and not re.search("llvm|clang|clrewrite", field("clrewrite-layer", "Depends")),
    "programs: each in its package, those for devices without LLVM", programs)

for package in debs:
    doc = root / "usr/share/doc" / package
    changelog = gzip.decompress((doc / "changelog.Debian.gz").read_bytes()).decode()
    head = re.match(rf"clrewrite \({re.escape(project)}-1\) \w+; urgency=\w+\n\n  \* ",
                    changelog)
    pages = [gzip.decompress(p.read_bytes()).decode()
             for p in (root / "usr/share/man/man1").glob("*.gz")]
    say(head and len(pages) >= 3 and all(".TH" in page for page in pages)
        and "LLVM Exceptions" in (doc / "copyright").read_text(),
        f"{package}: changelog, copyright and compressed manual pages")
