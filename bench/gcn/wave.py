"""Waves and work-groups: instructions are compiled once, blocks are run, and what is
executed is counted."""
import collections
import dataclasses
import re

import numpy as np

from memory import (OFFSET_BITS, Private, Touched, compile_global, compile_lds,
                    compile_private, lines_of)
from operands import EXEC, VCC
from program import Unsupported, latencies, unit_of
from scalar import compile_load, compile_scalar
from vector import ALL, compile_vector

LANES = 64


def compile_one(one, index):
    unit = unit_of(one.op)
    if unit == "valu":
        return compile_vector(one, index)
    if unit == "salu":
        return compile_scalar(one)
    if unit == "smem":
        return compile_load(one)
    if unit == "vmem" and one.op.startswith("global_"):
        return compile_global(one)
    if unit == "vmem" and one.op.startswith("buffer_"):
        return compile_private(one)
    if unit == "lds":
        return compile_lds(one)
    raise Unsupported(f"the instruction {one.op}")


CONDITIONS = {
    "s_branch": lambda w: True,
    "s_cbranch_scc0": lambda w: not w.scc, "s_cbranch_scc1": lambda w: w.scc,
    "s_cbranch_vccz": lambda w: not (w.s[VCC] | w.s[VCC + 1]),
    "s_cbranch_vccnz": lambda w: w.s[VCC] | w.s[VCC + 1],
    "s_cbranch_execz": lambda w: not w.exec, "s_cbranch_execnz": lambda w: w.exec,
}


class Block:
    """Instructions that are run one after the other. `leave` gives the number of the
    next block, or None at the end of the program."""

    def __init__(self):
        self.code, self.steps, self.leave, self.barrier = [], [], None, False


class Code:
    """A program as blocks."""

    def __init__(self, program):
        self.program = program
        starts = {program.code[0].address}
        for one, after in zip(program.code, program.code[1:] + [None]):
            if unit_of(one.op) == "branch":
                starts.add(one.target())
            if after and (unit_of(one.op) == "branch" or one.op == "s_barrier"):
                starts.add(after.address)
        self.numbers = {at: n for n, at in enumerate(sorted(starts))}
        self.blocks = [Block() for _ in starts]
        spelled = tuple(dict.fromkeys(
            spelling(one) for one in program.code if unit_of(one.op) == "valu"))
        self.passes = latencies(spelled)
        block, index = None, ()
        for one in program.code:
            # What is understood of an instruction is taken out of its modifiers.
            one = dataclasses.replace(one, modifiers=dict(one.modifiers))
            if one.address in self.numbers:
                number = self.numbers[one.address]
                block = self.blocks[number]
                block.leave = lambda w, after=number + 1: after
                if index:
                    raise Unsupported("an index over a branch")
            block.code.append(one)
            if one.op == "s_set_gpr_idx_on":
                index = re.search(r"gpr_idx\((.*)\)", one.text).group(1).split(",")
                one.operands = one.operands[:1]
            if one.op == "s_set_gpr_idx_off":
                index = ()
            self.add(block, one, index)

    def add(self, block, one, index):
        if one.op == "s_endpgm":
            block.leave = lambda w: None
        elif one.op == "s_barrier":
            block.barrier = True
        elif unit_of(one.op) == "branch":
            if one.op not in CONDITIONS:
                raise Unsupported(f"the instruction {one.op}")
            condition = CONDITIONS[one.op]
            there, here = self.numbers[one.target()], self.blocks.index(block) + 1
            block.leave = lambda w: there if condition(w) else here
        elif unit_of(one.op) != "wait":
            block.steps.append(compile_one(one, index))

    def counts(self, runs):
        """Instructions by unit, where the blocks are run RUNS times; and the cycles of
        the vector ALU, by LLVM's rates."""
        out = collections.Counter()
        for block, times in zip(self.blocks, runs):
            for one in block.code:
                unit = unit_of(one.op)
                out[unit] += times
                if unit == "valu":
                    out["valu_cycles"] += 4 * max(1, self.passes[spelling(one)]) * times
        return out


def spelling(one):
    return f"{one.op} {one.text}"


