"""Holds the estimate against an interpreter of the machine code, for gfx906.

usage: check.py BIN_DIR [FILE.cl ...] [--jobs N] [--no-results]
                [--versions kept|singles] [--each N] [--folder FOLDER]

Each kernel (of the corpus, if no file is named) is compiled for gfx906 as clrewrite
compiles it, and the waves that the estimate executes are run by an interpreter of the
disassembly, with the buffers that the estimate gives them. What the waves leave is
compared with the whole launch on PoCL, byte by byte; floats that differ are told with
the largest distance. Then cycles and bytes are compared with those of the estimate
(`est_parts`). Prints a table in Markdown; exits with 1 where a kernel that the estimate
counts could not be run, integers differ, or a count is off by more than 2 %.

With --versions not the kernels are checked, but what clrewrite makes of them: `kept`
by default, or by each exact rewrite alone (`singles`; N alternatives of each, 1 by
default), written to FOLDER if one is named. What a version's waves leave is compared with
what the same waves of the original leave, and each bit that differs counts as wrong. A
second table has the sums by rewrite.

Needs Debian's python3-numpy, python3-pyopencl, python3-yaml and pocl-opencl-icd."""
import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import glob
import json
import os
import subprocess
import sys
import tempfile
import traceback

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import launch as launches  # noqa: E402
import opencl  # noqa: E402
import program as programs  # noqa: E402
import versions  # noqa: E402
import wave as waves  # noqa: E402

SAMPLED_WAVES = 4
STEPS = (0.618034, 0.754878, 0.569840)
ORDERS = [[0, 1, 2, 3], [1, 3, 0, 2], [2, 0, 3, 1]]
CLOSE = 0.02


def estimates(bin_dir, files):
    """What clrewrite says of the kernel of each file; where that does not compile, its
    `problem`."""
    done = subprocess.run(
        [os.path.join(bin_dir, "clrewrite"), "measure", "--no-config",
         "--target=gfx906", "--format=json", *files], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"gcn: {done.stderr.strip()}")
    targets = [file["kernels"][0]["targets"][0]
               for file in json.loads(done.stdout)["files"]]
    return [{**(target["after"] or {"est_from": None}), "problem": target["problem"]}
            for target in targets]


