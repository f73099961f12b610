"""folder.py BUILD OUT: lays out OUT/clrewrite-VERSION-linux-ARCH, a folder that can be
moved anywhere on a system whose C library is as new as this one's, and prints its path.
The tarball, the wheel and the RPM hold this folder.

It has what `cmake --install` lays out, the libraries of LLVM and Clang, the C++ library,
an OpenCL ICD loader and what these load in turn, the terms under which they stand where
Debian says them, and a list of all that (sbom.py)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import dpkg
import sbom

# What stays the system's: the parts of the C library.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv)\.so")
# What is linked dynamically, and run by a user. The layer needs the C library alone.
PROGRAMS = ("bin/clrewrite", "bin/clrewrite-device")
SHARED = "lib/clrewrite/shared"
DOC = "share/doc/clrewrite"


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def cached(build, name):
    """The value of a variable in CMake's cache."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:[A-Z]*=(.*)$", text, re.M)
    return found[1] if found else ""


def elf_files(folder):
    """The programs and libraries in a folder, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with open(path, "rb") as f:
                if f.read(4) == b"\x7fELF":
                    yield path


def needed_glibc(folder):
    """The oldest C library that has all symbol versions which the folder's programs and
    libraries ask for, such as (2, 36)."""
    asked = run("readelf", "-V", "-W", *elf_files(folder))
    return max(tuple(map(int, v.split(".")))
               for v in re.findall(r"\bGLIBC_(2\.\d+)", asked))


def epoch(source):
    """The time that files in packages have: SOURCE_DATE_EPOCH, or else that of the
    commit, or of the changelog. In seconds since 1970."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(run("git", "-C", source, "log", "-1", "--format=%ct"))
    except (OSError, subprocess.CalledProcessError):
        return int((source / "CHANGELOG.md").stat().st_mtime)


def loaded(folder):
    """The libraries that the loader opens for the programs, as paths of this system."""
    lines = run("ldd", *(folder / p for p in PROGRAMS))
    missing = re.findall(r"^\s*(\S+) => not found", lines, re.M)
    if missing:
        sys.exit(f"folder.py: not found by the loader: {', '.join(missing)}")
    paths = set(re.findall(r"=> (/\S+) \(", lines))
    return sorted(p for p in paths if not SYSTEM.match(os.path.basename(p)))


def bundle(folder):
    """Copies the libraries, and has the programs look for them there. Returns where each
    is from, by its path in the folder."""
    shared = folder / SHARED
    shared.mkdir(parents=True)
    origins = {}
    for path in loaded(folder):
        copy = shared / os.path.basename(path)
        shutil.copy(path, copy)
        copy.chmod(0o755)
        run("patchelf", "--set-rpath", "$ORIGIN", copy)
        origins[f"{SHARED}/{copy.name}"] = path
    for program in PROGRAMS:
        run("patchelf", "--set-rpath", f"$ORIGIN/../{SHARED}", folder / program)
    return origins


def built_ins(build, folder):
    """Where the files of the compiler and for GPUs are from, by their path in the
    folder: CMake has copied them (cmake/Install.cmake)."""
    places = {"clang/include": cached(build, "CLREWRITE_RESOURCE_DIR") + "/include",
              "amdgcn": cached(build, "AMD_DEVICE_LIBS"),
              "clc": cached(build, "LIBCLC")}
    return {str(path.relative_to(folder)): f"{place}/{path.name}"
            for name, place in places.items()
            for path in sorted((folder / "lib/clrewrite" / name).glob("*"))}


def lay_out(build, out):
    version = cached(build, "CMAKE_PROJECT_VERSION")
    folder = out / f"clrewrite-{version}-linux-{os.uname().machine}"
    shutil.rmtree(folder, ignore_errors=True)
    run(cached(build, "CMAKE_COMMAND"), "--install", build, "--prefix", folder, "--strip")
    origins = {**bundle(folder), **built_ins(build, folder)}
    licenses = folder / DOC / "licenses"
    licenses.mkdir(exist_ok=True)
    for package in {dpkg.owner(path) for path in origins.values()} - {None}:
        terms = pathlib.Path("/usr/share/doc") / package.name / "copyright"
        if terms.exists():
            shutil.copy(terms, licenses / package.name)
    source = pathlib.Path(cached(build, "CMAKE_HOME_DIRECTORY"))
    sbom.write(build, source, folder, version, origins, epoch(source))
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: folder.py BUILD OUT")
    target = pathlib.Path(sys.argv[2]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    print(lay_out(pathlib.Path(sys.argv[1]).resolve(), target))
