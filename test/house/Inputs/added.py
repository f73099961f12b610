"""added.py SOURCE BUILD WORK: adds the rewrite of CONTRIBUTING.md to a copy of the
tree, as a folder and nothing else, and sees that the build, the list of rewrites, the
index of pages and lit have it."""
import os
import re
import shutil
import subprocess
import sys

source, build, work = sys.argv[1:]
tree, out = os.path.join(work, "tree"), os.path.join(work, "build")
shutil.rmtree(work, ignore_errors=True)
shutil.copytree(source, tree, symlinks=True, ignore=shutil.ignore_patterns(
    "build", ".git", "node_modules", "__pycache__"))
with open(os.path.join(tree, "CONTRIBUTING.md"), encoding="utf-8") as guide:
    blocks = re.findall(r"```(?:cpp|opencl)\n(// add-zero.*?)```", guide.read(), re.S)
folder = os.path.join(tree, "rewrites", "add-zero")
os.mkdir(folder)
for ending, block in zip(("cpp", "cl"), blocks, strict=True):
    with open(os.path.join(folder, "AddZero." + ending), "w", encoding="utf-8") as file:
        file.write(block)
with open(os.path.join(folder, "AddZero.md"), "w", encoding="utf-8") as file:
    file.write("Drop a zero that is added.\n")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
    cache = dict(re.findall(r"^(CMAKE_C(?:XX)?_COMPILER|CMAKE_PREFIX_PATH|"
                            r"CMAKE_COMMAND):\w+=(.*)$", file.read(), re.M))
run(cache.pop("CMAKE_COMMAND", "cmake"), "-S", tree, "-B", out, "-G", "Ninja",
    "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
    *(f"-D{k}={v}" for k, v in cache.items()))
run("ninja", "-C", out,
    "rewrites/CMakeFiles/clrewriteRewrites.dir/add-zero/AddZero.cpp.o")
with open(os.path.join(out, "generated", "RewriteRegistry.cpp"),
          encoding="utf-8") as file:
    registry = file.read()
assert registry.index("&add_zero::rewriteAddZero(),") < registry.index(
    "&align_access::rewriteAlignAccess(),"), "the registry lacks it"
assert "Drop a zero that is added." in registry, "--explain lacks its page"
run(sys.executable, os.path.join(tree, "docs", "index.py"))
with open(os.path.join(tree, "docs", "rewrites.md"), encoding="utf-8") as file:
    assert "(../rewrites/add-zero/AddZero.md)" in file.read(), "no index entry"
sys.path.insert(0, os.path.join(tree, "test"))
from rewrites import Case

case = Case(os.path.join(folder, "AddZero.cl"))
case.test_sections()
assert set(case.tests()) == {
    "sections", "macros", "exact", "fix-after", "verify-after", "races-after",
    "declines", "wrong-k"}, list(case.tests())
shutil.rmtree(work)
print("added: built, listed, indexed, and lit has its tests")