def sampled(code, launch, count=SAMPLED_WAVES):
    """The work-groups that the estimate executes and their waves, COUNT in all, as
    lib/measure/execute/Execution.cpp chooses them: pairs of a place and a set of waves,
    None for all."""
    program = code.program
    whole = program.descriptor.group_bytes or launch.dynamic_bytes or any(
        one.op == "s_barrier" for one in program.code)
    local = launch.local
    of_group = -(-local[0] * local[1] * local[2] // waves.LANES)
    samples = -(-SAMPLED_WAVES // of_group) if whole else SAMPLED_WAVES
    for n in range(samples):
        place = [(2 * (ORDERS[d][n] % samples) + 1) * launch.groups[d] // (2 * samples)
                 for d in range(3)]
        yield place, None if whole else {n % of_group}
    for n in range(samples, 0 if whole else count):
        place = [int(n * step % 1 * launch.groups[d]) for d, step in enumerate(STEPS)]
        yield place, {n % of_group}


@dataclasses.dataclass
class Counts:
    """What the waves of a kernel did, a wave's share."""
    waves: int
    units: dict
    vmem_cycles: float
    passes: float  # of the banks of LDS
    bytes: float

    def cycles(self):
        """In the words of `est_parts`."""
        u = self.units
        return {"valu": u["valu_cycles"],
                "salu": 4 * (u["salu"] + u["smem"] + u["branch"]),
                "vmem": self.vmem_cycles, "lds": 4 * self.passes,
                "bytes": self.bytes}


def run_waves(code, launch, prepared, groups):
    """Runs the waves of GROUPS and returns them."""
    every = []
    for place, which in groups:
        group = waves.Group(code, launch, prepared, place, which)
        group.run()
        every += group.waves
    return every


def count(code, every):
    """What the waves did, a wave's share."""
    n = len(every)
    total = np.sum([wave.runs for wave in every], axis=0)
    units = {unit: times / n for unit, times in code.counts(total).items()}
    for unit in ("valu_cycles", "valu", "salu", "smem", "branch", "vmem"):
        units.setdefault(unit, 0)
    return Counts(n, units, vmem_cycles(every), sum(wave.passes for wave in every) / n,
                  sum(wave.touched.bytes() for wave in every) / n)


def vmem_cycles(every):
    """Cycles of vector memory, a wave's share, as CountingPass::memoryCycles has them
    for AMD's GPUs: 16 for the addresses, 4 a line, 16 bytes of all lanes a cycle. Lines
    are the mean of all times that an instruction was run."""
    total = {}
    for wave in every:
        for at, (times, lines, size) in wave.lines.items():
            entry = total.setdefault(at, [0, 0, size])
            entry[0] += times
            entry[1] += lines
    return sum(times * max(16, 4 * lines / times, size * waves.LANES / 16)
               for times, lines, size in total.values()) / len(every)


@dataclasses.dataclass
class Difference:
    """How what the waves left differs from PoCL's."""
    compared: int = 0  # bytes
    elements: int = 0
    differ: int = 0  # elements
    ulps: int = 0  # of floats, the largest
    absolute: float = 0
    other: int = 0  # integers that differ

    def text(self):
        if not self.compared:
            return "nothing written"
        if not self.differ:
            return "same bits"
        if self.other:
            return f"{self.other} of {self.elements} integers DIFFER"
        return (f"{self.differ} of {self.elements} floats by up to {self.ulps} ulps, "
                f"{self.absolute:.1e}")


def ordered(bits):
    """Floats' bits as integers in the order of their values."""
    bits = bits.astype(np.int64)
    half = 1 << 31
    return np.where(bits >= half, half - bits, bits)


def difference(program, prepared, others):
    """Compares the bytes that the waves have written with OTHERS, by buffer."""
    out = Difference()
    types = [argument[".type_name"] for argument in program.arguments
             if not argument[".value_kind"].startswith("hidden_")]
    for (kind, number), type_name in zip(prepared.values, types):
        buffer = prepared.memory.at(number) if kind == "buffer" else None
        if buffer is None or not buffer.written:
            continue
        touched = np.zeros(buffer.size + 3, bool)
        for offsets, size in buffer.written:
            for byte in range(size):
                touched[offsets + byte] = True
        sort = launches.component(type_name) or np.dtype("u1")
        at = np.unique(np.flatnonzero(touched) // sort.itemsize)
        whole = buffer.size // sort.itemsize
        mine = buffer.bytes[:whole * sort.itemsize].view(sort)[at]
        theirs = others[number][:whole * sort.itemsize].view(sort)[at]
        out.compared += int(touched.sum())
        out.elements += len(at)
        unequal = mine.view(f"u{sort.itemsize}") != theirs.view(f"u{sort.itemsize}")
        unequal &= ~((mine != mine) & (theirs != theirs))  # NaNs
        out.differ += int(unequal.sum())
        if sort.kind != "f":
            out.other += int(unequal.sum())
        elif unequal.any():
            a, b = mine[unequal], theirs[unequal]
            out.absolute = max(out.absolute, float(np.abs(
                a.astype(np.float64) - b.astype(np.float64)).max()))
            bits = f"u{sort.itemsize}"
            out.ulps = max(out.ulps, int(np.abs(
                ordered(a.view(bits)) - ordered(b.view(bits))).max()))
    return out


@functools.lru_cache(maxsize=4)
def load(path):
    """The program of the kernel of a file."""
    with tempfile.TemporaryDirectory() as folder:
        into = os.path.join(folder, "kernel.elf")
        programs.compile_kernel(path, into)
        program = programs.load_program(into)
    program.descriptor.check()
    return program


def all_groups(launch):
    """Every work-group, whole."""
    return [([n % launch.groups[0], n // launch.groups[0] % launch.groups[1],
              n // (launch.groups[0] * launch.groups[1])], None)
            for n in range(int(np.prod(launch.groups)))]


def compare_with_pocl(source, program, launch, prepared):
    """How what the waves have left in PREPARED differs from what PoCL leaves."""
    if any(one.op.startswith("global_atomic") for one in program.code):
        # Other groups change the same memory: the small launch is run whole.
        launch = launches.launch_of(source, "small")
        prepared = launches.prepare(program, launch)
        run_waves(waves.Code(program), launch, prepared, all_groups(launch))
    others = opencl.run(source, program, launch, launches.prepare(program, launch))
    return difference(program, prepared, others)


def compare_with_original(path, program, prepared, groups):
    """How what the waves of a version have left in PREPARED differs from what those of
    its original at PATH leave. What the original alone writes is compared, too."""
    original, launch = load(path), launches.launch_of(read(path))
    other = launches.prepare(original, launch)
    run_waves(waves.Code(original), launch, other, groups)
    others = {}
    for kind, number in prepared.values:
        if kind == "buffer":
            buffer = other.memory.at(number)
            prepared.memory.at(number).written += buffer.written
            others[number] = buffer.bytes
    return difference(program, prepared, others)


@dataclasses.dataclass
class Case:
    """A kernel to be checked, or a version of one."""
    path: str
    label: str = ""  # how the version was made
    original: str = None  # a path

    @property
    def name(self):
        kernel = os.path.basename(self.path)[:-3]
        return f"{kernel}: {self.label}" if self.label else kernel


@dataclasses.dataclass
class Result:
    """What came of one case."""
    case: Case
    told: dict  # by clrewrite
    counts: Counts
    difference: Difference
    text: str  # of the results, or why there are none

    def far(self):
        """The units whose counts are further from the estimate's than CLOSE."""
        return [unit for unit, (mine, theirs) in self.units().items()
                if abs(theirs - mine) > max(CLOSE * mine, 0.5)]

    def units(self):
        """By unit: what was executed, and what is estimated."""
        parts = dict(self.told["est_parts"])
        return {unit: (mine, parts[unit]) for unit, mine in self.counts.cycles().items()}

    def bad(self):
        counted = self.told["est_from"] == "counted"
        if not self.counts:  # What neither runs is no disagreement.
            return counted
        differs = (self.difference.differ if self.case.original else
                   self.difference.other)
        return differs > 0 or counted and bool(self.far())  # What is assumed is no count.


def read(path):
    with open(path) as file:
        return file.read()


def check(case, told, with_results):
    """One case: its counts, how its results differ, and what to say of that."""
    if told["problem"]:
        raise programs.Unsupported(told["problem"])
    program = load(case.path)
    if program.code_bytes != told["code_bytes"]:
        raise programs.Unsupported(
            f"other code than clrewrite's: {program.code_bytes} bytes, "
            f"not {told['code_bytes']}")
    source = read(case.path)
    launch = launches.launch_of(source)
    code = waves.Code(program)
    prepared = launches.prepare(program, launch)
    groups = list(sampled(code, launch, told["est_waves"] or SAMPLED_WAVES))
    counts = count(code, run_waves(code, launch, prepared, groups))
    if not with_results:
        return counts, Difference(), "not compared"
    found = (compare_with_original(case.original, program, prepared, groups)
             if case.original else
             compare_with_pocl(source, program, launch, prepared))
    return counts, found, found.text()


def attempt(case, told, with_results):
    """The result of one case, also where there is none."""
    try:
        with np.errstate(all="ignore"):
            return Result(case, told, *check(case, told, with_results))
    except programs.Unsupported as problem:
        return Result(case, told, None, None, f"not run: {problem}")
    except Exception:  # an error of the interpreter's: told, with its place
        return Result(case, told, None, None, traceback.format_exc())


def cases_of(path, options):
    """What is to be checked of the kernel at PATH."""
    if not options.versions:
        return [Case(path)]
    maker = versions.Maker(options.bin_dir, options.folder)
    made = (maker.kept(path) if options.versions == "kept" else
            maker.singles(path, options.each))
    return [Case(version, label, path) for label, version in made]


def results_of(path, options):
    """All results of the kernel at PATH."""
    cases = cases_of(path, options)
    told = estimates(options.bin_dir, [case.path for case in cases]) if cases else []
    return [attempt(case, said, not options.no_results)
            for case, said in zip(cases, told)]


HEAD = """| kernel | waves | vector | scalar | memory | LDS | bytes | estimate | results |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def row(result):
    """A line of the table. Where the estimate has another number, it stands behind a
    stroke."""
    start = f"| {result.case.name} |"
    end = f"{result.told['est_from'] or ''} | {result.text} |"
    if result.counts is None:
        return f"{start} | | | | | | {end}"
    far = result.far()
    cells = [f"{mine:.0f}" + (f" / {theirs:.0f}" if abs(theirs - mine) > 0.5 else "") +
             (" (!)" if unit in far else "")
             for unit, (mine, theirs) in result.units().items()]
    return f"{start} {result.counts.waves} | {' | '.join(cells)} | {end}"


def sums(results):
    """The table of versions by rewrite."""
    print("\n| rewrite | versions | run | counted | counts agree | same bits |\n"
          "| --- | --- | --- | --- | --- | --- |")
    by_rewrite = collections.defaultdict(list)
    for result in results:
        by_rewrite[result.case.label.split()[0]].append(result)
        by_rewrite["all"].append(result)
    everything = by_rewrite.pop("all", [])
    for name, each in [*sorted(by_rewrite.items()), ("all", everything)]:
        run = [result for result in each if result.counts]
        counted = [result for result in run if result.told["est_from"] == "counted"]
        print(f"| {name} | {len(each)} | {len(run)} | {len(counted)} "
              f"| {sum(not result.far() for result in counted)} "
              f"| {sum(not result.difference.differ for result in run)} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-results", action="store_true")
    parser.add_argument("--versions", choices=("kept", "singles"))
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--folder")
    options = parser.parse_intermixed_args()
    files = options.files or sorted(glob.glob(
        os.path.join(os.path.dirname(HERE), "corpus", "*.cl")))
    print(HEAD)
    results = []
    with (tempfile.TemporaryDirectory() as temporary,
          concurrent.futures.ProcessPoolExecutor(options.jobs) as pool):
        options.folder = options.folder or temporary
        for some in pool.map(results_of, files, [options] * len(files)):
            for result in some:
                print(row(result), flush=True)
            results += some
    if options.versions:
        sums(results)
    sys.exit(any(result.bad() for result in results))


if __name__ == "__main__":
    main()
