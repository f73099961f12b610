"""two_folders.py SOURCE BUILD WORK: copies the source into a folder with another path,
configures it there as BUILD was, and builds a part of it: three objects, and the sources
that CMake makes. Each must have the same bytes as in BUILD, so that what a build is depends
neither on where it stands nor on when it was made. RELEASING.md says when whole programs
were compared."""
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake", "lib", "packaging",
           "rewrites", "advice", "tools", "docs", "examples", "editors")
# Objects that are soon compiled: without LLVM's headers. Where the compiler gets several
# sources at a time, the device program's are in batches.
LAYER = ("tools/clrewrite-layer/CMakeFiles/clrewrite-layer.dir/Folder.cpp.o",)
DEVICE = "tools/clrewrite-device/CMakeFiles/clrewrite-device.dir/"
DEVICE_OBJECTS = {False: ("Landlock.cpp.o", "DriverPaths.cpp.o"),
                  True: ("Unity/unity_0_cxx.cxx.o", "Unity/unity_1_cxx.cxx.o")}
OPTIONS = re.compile(r"^(CMAKE_(?:C|CXX)_COMPILER|CMAKE_BUILD_TYPE|CMAKE_PREFIX_PATH|"
                     r"CMAKE_(?:C|CXX)_FLAGS(?:_RELWITHDEBINFO)?|CLREWRITE_ASAN|"
                     r"CLREWRITE_WERROR|CLREWRITE_LLVM|CMAKE_UNITY_BUILD):[A-Z]*=(.*)$", re.M)

source, build, work = (pathlib.Path(word).resolve() for word in sys.argv[1:])
shutil.rmtree(work, ignore_errors=True)
there = work / "another folder, with a longer path"
there.mkdir(parents=True)
for name in SOURCES:
    copy = shutil.copytree if (source / name).is_dir() else shutil.copy
    ignore = ({"ignore": shutil.ignore_patterns("node_modules", "__pycache__", "out")}
              if copy is shutil.copytree else {})
    copy(source / name, there / name, **ignore)


def run(*words):
    done = subprocess.run([str(w) for w in words], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"two_folders.py: {words[0]} failed:\n{done.stdout}")


options = OPTIONS.findall((build / "CMakeCache.txt").read_text(encoding="utf-8"))
other = there / "build"
unity = dict(options).get("CMAKE_UNITY_BUILD") == "ON"
targets = (*LAYER, *(DEVICE + name for name in DEVICE_OBJECTS[unity]))
run("cmake", "-G", "Ninja", "-S", there, "-B", other,
    *(f"-D{name}={value}" for name, value in options))
run("ninja", "-C", other, *targets)
made = [p.relative_to(other) for p in sorted((other / "generated").rglob("*"))
        if p.is_file()]
wrong = [str(p) for p in [*made, *map(pathlib.Path, targets)]
         if not filecmp.cmp(other / p, build / p, shallow=False)]
for path in wrong:
    print(f"WRONG: {path} has other bytes in {os.path.relpath(other, work)}")
print(f"{len(made) + len(targets)} files of a build in two folders,",
      f"{len(wrong)} differ")
