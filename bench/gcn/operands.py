"""Operands: texts of the disassembler become functions that read a wave's registers.

A wave has its vector registers as rows of 64 lanes, seen as uint32 (w.u), int32 (w.i)
and float32 (w.f), and its scalar registers as integers (w.s). A reader gives a row or,
for what all lanes share, one NumPy scalar; NumPy joins both."""
import re
import struct

import numpy as np

from program import Unsupported

VCC, M0, EXEC = 106, 124, 126
NAMED = {"vcc": VCC, "vcc_lo": VCC, "vcc_hi": VCC + 1, "m0": M0, "exec": EXEC,
         "exec_lo": EXEC, "exec_hi": EXEC + 1}
WORD = 0xffffffff
NUMBER = re.compile(r"-?(0x[0-9a-f]+|\d+)$")
DECIMAL = re.compile(r"-?\d+\.\d+(e-?\d+)?$")
REGISTER = re.compile(r"([sv])(\d+)$|([sv])\[(\d+):(\d+)\]$")


def register(text):
    """("s" or "v", first register, how many), or None."""
    if text in NAMED:
        return "s", NAMED[text], 2 if text in ("vcc", "exec") else 1
    match = REGISTER.match(text)
    if not match:
        return None
    if match.group(1):
        return match.group(1), int(match.group(2)), 1
    first, last = int(match.group(4)), int(match.group(5))
    return match.group(3), first, last - first + 1


def constant(text, bits=32):
    """The bits of an inline constant or a literal for an operand of BITS, or None. Whole
    numbers are integers, also for operations on floats; what has a point is a float."""
    if NUMBER.match(text):
        value = int(text, 0)
        if bits == 64 and text.startswith("0x") and value > 0x7fffffff:
            raise Unsupported(f"the literal {text} of 64 bits")
        return value & ((1 << bits) - 1)
    if DECIMAL.match(text):
        form = {16: "<e", 32: "<f", 64: "<d"}[bits]
        if text in ("0.15915494", "-0.15915494"):
            raise Unsupported("the constant 1/(2*pi)")
        return int.from_bytes(struct.pack(form, float(text)), "little")
    return None


def scalar_reader(text, words=1):
    """Reads a scalar operand of 32 or 64 bits as an integer."""
    value = constant(text, 32 * words)
    if value is not None:
        return lambda w: value
    known = register(text)
    if known is None or known[0] != "s" or known[2] < words:
        raise Unsupported(f"the scalar operand '{text}'")
    first = known[1]
    if words == 1:
        return lambda w: w.s[first]
    return lambda w: w.s[first] | w.s[first + 1] << 32


def scalar_writer(text, words=1):
    """Writes an integer to a scalar register or a pair."""
    known = register(text)
    if known is None or known[0] != "s" or known[2] < words:
        raise Unsupported(f"the scalar result '{text}'")
    first = known[1]
    if words == 1:
        def write_word(w, value):
            w.s[first] = value & WORD
            if first >= EXEC:
                w.set_exec(w.s[EXEC] | w.s[EXEC + 1] << 32)
        return write_word

    def write_pair(w, value):
        w.s[first] = value & WORD
        w.s[first + 1] = value >> 32 & WORD
        if first == EXEC:
            w.set_exec(value)
    return write_pair


TYPES = {"u": np.uint32, "i": np.int32, "f": np.float32}


def vector_reader(text, kind, index=False):
    """Reads a vector operand as KIND: "u", "i", "f" 32 bits; "U", "I" 64 bits. With
    INDEX the vector register's number is moved by the wave's index."""
    negate = absolute = False
    if text.startswith("-") and constant(text) is None:
        negate, text = True, text[1:]
    if text.startswith("|"):
        absolute, text = True, text.strip("|")
    read = plain_reader(text, kind, index)
    if not negate and not absolute:
        return read
    if kind == "u":  # v_cndmask_b32: the sign bit alone
        clear, flip = ~np.uint32(0x80000000 if absolute else 0), \
            np.uint32(0x80000000 if negate else 0)
        return lambda w: (read(w) & clear) ^ flip
    if kind != "f":
        raise Unsupported(f"a sign of '{text}'")
    if absolute and negate:
        return lambda w: -np.abs(read(w))
    return (lambda w: np.abs(read(w))) if absolute else (lambda w: -read(w))


def plain_reader(text, kind, index):
    wide = kind in "UI"
    value = constant(text, 64 if wide else 32)
    if value is not None:
        if wide:
            both = np.uint64(value)
            both = both.view(np.int64) if kind == "I" else both
            return lambda w: both
        one = np.uint32(value).view(TYPES[kind])
        return lambda w: one
    known = register(text)
    if known is None or known[2] != (2 if wide else 1):
        raise Unsupported(f"the operand '{text}'")
    file, first, _ = known
    if index and (file != "v" or wide):
        raise Unsupported(f"an index for '{text}'")
    if file == "s":
        if wide:
            sort = np.int64 if kind == "I" else np.uint64
            return lambda w: np.uint64(w.s[first] | w.s[first + 1] << 32).view(sort)
        if kind == "u":
            return lambda w: np.uint32(w.s[first])
        sort = TYPES[kind]
        return lambda w: np.uint32(w.s[first]).view(sort)
    if wide:
        sort = np.int64 if kind == "I" else np.uint64
        return lambda w: (w.u[first] | w.u[first + 1].astype(np.uint64)
                          << np.uint64(32)).view(sort)
    if index:
        return {"u": lambda w: w.u[first + w.index],
                "i": lambda w: w.i[first + w.index],
                "f": lambda w: w.f[first + w.index]}[kind]
    return {"u": lambda w: w.u[first], "i": lambda w: w.i[first],
            "f": lambda w: w.f[first]}[kind]


def vector_register(text, count=1):
    """The number of the first of COUNT vector registers."""
    known = register(text)
    if known is None or known[0] != "v" or known[2] != count:
        raise Unsupported(f"the vector register '{text}'")
    return known[1]
