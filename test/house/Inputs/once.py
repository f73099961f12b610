"""once.py ROOT: no type is defined twice in one namespace, which would be undefined
behaviour where both are linked into one program (the one definition rule). It reads
definitions at the start of a line, as clang-format leaves them, outside of unnamed
namespaces."""
import collections
import glob
import os
import re
import sys

root = sys.argv[1]
places = collections.defaultdict(list)
files = 0
for folder in ("lib", "rewrites", "advice", "tools"):
    for path in sorted(glob.glob(f"{root}/{folder}/**/*", recursive=True)):
        if not path.endswith((".h", ".cpp")) or path.endswith("Test.cpp"):
            continue
        files += 1
        space, unnamed = "", False
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if named := re.match(r"namespace ([\w:]+) \{", line):
                    space = named[1]
                elif re.match(r"namespace \{", line):
                    unnamed = True
                elif re.match(r"\} // namespace$", line):
                    unnamed = False
                elif re.match(r"\} // namespace \S", line):
                    space = ""
                elif not unnamed and (found := re.match(
                        r"(?:struct|class|enum class|enum|union) (\w+)"
                        r"(?: final)?(?: :[^;]*)?(?: \{|$)", line)):
                    places[space, found[1]].append(
                        f"{os.path.relpath(path, root)}:{number}")
wrong = 0
for (space, name), where in sorted(places.items()):
    if len(where) > 1:
        wrong += 1
        print(f"WRONG: {space}::{name} is defined in {' and '.join(where)}")
print(f"{files} files, {len(places)} types, {wrong} defined twice")
