"""Holds the estimate against an interpreter of the machine code, for gfx906.

usage: check.py BIN_DIR [FILE.cl ...] [--jobs N] [--no-results] [--out FILE]

Each kernel (of the corpus, if no file is named) is compiled for gfx906 as clrewrite
compiles it, and the waves that the estimate executes are run by an interpreter of the
disassembly, with the buffers that the estimate gives them. What the waves leave is
compared with the whole launch on PoCL, byte by byte; floats that differ are told with
the largest distance. Then cycles and bytes are compared with those of the estimate
(`est_parts`). Prints a table in Markdown, or writes it to FILE; exits with 1 where a
kernel could not be run, its results differ otherwise than by rounding, or a count is off
by more than 2 %.

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
import time
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


def execute(code, launch, prepared):
    """Runs the waves that the estimate runs."""
    every = []
    for place, which in sampled(code, launch):
        group = waves.Group(code, launch, prepared.memory, prepared.kernarg, place,
                            which)
        group.run()
        every += group.waves
    total = np.sum([wave.runs for wave in every], axis=0)
    n = len(every)
    units = {unit: count / n for unit, count in code.counts(total).items()}
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


def check(path, told, with_results):
    """One kernel: its counts and the difference of its results."""
    with open(path) as file:
        source = file.read()
    with tempfile.TemporaryDirectory() as folder:
        into = os.path.join(folder, "kernel.elf")
        programs.compile_kernel(path, into)
        program = programs.load_program(into)
    if program.code_bytes != told["code_bytes"]:
        raise SystemExit(f"gcn: {path}: Clang made {program.code_bytes} bytes of code, "
                         f"clrewrite {told['code_bytes']}")
    program.descriptor.check()
    launch = launches.launch_of(source)
    code = waves.Code(program)
    prepared = launches.prepare(program, launch)
    others = opencl.run(source, program, launch, prepared) if with_results else None
    counts = execute(code, launch, prepared)
    return counts, difference(program, prepared, others) if with_results else None


def attempt(path, told, with_results):
    start = time.time()
    try:
        with np.errstate(all="ignore"):
            counts, differs = check(path, told, with_results)
        return path, counts, differs, "", time.time() - start
    except programs.Unsupported as problem:
        return path, None, None, f"not run: {problem}", time.time() - start
    except Exception:  # an error of the interpreter's: told, with its place
        return path, None, None, traceback.format_exc(), time.time() - start


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-results", action="store_true")
    options = parser.parse_args()
    files = options.files or sorted(glob.glob(
        os.path.join(os.path.dirname(HERE), "corpus", "*.cl")))
    told = estimates(options.bin_dir, files)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for path, counts, differs, problem, took in pool.map(
                attempt, files, [told[f] for f in files],
                [not options.no_results] * len(files)):
            name = os.path.basename(path)[:-3]
            if problem:
                print(name, problem, f"{took:.1f}s", flush=True)
                continue
            parts = dict(told[path]["est_parts"])
            parts["bytes"] = parts["bandwidth"] * BYTES_PER_CYCLE
            row = []
            for unit, mine in counts.cycles().items():
                theirs = parts[unit]
                ok = abs(theirs - mine) <= CLOSE * max(mine, 1e-9)
                row.append(f"{unit} {mine:.0f}/{theirs:.0f}{'' if ok else '!'}")
            print(name, told[path]["est_from"], *row,
                  differs.text() if differs else "", f"{took:.1f}s", flush=True)


if __name__ == "__main__":
    main()
