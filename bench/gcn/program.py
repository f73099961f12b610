"""A kernel's machine code: compiled by Clang as clrewrite compiles it, read with LLVM's
disassembler, and what its metadata and its descriptor say of how it is started.

The layout of the descriptor, of the registers that a wave starts with and of the hidden
arguments is that of LLVM's "User Guide for AMDGPU Backend" (code object V5)."""
import dataclasses
import functools
import glob
import os
import re
import struct
import subprocess

import yaml

LLVM = "22"
CPU = "gfx906"
LIBRARIES = ["opencl", "ocml", "ockl", "oclc_isa_version_906",
             "oclc_wavefrontsize64_on", "oclc_daz_opt_off", "oclc_finite_only_off",
             "oclc_unsafe_math_off", "oclc_correctly_rounded_sqrt_off",
             "oclc_abi_version_500"]


class Unsupported(Exception):
    """The interpreter does not know something that the code needs; the message names
    it."""


def tool(name, *arguments, stdin=None):
    """What an LLVM tool prints. Raises Unsupported where the tool fails."""
    done = subprocess.run([f"{name}-{LLVM}", *arguments], input=stdin,
                          capture_output=True, text=True)
    if done.returncode:
        raise Unsupported(f"{name}-{LLVM} failed: {done.stderr.strip()}")
    return done.stdout


def library_folder():
    """Where AMD's device libraries are (Debian: rocm-device-libs)."""
    for path in sorted(glob.glob("/usr/lib/*/amdgcn/bitcode/opencl.bc")):
        return os.path.dirname(path)
    raise SystemExit("gcn: AMD's device libraries are missing: install "
                     "rocm-device-libs")


def compile_kernel(source, into):
    """Compiles the file SOURCE, which has one kernel, to the object INTO, in the steps of
    lib/measure/amdgcn/Amdgcn.cpp and with the options of lib/frontend/Invocation.cpp:
    libraries are linked before anything is optimised. That the code has as many bytes as
    clrewrite tells is checked by who calls this."""
    folder = library_folder()
    plain, linked, internal = (f"{into}.{n}.bc" for n in range(3))
    target = ["-target", "amdgcn-amd-amdhsa", f"-mcpu={CPU}", "-O3", "-nogpulib", "-w"]
    tool("clang", "-x", "cl", *target, "-ffp-contract=on", "-cl-kernel-arg-info",
         "-D__OPENCL_VERSION__=200", "-D__IMAGE_SUPPORT__=1", "-emit-llvm", "-c",
         "-Xclang", "-disable-llvm-passes", "-o", plain, source)
    tool("llvm-link", "--only-needed", "--internalize", plain,
         *(f"{folder}/{name}.bc" for name in LIBRARIES), "-o", linked)
    kernel, = re.findall(r"^define .*amdgpu_kernel void @(\w+)\(",
                         tool("llvm-dis", plain, "-o", "-"), re.M)
    tool("opt", "-passes=internalize", f"-internalize-public-api-list={kernel}", linked,
         "-o", internal)
    tool("clang", "-x", "ir", *target, "-o", into, internal)


@dataclasses.dataclass
class Instruction:
    """One instruction of the disassembly."""
    address: int
    size: int  # bytes
    op: str  # with its encoding's suffix: "v_add_f32_e32"
    text: str  # the operands as the disassembler prints them
    operands: list = dataclasses.field(default_factory=list)
    modifiers: dict = dataclasses.field(default_factory=dict)

    def target(self):
        """Where a branch leads: its immediate counts words from its end."""
        words = int(self.text)
        return self.address + 4 + 4 * (words - 65536 if words > 32767 else words)


def unit_of(op):
    """The unit that the estimate counts OP for (lib/measure/amdgcn/AmdgcnMachine.cpp),
    with what it counts as scalar told apart."""
    if op.startswith("v_"):
        return "valu"
    if op.startswith("s_waitcnt"):
        return "wait"
    if op.startswith(("s_load", "s_buffer_load")):
        return "smem"
    if op.startswith(("s_branch", "s_cbranch")):
        return "branch"
    if op.startswith("s_"):
        return "salu"
    if op.startswith("ds_"):
        return "lds"
    if op.startswith(("global_", "flat_", "buffer_", "image_", "scratch_")):
        return "vmem"
    raise Unsupported(f"the unit of {op}")


MODIFIER = re.compile(r"\b(\w+):(\[[^\]]*\]|-?\w+)")
FLAGS = {"off", "offen", "glc", "slc", "clamp", "unorm", "gds"}


