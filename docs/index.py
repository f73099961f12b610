"""Makes the tables that repeat what other pages say, between their markers:
docs/rewrites.md has all rewrites and sorts of advice, with what the corpus's pages
(docs/lab) measured of each, and README.md has a summary of the corpus.

usage: index.py [--check] [ROOT]

--check changes nothing, and exits with 1 where a table is not up to date."""
import collections
import glob
import os
import re
import sys


def read(root, *path):
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        return file.read()


def rows(text):
    """The cells of each line of tables."""
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def pages(root, folder):
    """(name, path from docs, summary) of each page in the folder."""
    for path in sorted(glob.glob(os.path.join(root, folder, "*", "*.md"))):
        with open(path, encoding="utf-8") as page:
            summary = page.readline().strip().rstrip(".")
        yield (os.path.basename(os.path.dirname(path)),
               f"../{os.path.relpath(path, root)}", summary)


def edits(cell):
    """The rewrites in "reroll [rolled], limit-unroll [hint-2]"."""
    return set(re.findall(r"([a-z][a-z-]*) \[", cell))


def kept_offline(root):
    """{rewrite: {target: the most waves that a kernel won, "2 -> 8"}} with the
    number of kernels that kept it: by default, for each target alone."""
    out = collections.defaultdict(dict)
    text = read(root, "docs", "lab", "corpus.md").split("## Kernel by kernel")[1]
    for part in text.split("\n### ")[1:]:
        target = part.split("\n", 1)[0].strip()
        for cells in rows(part):
            figures, _, kept = cells[1].partition(";")
            waves = re.findall(r"\d+ -> \d+|\d+", figures)[1:2]
            for name in edits(kept):
                count, most = out[name].get(target, (0, "1 -> 1"))
                out[name][target] = count + 1, max(most, *waves, key=ratio)
    return out


def ratio(waves):
    before, _, after = waves.partition(" -> ")
    return int(after or before) / int(before)


def kept_by_time(root):
    """{rewrite: (kernels that kept it on the H200, the most speed-up)}."""
    out = collections.defaultdict(lambda: (0, 1.0))
    for cells in rows(read(root, "docs", "lab", "device.md")):
        for name in edits(cells[-1]) if len(cells) == 7 else ():
            count, most = out[name]
            out[name] = count + 1, max(most, float(cells[5].split()[0]))
    return out


def rewrites(root):
    # What --list-rewrites prints; a new rewrite is not there yet.
    classes = dict(re.findall(r"^([a-z-]+) +(exact|assumes|approximate|contract) ",
                              read(root, "README.md"), re.M))
    offline, timed = kept_offline(root), kept_by_time(root)
    yield "page", "class", "kept for", "most waves", "on an H200", "what it does"
    for name, path, summary in pages(root, "rewrites"):
        at = offline.get(name, {})
        best = max(at, key=lambda t: ratio(at[t][1]), default=None)
        won = best and ratio(at[best][1]) > 1
        count, speed = timed.get(name, (0, 1))
        yield (f"[{name}]({path})", classes.get(name, ""),
               ", ".join(f"{t} ({at[t][0]})" for t in at),
               f"{at[best][1]} on {best}" if won else "",
               f"{speed:.2f}x ({count})" if count else "", summary)


def advice(root):
    yield "page", "what it is about"
    for name, path, summary in pages(root, "advice"):
        yield f"[{name}]({path})", summary


def corpus(root):
    text = read(root, "docs", "lab", "corpus.md").split("## Summary")[1]
    yield ("GPU", "kernels below full occupancy", "gain a wave, no higher estimate",
           "gain one by the best attribute of the compiler")
    for cells in rows(text.split("\n## ")[0]):
        if cells[0] != "target":
            yield cells[0], f"{cells[2]} of {cells[1]}", cells[3], cells[-1]


def table(lines):
    head, *others = ("".join(f"| {cell} " if cell else "| " for cell in cells) + "|"
                     for cells in lines)
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *others])


TABLES = {("docs", "rewrites.md"): {"rewrites": rewrites, "advice": advice},
          ("README.md",): {"corpus": corpus}}


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    root = words[0] if words else os.path.dirname(
        os.path.dirname(os.path.abspath(__file__)))
    old_pages = 0
    for path, markers in TABLES.items():
        old = new = read(root, *path)
        for marker, lines in markers.items():
            new = re.sub(rf"(<!-- {marker} -->\n).*?(<!-- end -->)",
                         lambda m: f"{m[1]}\n{table(lines(root))}\n\n{m[2]}", new,
                         count=1, flags=re.S)
        if new == old:
            continue
        old_pages += 1
        if "--check" in sys.argv:
            print("/".join(path), "is not up to date; run: ./dev docs")
            continue
        with open(os.path.join(root, *path), "w", encoding="utf-8") as file:
            file.write(new)
    return 1 if old_pages and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