class Wave:
    """The registers of one wave, and where it is."""

    def __init__(self, group, code, index):
        self.group, self.code = group, code
        file = np.zeros((256, LANES), np.uint32)
        self.u, self.i, self.f = (list(file.view(sort)) for sort in
                                  (np.uint32, np.int32, np.float32))
        self.s = [0] * 128
        self.scc = self.index = 0
        self.masks = {}
        self.runs = [0] * len(code.blocks)
        self.lines = {}  # by address of the instruction: accesses, lines, bytes of a lane
        self.passes = 0  # of the banks of LDS
        self.touched = Touched()
        self.private = Private(code.program.descriptor.private_bytes, LANES)
        local = group.launch.local
        first = LANES * index
        items = local[0] * local[1] * local[2]
        ids = np.arange(first, first + LANES)
        for n, row in enumerate((ids % local[0], ids // local[0] % local[1],
                                 ids // (local[0] * local[1]))):
            if n <= code.program.descriptor.rsrc2 >> 11 & 3:
                self.u[n][...] = row
        self.set_exec(sum(1 << n for n in range(min(LANES, items - first))))

    def set_exec(self, value):
        self.exec = value
        self.s[EXEC], self.s[EXEC + 1] = value & 0xffffffff, value >> 32
        self.full = value == ALL
        self.mask = self.lanes(value)

    def lanes(self, bits):
        """The bits of an integer as an array of 64 truth values."""
        known = self.masks.get(bits)
        if known is None:
            if len(self.masks) > 4096:
                self.masks.clear()
            raw = np.frombuffer(bits.to_bytes(8, "little"), np.uint8)
            known = np.unpackbits(raw, bitorder="little").view(bool)
            self.masks[bits] = known
        return known

    def count_access(self, one, every, addresses, buffer, offsets, size, is_store):
        entry = self.lines.setdefault(one.address, [0, 0, size])
        entry[0] += 1
        entry[1] += lines_of(every, self.mask, size)
        if buffer.counted:
            self.touched.add(id(buffer), is_store, offsets, size)

    def count_private(self, one, lanes, at, size):
        """An access to private memory, where the lanes' words at one address are beside
        each other."""
        entry = self.lines.setdefault(one.address, [0, 0, size])
        entry[0] += 1
        for word in range(0, size, 4):
            places = np.zeros(LANES, np.int64)
            places[lanes] = ((at + word >> 2) * LANES + lanes) * 4
            entry[1] += lines_of(places, self.mask, 4)

    def count_shared(self, address, words):
        """Words that all lanes load together."""
        number = address >> OFFSET_BITS
        buffer = self.group.memory.at(number)
        if buffer.counted:
            offset = np.array([address - (number << OFFSET_BITS)])
            self.touched.add(id(buffer), False, offset, 4 * words)

    def run(self):
        """Runs to the end of the program; stops at each barrier."""
        at = 0
        blocks, runs = self.code.blocks, self.runs
        while at is not None:
            block = blocks[at]
            runs[at] += 1
            for step in block.steps:
                step(self)
            at = block.leave(self)
            if block.barrier:
                yield


class Group:
    """One work-group; WAVES are those of it that are run, all if None."""

    def __init__(self, code, launch, prepared, place, waves=None):
        self.launch, self.memory, self.image = launch, prepared.memory, prepared.image
        local = launch.local
        descriptor = code.program.descriptor
        size = descriptor.group_bytes + launch.dynamic_bytes
        self.shared = np.zeros((size + 3) // 4 + 4, np.uint32)
        count = -(-local[0] * local[1] * local[2] // LANES)
        self.waves = [Wave(self, code, n) for n in range(count)
                      if waves is None or n in waves]
        for wave in self.waves:
            start(wave, descriptor, prepared.kernarg, place)

    def run(self):
        """Wave by wave from barrier to barrier."""
        left = [wave.run() for wave in self.waves]
        while left:
            left = [each for each in left if next(each, self) is not self]


def start(wave, descriptor, kernarg, place):
    """The scalar registers of a wave that begins."""
    at = 0
    words = [("private segment buffer", 4), ("dispatch packet", 2), ("queue", 2),
             ("kernarg", 2), ("dispatch id", 2), ("flat scratch", 2),
             ("private segment size", 1)]
    for bit, (name, count) in enumerate(words):
        if descriptor.properties >> bit & 1:
            if name == "kernarg":
                wave.s[at], wave.s[at + 1] = kernarg & 0xffffffff, kernarg >> 32
            elif name in ("dispatch packet", "queue"):
                # What is asked of them would be read from buffer 0, which is none.
                wave.s[at] = wave.s[at + 1] = 0
            at += count
    for bit in range(3):
        if descriptor.rsrc2 >> (7 + bit) & 1:
            wave.s[at] = place[bit]
            at += 1
