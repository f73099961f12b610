"""Measures hand-made variants of kernels, for rewrites that were considered,
and writes what they reach into docs/lab/tried.md: a table and a verdict for each.

usage: tried.py BIN_DIR [--jobs N] [--targets gfx600,...] [--out FILE]

A kernel in bench/tried names its variants in its first comment,
`// tried ENTRY VARIANT: what it does`, and has them behind V_VARIANT. Each is
measured beside the plain kernel, and run beside it on an OpenCL device.

Exits with 1 where a variant does not compile or gives other results."""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import textwrap

from corpus import ROOT, SPILLS, TARGETS, Runner

HERE = os.path.dirname(os.path.abspath(__file__))
ENTRIES = {
    "reload": "Values that were loaded before a loop are loaded again in it, "
              "or after it, instead of being kept.",
    "bump-pointer": "A base with an index that a loop computes becomes a "
                    "pointer that the loop moves, or a pointer to the middle.",
    "scalarise-uniform": "A value that is the same for a whole wave is made "
                         "provably so, and with it the loads that it indexes.",
    "block-cse": "Of two equal values, the later is computed again: an opaque "
                 "zero hides that they are equal.",
    "scope-array": "A private array goes through the work-item's own place in "
                   "the output buffer, or through local memory.",
    "fission": "A loop that computes several things becomes several loops, "
               "which load what they share again.",
    "interchange": "Nested loops change places.",
    "pad-buffer": "The host pads a buffer, and the guards at its edges go.",
    "pack-loads": "Several elements of 8 or 16 bits are loaded as one word or "
                  "vector.",
}
# Variants that need another host give other results here.
CONTRACT = {"padded"}
INTRO = """# What was tried by hand

Rewrites that were considered for the catalogue, tried by hand on kernels of our
own (`bench/tried`), and what LLVM makes of them. Written by

```
{command}
```

or `./dev bench tried`, which builds first; here by {version}.

A cell says what changes: VGPRs, then waves, then the estimate's ratio to the
plain kernel's, above 1 where it is slower. *Pays* means: more waves, or less
scratch, or a lower estimate, with no fewer waves, no new spills or scratch, and
no higher estimate; in bold. An *opaque zero* is `get_work_dim() >> 2`, which is
0 by OpenCL's rules and unknown to the compiler.

The bound on the estimate is sharp: a ratio shown as 1.00 may be a small rise.
Each variant was run beside the plain kernel on an OpenCL device: {verdicts}.
Code for AMD's compilers alone is left out there, and what needs another host is
not run.
"""
Variant = collections.namedtuple("Variant", "kernel entry name what")


def variants_of(path):
    kernel = os.path.basename(path)[:-3]
    text = open(path).read()
    # A sentence may go on in the next line.
    return [Variant(kernel, *match) for match in re.findall(
        r"^// tried (\S+) (\S+): (.*)", text, flags=re.M)]


def measured(runner, targets, kernel, text, variant):
    """Usage by target; None where it can't be measured."""
    name = f"{kernel}.{variant or 'original'}"
    path = runner.place("tried", name + ".cl", text=text)
    document = runner.report("measure", "--target=" + ",".join(targets), path)
    kernels = document["files"][0]["kernels"]
    if not kernels:
        sys.exit(f"tried: {name}: {document['files'][0]['problem']}")
    return {t["target"]: t["before"] for t in kernels[0]["targets"]
            if t["before"]["occupancy"]}


def spills(usage):
    return sum(usage[key] or 0 for key in SPILLS)


def guarded(before, after):
    """No worse in anything that the selection guards."""
    return (after["occupancy"] >= before["occupancy"]
            and spills(after) <= spills(before)
            and after["est_cycles"] <= before["est_cycles"])


def more_waves(before, after):
    return after["occupancy"] > before["occupancy"]


def lower(before, after):
    """By what a table with two digits shows."""
    return after["est_cycles"] < 0.995 * before["est_cycles"]


def pays(before, after):
    return guarded(before, after) and (
        more_waves(before, after) or spills(after) < spills(before)
        or lower(before, after))


