"""Puts the pages of all rewrites and sorts of advice into docs/README.md, between
its markers.

usage: index.py [--check] [ROOT]

--check changes nothing, and exits with 1 where the index is not up to date."""
import glob
import os
import re
import sys


def table(root, folder):
    lines = ["| page | what it does |", "|---|---|"]
    for path in sorted(glob.glob(os.path.join(root, folder, "*", "*.md"))):
        name = os.path.basename(os.path.dirname(path))
        with open(path, encoding="utf-8") as page:
            summary = page.readline().strip().rstrip(".")
        lines.append(f"| [{name}](../{os.path.relpath(path, root)}) | {summary} |")
    return "\n".join(lines)


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    root = words[0] if words else os.path.dirname(
        os.path.dirname(os.path.abspath(__file__)))
    index = os.path.join(root, "docs", "README.md")
    with open(index, encoding="utf-8") as file:
        old = new = file.read()
    for folder in ("rewrites", "advice"):
        new = re.sub(rf"(<!-- {folder} -->\n).*?(<!-- end -->)",
                     lambda m: m[1] + table(root, folder) + "\n" + m[2], new,
                     flags=re.S)
    if new == old:
        return 0
    if "--check" in sys.argv:
        print("docs/README.md is not up to date; run: ./dev docs")
        return 1
    with open(index, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
