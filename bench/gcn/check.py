"""Holds the estimate against an interpreter of the machine code, for gfx906.

usage: check.py BIN_DIR [FILE.cl ...] [--jobs N] [--no-results]

Each kernel (of the corpus, if no file is named) is compiled for gfx906 as clrewrite
compiles it, and the waves that the estimate executes are run by an interpreter of the
disassembly, with the buffers that the estimate gives them. What the waves leave is
compared with the whole launch on PoCL, byte by byte; floats that differ are told with
the largest distance. Then cycles and bytes are compared with those of the estimate
(`est_parts`). Prints a table in Markdown; exits with 1 where a kernel that the estimate
counts could not be run, integers differ, or a count is off by more than 2 %.

Needs Debian's python3-numpy, python3-pyopencl, python3-yaml and pocl-opencl-icd."""
import argparse
import concurrent.futures
import dataclasses
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
import wave as waves  # noqa: E402

SAMPLED_WAVES = 4
ORDERS = [[0, 1, 2, 3], [1, 3, 0, 2], [2, 0, 3, 1]]
CLOSE = 0.02
BYTES_PER_CYCLE = 1024 / 1.75 / (60 * 4)  # gfx906, lib/measure/estimate/Estimate.cpp


def estimates(bin_dir, files):
    """What clrewrite says of the kernel of each file."""
    done = subprocess.run(
        [os.path.join(bin_dir, "clrewrite"), "measure",
         "--target=gfx906", "--format=json", *files], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"gcn: {done.stderr.strip()}")
    out = {}
    for file in json.loads(done.stdout)["files"]:
        target = file["kernels"][0]["targets"][0]
        if not target["after"]:
            raise SystemExit(f"gcn: {file['path']}: {target['problem']}")
        out[file["path"]] = target["after"]
    return out


def sampled(code, launch):
    """The work-groups that the estimate executes and their waves, as
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


@dataclasses.dataclass
class Counts:
    """What the waves of a kernel did, a wave's share."""
    waves: int
    units: dict
    vmem_cycles: float
    bytes: float

    def cycles(self):
        """In the words of `est_parts`."""
        u = self.units
        return {"valu": u["valu_cycles"],
                "salu": 4 * (u["salu"] + u["smem"] + u["branch"]),
                "vmem": self.vmem_cycles, "lds": 8 * u["lds"],
                "bytes": self.bytes}


def run_waves(code, launch, prepared, groups):
    """Runs the waves of GROUPS and returns them."""
    every = []
    for place, which in groups:
        group = waves.Group(code, launch, prepared.memory, prepared.kernarg, place,
                            which)
        group.run()
        every += group.waves
    return every


def count(code, every):
    """What the waves did, a wave's share."""
    n = len(every)
    total = np.sum([wave.runs for wave in every], axis=0)
    units = {unit: times / n for unit, times in code.counts(total).items()}
    for unit in ("valu_cycles", "valu", "salu", "smem", "branch", "lds", "vmem"):
        units.setdefault(unit, 0)
    return Counts(n, units, vmem_cycles(every),
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


def compare_results(source, program, launch, prepared):
    """How what the waves have left in PREPARED differs from what PoCL leaves."""
    if any(one.op.startswith("global_atomic") for one in program.code):
        # Other groups change the same memory: the small launch is run whole.
        launch = launches.launch_of(source, "small")
        prepared = launches.prepare(program, launch)
        run_waves(waves.Code(program), launch, prepared, all_groups(launch))
    others = opencl.run(source, program, launch, launches.prepare(program, launch))
    return difference(program, prepared, others)


def check(path, told, with_results):
    """One kernel: its counts, and how its results differ."""
    with open(path) as file:
        source = file.read()
    program = load(path)
    if program.code_bytes != told["code_bytes"]:
        raise programs.Unsupported(
            f"other code than clrewrite's: {program.code_bytes} bytes, "
            f"not {told['code_bytes']}")
    launch = launches.launch_of(source)
    code = waves.Code(program)
    prepared = launches.prepare(program, launch)
    counts = count(code, run_waves(code, launch, prepared, sampled(code, launch)))
    if not with_results:
        return counts, Difference(), "not compared"
    found = compare_results(source, program, launch, prepared)
    return counts, found, found.text()


def attempt(path, told, with_results):
    """The row of one kernel: the file, counts, the difference, and what to say of the
    results or why there are none."""
    try:
        with np.errstate(all="ignore"):
            return path, *check(path, told, with_results)
    except programs.Unsupported as problem:
        return path, None, None, f"not run: {problem}"
    except Exception:  # an error of the interpreter's: told, with its place
        return path, None, None, traceback.format_exc()


HEAD = """| kernel | waves | vector | scalar | memory | LDS | bytes | estimate | results |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def row(path, told, counts, text):
    """A line of the table, and whether the counts are close. Where the estimate has
    another number, it stands behind a stroke."""
    name = os.path.basename(path)[:-3]
    if counts is None:
        return f"| {name} | | | | | | | {told['est_from']} | {text} |", True
    parts = dict(told["est_parts"])
    parts["bytes"] = parts["bandwidth"] * BYTES_PER_CYCLE
    cells, fine = [], True
    for unit, mine in counts.cycles().items():
        theirs = parts[unit]
        off = abs(theirs - mine)
        far = off > CLOSE * max(mine, 1e-9) and off > 0.5
        # What is assumed is no count.
        fine &= not far or told["est_from"] != "counted"
        cells.append(f"{mine:.0f}" + (f" / {theirs:.0f}" if off > 0.5 else "") +
                     (" (!)" if far else ""))
    return (f"| {name} | {counts.waves} | {' | '.join(cells)} | {told['est_from']} | "
            f"{text} |"), fine


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-results", action="store_true")
    options = parser.parse_intermixed_args()
    files = options.files or sorted(glob.glob(
        os.path.join(os.path.dirname(HERE), "corpus", "*.cl")))
    told = estimates(options.bin_dir, files)
    print(HEAD)
    bad = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for path, counts, differs, text in pool.map(
                attempt, files, [told[f] for f in files],
                [not options.no_results] * len(files)):
            line, fine = row(path, told[path], counts, text)
            print(line, flush=True)
            if counts is None:  # What neither runs is no disagreement.
                bad += told[path]["est_from"] == "counted"
            else:
                bad += not fine or differs.other > 0
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
