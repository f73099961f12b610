"""Puts what fleet.py measured into docs/fleet.md, between two lines that it has for that."""
import os
import textwrap

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "fleet.md")
BEGIN, END = "<!-- fleet.py -->", "<!-- end -->"


def many(found):
    """The paragraph and the table of the step targets."""
    yield (f"{found['kernels']:,} kernels of {len(found['by_project'])} projects, measured for "
           f"{found['targets']} of AMD's GPUs on {found['processors']} processors: "
           f"{found['wall'] / 60:.0f} minutes on the wall, {found['cpu'] / 60:.0f} of processors, "
           f"{found['each_ms']:.0f} ms a kernel and target; {found['failed']} of "
           f"{found['figures'] + found['failed']:,} figures could not be had. The run takes "
           f"{found['mib']} MiB, compiling children included.")
    yield ""
    yield (f"So 10,000 such kernels take {found['hours']:.1f} hours on 20 targets "
           f"({found['cpu_hours']:.1f} processor hours). It depends on whose they are: of as many "
           "projects, drawn from these at random and with repetition, nine draws of ten give "
           f"{found['spread'][0]:.1f} to {found['spread'][1]:.1f} hours.")
    yield ""
    yield f"| project | kernels | ms each and target, on {found['processors']} processors |"
    yield "|---|---|---|"
    for name, (count, each) in sorted(found["by_project"].items(), key=lambda r: -r[1][1]):
        yield f"| {name.partition('+')[2] or name} | {count} | {each:.0f} |"


def split(what, found):
    """The table of a step in shards."""
    yield f"| {what}: shards | time | efficiency | a shard has at most |"
    yield "|---|---|---|---|"
    yield f"| none, without Slurm | {found['wall']:.0f} s | 1 | |"
    for row in found["rows"]:
        yield (f"| {row['shards']} | {row['wall']:.0f} s | {row['efficiency']:.2f} | "
               f"{row['mib']} MiB |")


def text(found):
    shards, search = found["shards"], found["search"]
    same = all(row["same"] for each in (shards, search) for row in each["rows"])
    yield f"On {found['targets']['date']}, with {shards['processors']} processors:"
    yield ""
    yield from many(found["targets"])
    yield ""
    yield (f"In shards by Slurm, {shards['processors']} of them at a time and one compilation in "
           "each, parted by `--costs` of an earlier run; the efficiency is the time without "
           "shards over that with them, by the processors that they can have. "
           + ("Each gave the figures and edits of one run." if same else
              "NOT ALL GAVE THE FIGURES AND EDITS OF ONE RUN."))
    yield ""
    yield from split(f"measuring {shards['kernels']:,} kernels for gfx906", shards)
    yield ""
    yield from split(f"searching {search['files']} files with {search['kernels']} kernels, "
                     f"`--budget={search['budget']}`", search)


def write(found):
    with open(PAGE, encoding="utf-8") as f:
        before, _, rest = f.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(PAGE, "w", encoding="utf-8") as f:
        lines = [line if line.startswith("|") else textwrap.fill(line, 96)
                 for line in text(found)]
        f.write(before + "\n".join([BEGIN, *lines, END]) + after)