def cell(before, after):
    if before is None or after is None:
        return "not measurable"
    parts = []
    for key in ("vgprs", "occupancy"):
        a, b = before[key], after[key]
        parts.append(f"{a}" if a == b else f"{a} -> {b}")
    ratio = after["est_cycles"] / before["est_cycles"]
    text = ", ".join(parts + [f"x {ratio:.2f}"])
    if spills(after) != spills(before):
        text += f", spills and scratch {spills(before)} -> {spills(after)}"
    return f"**{text}**" if pays(before, after) else text


def names(found):
    return ", ".join(sorted(set(found))) or "none"


def verdict(entry, variants, targets, usages):
    """Sentences that only count."""
    gained, quicker, free, fewer = [], [], [], []
    for v in variants:
        for target in targets:
            before = usages[v.kernel, ""].get(target)
            after = usages[v.kernel, v.name].get(target)
            if not before or not after:
                continue
            if after["vgprs"] < before["vgprs"]:
                fewer.append(v.kernel)
            if more_waves(before, after) and spills(after) <= spills(before):
                free.append(v.kernel)
                if guarded(before, after):
                    gained.append(v.kernel)
            if pays(before, after) and lower(before, after):
                quicker.append(v.kernel)
    count = len({v.kernel for v in variants})
    return textwrap.fill(
        f"Of {count} kernels, {len(set(fewer))} can do with fewer VGPRs on some "
        f"target. "
        f"More waves and no higher estimate: {names(gained)}. More waves at "
        f"any estimate: {names(free)}. A lower estimate and nothing worse: "
        f"{names(quicker)}.", 79)


def section(entry, variants, targets, usages):
    head = ["kernel", "variant"] + targets
    lines = [f"## {entry}\n", textwrap.fill(ENTRIES[entry], 79), "",
             "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for v in variants:
        cells = [cell(usages[v.kernel, ""].get(t), usages[v.kernel, v.name].get(t))
                 for t in targets]
        lines.append("| " + " | ".join([v.kernel, v.name] + cells) + " |")
    lines += [""] + [f"- {v.kernel}, {v.name}: {v.what}" for v in variants]
    lines += ["", verdict(entry, variants, targets, usages)]
    notes = os.path.join(HERE, "tried", entry + ".md")
    if os.path.exists(notes):
        lines += ["", open(notes).read().rstrip("\n")]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("bin_dir")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--targets", type=lambda value: value.split(","),
                        default=TARGETS)
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "lab", "tried.md"))
    options = parser.parse_args()
    runner = Runner(options.bin_dir)
    paths = sorted(glob.glob(os.path.join(HERE, "tried", "*.cl")))
    texts, variants = {}, []
    for path in paths:
        found = variants_of(path)
        variants += found
        plain = open(path).read()
        kernel = os.path.basename(path)[:-3]
        texts[kernel, ""] = plain
        for name in {v.name for v in found}:
            texts[kernel, name] = f"#define V_{name} 1\n{plain}"
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        keys = sorted(texts)
        usages = dict(zip(keys, pool.map(
            lambda key: measured(runner, options.targets, key[0], texts[key],
                                 key[1]), keys)))
        pairs = [key for key in keys if key[1] and key[1] not in CONTRACT]
        answers = dict(zip(pairs, pool.map(
            lambda key: runner.verify(key[0], texts[key[0], ""], texts[key],
                                      key[1]), pairs)))
    count = collections.Counter(answer for answer, _ in answers.values())
    version = subprocess.run([runner.clrewrite, "--version"],
                             capture_output=True, text=True).stdout.split("\n")[0]
    command = "python3 bench/tried.py build/release/bin"
    if options.targets != TARGETS:
        command += " --targets " + ",".join(options.targets)
    said = ", ".join(f"{number} {answer}" for answer, number
                     in sorted(count.items()))
    parts = [INTRO.format(command=command, version=version, verdicts=said)]
    for entry in ENTRIES:
        mine = [v for v in variants if v.entry == entry]
        parts.append(section(entry, mine, options.targets, usages))
    with open(options.out, "w") as out:
        out.write("\n".join(parts))
    bad = [(key, answer) for key, answer in answers.items()
           if answer[0] != "same"]
    for (kernel, name), (answer, why) in bad:
        print(f"tried: {kernel}, {name}: {answer}: {why}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
