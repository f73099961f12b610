"""Launches as comments describe them, and the contents of their buffers."""
import dataclasses
import functools
import re
import struct

import numpy as np

from memory import Memory
from program import Unsupported

COMPONENTS = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4",
              "uint": "u4", "long": "i8", "ulong": "u8", "half": "f2", "float": "f4",
              "double": "f8"}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def component(type_name):
    """The NumPy type of a component of TYPE_NAME ("float4*"), or None."""
    match = re.match(r"([a-z]+)\d*\*?$", type_name)
    sort = match and COMPONENTS.get(match.group(1))
    return np.dtype("<" + sort) if sort else None


@dataclasses.dataclass
class Launch:
    """Sizes in three dimensions, and the arguments' texts by name."""
    dimensions: int
    global_size: list
    local: list
    arguments: dict
    dynamic_bytes: int = 0  # LDS of the parameters

    @property
    def groups(self):
        return [-(-g // l) for g, l in zip(self.global_size, self.local)]


def launch_of(text, word="clrewrite"):
    """The first launch comment of a kernel's source; with the WORD "small" that of the
    launch for CPUs, which the corpus has beside it."""
    match = re.search(rf"^// {word}: launch (.*)$", text, re.M)
    if not match:
        raise Unsupported("a kernel without a launch comment")
    words = dict(word.split("=", 1) for word in match.group(1).split())
    sizes = [[int(v) for v in words.pop(key).split("x")] for key in ("global", "local")]
    dimensions = len(sizes[0])
    sizes = [size + [1] * (3 - len(size)) for size in sizes]
    return Launch(dimensions, *sizes, words)


def bytes_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def scattered(words):
    """The finaliser of splitmix64, in place."""
    for shift, factor in ((30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    words ^= words >> np.uint64(31)
    return words


@functools.lru_cache(maxsize=6)
def contents(size, sort, number):
    """What the buffer NUMBER of SIZE bytes holds at first: DeviceMemory::fill."""
    out = np.zeros(size, np.uint8)
    if sort is None:
        return out
    values = out[:size // sort.itemsize * sort.itemsize].view(sort)
    step = 1 << 20
    for first in range(0, len(values), step):
        last = min(first + step, len(values))
        at = np.arange(first, last, dtype=np.uint64) * np.uint64(sort.itemsize)
        random = scattered(at + np.uint64((number << 40) + 1))
        if sort.kind == "f":
            values[first:last] = ((random >> np.uint64(11)) / 2.0**52 - 1).astype(
                np.float32).astype(sort) if sort.itemsize < 8 else \
                (random >> np.uint64(11)) / 2.0**52 - 1
        else:
            values[first:last] = random % np.uint64(101)
    return out


def scalar_bytes(text, type_name, size):
    """An argument by value as its bytes."""
    sort = component(type_name)
    if sort is None:
        raise Unsupported(f"an argument of type {type_name}")
    convert = float if sort.kind == "f" else lambda word: int(word, 0)
    values = np.array([convert(word) for word in text.split("/")], sort)
    return values.tobytes().ljust(size, b"\0")


@dataclasses.dataclass
class Prepared:
    """Memory with a launch's arguments."""
    memory: Memory
    kernarg: int  # address
    image: int  # address of the program's address 0
    values: list  # for a runtime: ("buffer", number), ("local", bytes), ("value", bytes)


def prepare(program, launch):
    """The buffers of a launch, numbered as Execution.cpp does, and the segment of its
    arguments."""
    memory, values = Memory(), []
    segment = bytearray(program.kernarg_bytes + 16)
    launch.dynamic_bytes = 0
    for argument in program.arguments:
        kind, at, size = argument[".value_kind"], argument[".offset"], argument[".size"]
        if kind.startswith("hidden_"):
            put_hidden(segment, kind, at, launch)
            continue
        name = argument[".name"]
        text = launch.arguments.get(name)
        if text is None:
            raise Unsupported(f"the argument {name}, to which the launch gives no value")
        if kind == "global_buffer":
            number = len(memory.buffers)
            data = contents(bytes_of(text), component(argument[".type_name"]), number)
            struct.pack_into("<Q", segment, at, memory.add(data, counted=True))
            values.append(("buffer", number))
        elif kind == "dynamic_shared_pointer":
            align = max(16, argument.get(".pointee_align", 1))
            start = program.descriptor.group_bytes + launch.dynamic_bytes
            start = (start + align - 1) // align * align
            struct.pack_into("<I", segment, at, start)
            launch.dynamic_bytes = start + bytes_of(text) - \
                program.descriptor.group_bytes
            values.append(("local", bytes_of(text)))
        elif kind == "by_value":
            raw = scalar_bytes(text, argument[".type_name"], size)
            segment[at:at + size] = raw
            values.append(("value", raw))
        else:
            raise Unsupported(f"an argument of kind {kind}")
    kernarg = memory.add(np.frombuffer(bytes(segment), np.uint8), counted=False)
    image = memory.add(np.frombuffer(program.image, np.uint8), counted=True)
    return Prepared(memory, kernarg, image, values)


def put_hidden(segment, kind, at, launch):
    words = kind.split("_")
    axis = "xyz".find(words[-1])
    if kind.startswith("hidden_block_count_"):
        struct.pack_into("<I", segment, at,
                         launch.global_size[axis] // launch.local[axis])
    elif kind.startswith("hidden_group_size_"):
        struct.pack_into("<H", segment, at, launch.local[axis])
    elif kind.startswith("hidden_remainder_"):
        struct.pack_into("<H", segment, at,
                         launch.global_size[axis] % launch.local[axis])
    elif kind == "hidden_grid_dims":
        struct.pack_into("<H", segment, at, launch.dimensions)
    # Offsets are zero, and the rest is for functions that no kernel here calls.