def split_operands(text):
    """The operands and modifiers of an instruction's text."""
    modifiers = {}

    def take(match):
        value = match.group(2)
        modifiers[match.group(1)] = (
            [int(v) for v in value[1:-1].split(",")] if value[0] == "[" else value)
        return ""

    # A literal that could be an inline constant.
    text = re.sub(r"\blit\((\w+)\)", r"\1", text)
    # Ranges of registers have a colon, too.
    text = re.sub(r"([sv])\[(\d+):(\d+)\]", r"\1<\2-\3>", text)
    text = MODIFIER.sub(take, text)
    operands = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        first, *flags = part.split()
        operands.append(re.sub(r"([sv])<(\d+)-(\d+)>", r"\1[\2:\3]", first))
        for flag in flags:
            if flag not in FLAGS:
                raise Unsupported(f"the modifier '{flag}'")
            modifiers[flag] = True
    return operands, modifiers


LINE = re.compile(r"^\t(\S+)\s*(.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)")


def disassemble(path, symbol):
    """The instructions of the function SYMBOL."""
    out = []
    for line in tool("llvm-objdump", "-d", f"--mcpu={CPU}",
                     f"--disassemble-symbols={symbol}", path).splitlines():
        match = LINE.match(line)
        if not match:
            continue
        op, text, address, words = match.groups()
        one = Instruction(int(address, 16), 4 * len(words.split()), op, text)
        if unit_of(op) not in ("branch", "wait"):
            one.operands, one.modifiers = split_operands(text)
        out.append(one)
    return out


@dataclasses.dataclass
class Descriptor:
    """How a wave of the kernel starts."""
    group_bytes: int  # LDS that the kernel declares
    private_bytes: int  # scratch of a lane
    rsrc1: int
    rsrc2: int
    properties: int

    def check(self):
        """What the interpreter takes for granted of the floating-point mode: rounding
        to nearest, denormals kept. Raises Unsupported."""
        if self.rsrc1 >> 12 & 0xf or self.rsrc1 >> 16 & 0xf != 0xf:
            raise Unsupported("a floating-point mode that rounds or flushes")


def descriptor_of(path, kernel):
    """The descriptor of KERNEL from the object PATH."""
    at = None
    for line in tool("llvm-readelf", "-sW", path).splitlines():
        words = line.split()
        if words and words[-1] == kernel + ".kd":
            at = int(words[1], 16)
    for line in tool("llvm-readelf", "-SW", path).splitlines():
        match = re.search(r"\.rodata +PROGBITS +(\w+) (\w+) (\w+)", line)
        if match:
            start, offset, _ = (int(v, 16) for v in match.groups())
    with open(path, "rb") as file:
        file.seek(at - start + offset)
        raw = file.read(64)
    group, private = struct.unpack_from("<II", raw)
    rsrc1, rsrc2, properties = struct.unpack_from("<IIH", raw, 48)
    return Descriptor(group, private, rsrc1, rsrc2, properties)


def image_of(path):
    """What the object PATH has in memory from address 0 on: its code and constants."""
    with open(path, "rb") as file:
        raw = file.read()
    headers, = struct.unpack_from("<Q", raw, 32)
    size, count = struct.unpack_from("<HH", raw, 54)
    out = bytearray()
    for at in range(headers, headers + size * count, size):
        sort, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", raw, at)
        if sort == 1:  # PT_LOAD
            out += bytes(max(0, address + length - len(out)))
            out[address:address + length] = raw[offset:offset + length]
    return bytes(out)


@dataclasses.dataclass
class Program:
    """A kernel to be run: its code, and what its metadata say."""
    name: str
    code: list
    descriptor: Descriptor
    arguments: list  # of the metadata, hidden ones too
    kernarg_bytes: int
    image: bytes  # what addresses relative to the code lead to

    @property
    def code_bytes(self):
        return sum(one.size for one in self.code)


def load_program(path):
    """The kernel of the object PATH, which has one."""
    notes = tool("llvm-readelf", "--notes", path)
    metadata = yaml.safe_load(notes[notes.index("---"):notes.index("\n...")])
    kernel, = metadata["amdhsa.kernels"]
    name = kernel[".name"]
    return Program(name, disassemble(path, name), descriptor_of(path, name),
                   kernel.get(".args", []), kernel[".kernarg_segment_size"],
                   image_of(path))


ROW = re.compile(r"^ *\d+ +(\d+) ")


@functools.lru_cache(maxsize=None)
def latencies(spelled):
    """The latency of each of the instructions SPELLED in LLVM's scheduling model, which
    for AMD's vector ALU is the issue time in passes (SISchedule.td), from llvm-mca."""
    text = tool("llvm-mca", "-mtriple=amdgcn", f"-mcpu={CPU}", "-iterations=1",
                "--instruction-info", "--summary-view=0", "--resource-pressure=0",
                stdin="\n".join(spelled) + "\n")
    rows = [int(m.group(1)) for m in map(ROW.match, text.splitlines()) if m]
    if len(rows) != len(spelled):
        raise SystemExit(f"gcn: llvm-mca tells of {len(rows)} instructions, not of "
                         f"{len(spelled)}")
    return dict(zip(spelled, rows))
