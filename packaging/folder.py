"""folder.py BUILD OUT: lays out OUT/clrewrite-VERSION-linux-ARCH, a folder that can be
moved anywhere on a system whose glibc is as new as CLREWRITE_GLIBC (2.28), and prints its
path. The tarball, the wheel and the RPM hold this folder.

It has what `cmake --install` lays out, with the programs of the target `portable`
(cmake/Portable.cmake), an OpenCL ICD loader, the terms under which what comes from others
stands where Debian says them, and a list of all that (sbom.py)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import dpkg
import older
import sbom

# What stays the system's: the parts of the C library.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv)\.so")
PORTABLE = ("bin/clrewrite", "bin/clrewrite-device", "lib/clrewrite/libclrewrite-layer.so")
# What is linked with other libraries than glibc's.
DYNAMIC = "bin/clrewrite-device"
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


def replace_programs(build, folder):
    """Puts the portable programs in the place of those that were installed."""
    for name in PORTABLE:
        program = build / "portable" / os.path.basename(name)
        if not program.exists():
            sys.exit(f"folder.py: {program} is not there; make it first: "
                     f"cmake --build {build} --target portable")
        run(cached(build, "CMAKE_STRIP"), "-o", folder / name, program)


def loaded(program):
    """The libraries that the loader opens for a program, as paths of this system."""
    lines = run("ldd", program)
    missing = re.findall(r"^\s*(\S+) => not found", lines, re.M)
    if missing:
        sys.exit(f"folder.py: not found by the loader: {', '.join(missing)}")
    paths = set(re.findall(r"=> (/\S+) \(", lines))
    return sorted(p for p in paths if not SYSTEM.match(os.path.basename(p)))


def bundle(folder, glibc):
    """Copies the libraries, and has the program look for them there. Returns where each
    is from, by its path in the folder."""
    shared = folder / SHARED
    shared.mkdir(parents=True)
    origins = {}
    for path in loaded(folder / DYNAMIC):
        copy = shared / os.path.basename(path)
        shutil.copy(path, copy)
        copy.chmod(0o755)
        run("patchelf", "--set-rpath", "$ORIGIN", copy)
        older.lower(copy, glibc)
        origins[f"{SHARED}/{copy.name}"] = path
    run("patchelf", "--set-rpath", f"$ORIGIN/../{SHARED}", folder / DYNAMIC)
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


def copy_terms(paths, licenses):
    """The terms of the packages that the paths of this system are from; and the text of
    glibc's licence, which Debian's terms only name."""
    licenses.mkdir(exist_ok=True)
    for package in set(dpkg.owners(sorted(paths)).values()):
        terms = pathlib.Path("/usr/share/doc") / package.name / "copyright"
        if terms.exists():
            shutil.copy(terms, licenses / package.name)
    lesser = pathlib.Path("/usr/share/common-licenses/LGPL-2.1")
    if lesser.exists():
        shutil.copy(lesser, licenses / lesser.name)


def lay_out(build, out):
    version = cached(build, "CMAKE_PROJECT_VERSION")
    folder = out / f"clrewrite-{version}-linux-{os.uname().machine}"
    shutil.rmtree(folder, ignore_errors=True)
    run(cached(build, "CMAKE_COMMAND"), "--install", build, "--prefix", folder, "--strip")
    replace_programs(build, folder)
    glibc = older.number(cached(build, "CLREWRITE_GLIBC"))
    origins = {**bundle(folder, glibc), **built_ins(build, folder)}
    if needed_glibc(folder) > glibc:
        sys.exit(f"folder.py: a file asks for glibc {needed_glibc(folder)}")
    copy_terms({*origins.values(), *sbom.archives(build)}, folder / DOC / "licenses")
    source = pathlib.Path(cached(build, "CMAKE_HOME_DIRECTORY"))
    sbom.write(build, source, folder, version, origins, epoch(source))
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: folder.py BUILD OUT")
    target = pathlib.Path(sys.argv[2]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    print(lay_out(pathlib.Path(sys.argv[1]).resolve(), target))
