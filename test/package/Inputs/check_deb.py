"""check_deb.py DEB ROOT SOURCE: what Debian's package must have, unpacked in
ROOT."""
import gzip
import pathlib
import re
import subprocess
import sys

deb, root, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
source = pathlib.Path(source)


def out(*words):
    return subprocess.run(words, capture_output=True, text=True,
                          check=True).stdout


def say(right, what, details=()):
    print("" if right else "WRONG", what, *details)


def field(name):
    return out("dpkg-deb", "-f", deb, name).strip()


project = re.search(r"project\(clrewrite VERSION ([0-9.]+)",
                    (source / "CMakeLists.txt").read_text())[1]
newest = re.search(r"^## ([0-9.]+)", (source / "CHANGELOG.md").read_text(),
                   re.M)[1]
version = field("Version")
say(version == project + "-1" and project == newest,
    "version: the project's, and the changelog's newest",
    [version, project, newest])

# The packages of the libraries that the programs name themselves.
named = re.findall(r"[a-z0-9.+-]+", re.sub(r"\([^)]*\)", "", field("Depends")))
wrong = []
for file in ("bin/clrewrite", "bin/clrewrite-device",
             "lib/clrewrite/libclrewrite-layer.so"):
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

listed = out("dpkg-deb", "-c", deb)
wrong = [line for line in listed.split("\n") if line and " root/root " not in
         line or re.search(r"\.bc$|opencl-c", line)]
for file in ("bin/clrewrite", "bin/clrewrite-device"):
    if ".symtab" in out("readelf", "-S", "-W", str(root / "usr" / file)):
        wrong.append(file + " is not stripped")
say(not wrong, "files: owned by root, stripped, none of them bundled", wrong)

doc = root / "usr/share/doc/clrewrite"
changelog = gzip.decompress((doc / "changelog.Debian.gz").read_bytes()).decode()
head = re.match(rf"clrewrite \({re.escape(version)}\) \w+; urgency=\w+\n\n  \* ",
                changelog)
pages = [gzip.decompress(p.read_bytes()).decode()
         for p in (root / "usr/share/man/man1").glob("*.gz")]
say(head and len(pages) >= 2 and all(".TH" in page for page in pages)
    and "LLVM Exceptions" in (doc / "copyright").read_text(),
    "changelog, copyright and compressed manual pages")
