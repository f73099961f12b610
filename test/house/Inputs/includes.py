"""includes.py ROOT: each library includes headers of its own and of those that
its CMakeLists.txt names, directly or through others; and what stands after
Candidate includes nothing of Clang's."""
import glob
import os
import re
import sys

root = sys.argv[1]
# The library whose folder has another name, and two that share one.
FOLDER = {"candidate": "rewrite", "rewrites": "rewrite", "advise": "advice",
          "advicesorts": "advice", "backends": "measure"}
NO_CLANG = ["select", "verify", "report", "measure", "opencl", "capture", "cache",
            "process", "source", "instrument"]
needs = {}
for path in glob.glob(f"{root}/lib/*/CMakeLists.txt"):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    folder = os.path.basename(os.path.dirname(path))
    needs[folder] = {FOLDER.get(name.lower(), name.lower()) for name in
                     re.findall(r"\bclrewrite([A-Z]\w*)", text)}


def reachable(folder, seen):
    if folder not in seen:
        seen.add(folder)
        for each in needs.get(folder, ()):
            reachable(each, seen)
    return seen


wrong = files = 0
for path in sorted(glob.glob(f"{root}/lib/**/*.h", recursive=True)
                   + glob.glob(f"{root}/lib/**/*.cpp", recursive=True)):
    files += 1
    name = os.path.relpath(path, root)
    folder = name.split("/")[1]
    with open(path, encoding="utf-8") as file:
        included = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
    for each in included:
        other = each.split("/")[0]
        if other == "clang" and folder in NO_CLANG:
            wrong += 1
            print(f"WRONG: {name} includes Clang's {each}")
        if other in needs and other not in reachable(folder, set()):
            wrong += 1
            print(f"WRONG: {name} includes {each}, and lib/{folder}/CMakeLists.txt "
                  f"does not name that library")
print(f"{files} files, {len(needs)} libraries, {wrong} wrong")
