"""build.py BUILD: where the processor time of the last whole build went, by library,
from Ninja's log; and the files that took longest."""
import collections
import os
import sys


def steps(build):
    """Output file to seconds, as the last run that made it took."""
    found = {}
    with open(os.path.join(build, ".ninja_log"), encoding="utf-8") as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5:
                found[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return {out: time for out, time in found.items()
            if os.path.exists(os.path.join(build, out))}


def group(out):
    if "cmake_pch" in out or "_pch.dir" in out:
        return "precompiled headers"
    if "/CMakeFiles/" in out:
        return out.split("/CMakeFiles/")[0]
    if out.startswith(("bin/", "lib/", "test/unit/")) or out.endswith(".a"):
        return "linking, archives"
    return "generated files"


def main():
    found = steps(sys.argv[1])
    total, files = collections.Counter(), collections.Counter()
    for out, time in found.items():
        total[group(out)] += time
        files[group(out)] += 1
    print("| part | steps | seconds |\n|---|---|---|")
    for name, time in total.most_common():
        print(f"| {name} | {files[name]} | {time:.1f} |")
    print(f"| all | {len(found)} | {sum(total.values()):.1f} |")
    print()
    for out, time in sorted(found.items(), key=lambda x: -x[1])[:10]:
        print(f"{time:6.1f} s  {out}")


if __name__ == "__main__":
    main()
