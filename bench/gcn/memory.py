"""Memory: the buffers of a launch, and the instructions of vector memory, scratch and
LDS.

An address has the number of its buffer above bit 40, as in the execution that the
estimate counts (lib/measure/execute/DeviceMemory.h), so that alignment and the contents
are the same."""
import numpy as np

from operands import register, scalar_reader, vector_register
from program import Unsupported

OFFSET_BITS = 40
U, L = np.uint32, np.uint64
LINE_BYTES, GROUP_LANES = 64, 16  # lib/measure/estimate/Estimate.cpp, gpuModel
LDS_BANKS = 32


class OutOfBounds(Exception):
    """The kernel touched what is no buffer's."""


class Buffer:
    """Bytes, and whether they count as memory of the kernel's."""

    def __init__(self, data, counted):
        # A word more, so that the last bytes can be read as a part of one.
        self.size = len(data)
        self.bytes = np.zeros((len(data) + 7) // 4 * 4, np.uint8)
        self.bytes[:len(data)] = data
        self.words = self.bytes.view(U)
        self.counted = counted
        self.written = []  # pairs of offsets and how many bytes each


class Memory:
    """The buffers of one launch, and what a wave touches of them."""

    def __init__(self):
        self.buffers = [None]

    def add(self, data, counted):
        """Adds a buffer and returns its address."""
        self.buffers.append(Buffer(data, counted))
        return len(self.buffers) - 1 << OFFSET_BITS

    def at(self, number):
        if not 0 < number < len(self.buffers):
            raise OutOfBounds(f"there is no buffer {number}")
        return self.buffers[number]

    def words(self, address, count):
        """COUNT words that all lanes share."""
        buffer = self.at(address >> OFFSET_BITS)
        offset = address & (1 << OFFSET_BITS) - 1
        if offset % 4 or offset + 4 * count > buffer.size + 3:
            raise OutOfBounds(f"words at {offset} of {buffer.size}")
        return buffer.words[offset // 4:offset // 4 + count].tolist()

    def places(self, addresses, size):
        """The buffer of the lanes' ADDRESSES and the offsets there."""
        number = int(addresses[0]) >> OFFSET_BITS
        offsets = (addresses - L(number << OFFSET_BITS)).astype(np.int64)
        buffer = self.at(number)
        # Another buffer's addresses are too large or, below, negative.
        if offsets.min() < 0 or offsets.max() + size > buffer.size:
            raise OutOfBounds(f"{size} bytes at {offsets.min()} to {offsets.max()} of "
                              f"{buffer.size}")
        return buffer, offsets


def lines_of(addresses, mask, size):
    """How many lines of the L1 an access looks up: each group of lanes by itself."""
    first = addresses >> L(6)
    last = addresses + L(size - 1) >> L(6)
    both = np.concatenate((first.reshape(-1, GROUP_LANES),
                           last.reshape(-1, GROUP_LANES)), axis=1)
    active = mask.reshape(-1, GROUP_LANES)
    if mask.all() and size <= LINE_BYTES:
        both.sort(axis=1)
        return int((both[:, 1:] != both[:, :-1]).sum()) + both.shape[0]
    count = 0
    for lines, on in zip(both, np.concatenate((active, active), axis=1)):
        count += len(np.unique(lines[on]))
    return count


class Touched:
    """The words that a wave touched, by buffer and direction."""
    MOST = 1 << 20

    def __init__(self):
        self.parts, self.kept = {}, {}

    def add(self, number, is_store, offsets, size):
        key = number, is_store
        first, last = offsets >> 2, offsets + size - 1 >> 2
        part = self.parts.setdefault(key, [])
        for step in range((size + 3) // 4 + 1):
            part.append(np.minimum(first + step, last))
        if len(part) > 4096:
            self.join(key)

    def join(self, key):
        self.parts[key] = [np.unique(np.concatenate(self.parts[key]))]

    def bytes(self):
        """The bytes that are moved: those of the words, or a sector of 32 bytes a line
        where few of each line are (WaveStepper::finish)."""
        total = 0
        for key in self.parts:
            self.join(key)
            words = self.parts[key][0]
            lines = len(np.unique(words >> 4))
            total += 32 * lines if len(words) <= 4 * lines else 4 * len(words)
        return total


def address_reader(one, address, base):
    """Reads the lanes' addresses of a global access."""
    offset = L(int(one.modifiers.pop("offset", "0")) & (1 << 64) - 1)
    if base is None:
        first = vector_register(address, 2)
        return lambda w: ((w.u[first] | w.u[first + 1].astype(L) << L(32)) + offset)
    first, start = vector_register(address), scalar_reader(base, 2)
    return lambda w: w.u[first].astype(L) + L(start(w)) + offset


SIZES = {"ubyte": 1, "ushort": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12,
         "dwordx4": 16, "byte": 1, "short": 2, "sbyte": 1, "sshort": 2,
         "byte_d16_hi": 1, "short_d16_hi": 2}  # stores of a register's upper half


def scatter(buffer, offsets, size, rows):
    """Writes SIZE bytes a lane from rows of words."""
    if size < 4:
        for byte in range(size):
            buffer.bytes[offsets + byte] = rows[0] >> U(8 * byte) & U(255)
    elif (offsets & 3).any():
        for word, row in enumerate(rows):
            for byte in range(4):
                buffer.bytes[offsets + 4 * word + byte] = row >> U(8 * byte) & U(255)
    else:
        for word, row in enumerate(rows):
            buffer.words[(offsets >> 2) + word] = row


def gather(buffer, offsets, size):
    """SIZE bytes a lane as rows of words."""
    if size < 4:
        row = buffer.bytes[offsets].astype(U)
        if size == 2:
            row |= buffer.bytes[offsets + 1].astype(U) << U(8)
        return [row]
    if not (offsets & 3).any():
        return [buffer.words[(offsets >> 2) + word] for word in range(size // 4)]
    out = []
    for at in range(0, size, 4):
        parts = [buffer.bytes[offsets + at + byte].astype(U) for byte in range(4)]
        out.append(parts[0] | parts[1] << U(8) | parts[2] << U(16) | parts[3] << U(24))
    return out


def compile_transfer(one, data, accessed):
    """A load or a store of the registers DATA. ACCESSED gives the buffer and the offsets
    there of a wave's active lanes, for so many bytes, and counts the access."""
    _, sort, what = one.op.split("_", 2)
    if what not in SIZES or sort not in ("load", "store"):
        raise Unsupported(f"the instruction {one.op}")
    if one.modifiers:
        raise Unsupported(f"{one.op} with {', '.join(one.modifiers)}")
    size, words = SIZES[what], max(1, SIZES[what] // 4)
    first = vector_register(data, words)
    extend = {"sbyte": 24, "sshort": 16}.get(what, 0)
    shift = U(16 if what.endswith("_d16_hi") else 0)
    if shift and sort == "load":
        raise Unsupported(f"the instruction {one.op}")

    def load(w):
        if not w.exec:
            return
        for word, row in enumerate(gather(*accessed(w, size), size)):
            if extend:
                row = (row.view(np.int32) << extend >> extend).view(U)
            if w.full:
                w.u[first + word][...] = row
            else:
                w.u[first + word][w.mask] = row

    def store(w):
        if not w.exec:
            return
        rows = [w.u[first + word][w.mask] >> shift for word in range(words)]
        scatter(*accessed(w, size), size, rows)
    return load if sort == "load" else store


def compile_global(one):
    """A load, a store or an atomic of global memory."""
    _, sort, what = one.op.split("_", 2)
    operands = [text for text in one.operands if text != "off"]
    has_base = not one.modifiers.pop("off", False) and len(one.operands) == len(operands)
    base = operands[-1] if has_base else None
    if sort == "atomic":
        return compile_atomic(one, what, operands, base)
    stores = sort == "store"
    address, data = operands[:2] if stores else operands[1::-1]
    read = address_reader(one, address, base)

    def accessed(w, size):
        every = read(w)
        addresses = every if w.full else every[w.mask]
        buffer, offsets = w.group.memory.places(addresses, size)
        w.count_access(one, every, addresses, buffer, offsets, size, stores)
        if stores:
            buffer.written.append((offsets, size))
        return buffer, offsets
    return compile_transfer(one, data, accessed)


class Private:
    """The private memory of a wave's lanes: one array after the other."""

    def __init__(self, bytes_of_lane, lanes):
        self.stride = (bytes_of_lane + 3) // 4 * 4
        self.buffer = Buffer(np.zeros(self.stride * lanes, np.uint8), counted=False)


def compile_private(one):
    """A load or a store of scratch memory: BUFFER_... with the descriptor by which the
    ABI interleaves the lanes' bytes, so that each lane has an array of its own. What the
    descriptor says, and where a wave's part begins, is not looked at."""
    data, address, descriptor, start = one.operands
    known = register(descriptor)
    if not known or known[0] != "s" or known[2] != 4:
        raise Unsupported(f"{one.op} {one.text}")
    number = vector_register(address) if one.modifiers.pop("offen", False) else None
    offset, start = int(one.modifiers.pop("offset", "0")), scalar_reader(start)

    def accessed(w, size):
        own = w.private
        lanes = np.flatnonzero(w.mask)
        at = np.full(len(lanes), offset + start(w))
        if number is not None:
            at += w.u[number][w.mask]
        if at.max() + size > own.stride:
            raise OutOfBounds(f"private memory at {at.max()} of {own.stride}")
        w.count_private(one, lanes, at, size)
        return own.buffer, lanes * own.stride + at
    return compile_transfer(one, data, accessed)


ATOMICS = {"add": np.add, "umax": np.maximum, "umin": np.minimum,
           "or": np.bitwise_or, "and": np.bitwise_and, "xor": np.bitwise_xor}


def compile_atomic(one, what, operands, base):
    """An atomic of 32 bits whose old value nobody wants."""
    if what not in ATOMICS or "glc" in one.modifiers:
        raise Unsupported(f"the instruction {one.op}")
    function, read = ATOMICS[what], address_reader(one, operands[0], base)
    data = vector_register(operands[1])
    if one.modifiers:
        raise Unsupported(f"{one.op} with {', '.join(one.modifiers)}")

    def step(w):
        if not w.exec:
            return
        every = read(w)
        addresses = every if w.full else every[w.mask]
        buffer, offsets = w.group.memory.places(addresses, 4)
        w.count_access(one, every, addresses, buffer, offsets, 4, True)
        function.at(buffer.words, offsets >> 2, w.u[data][w.mask])
        buffer.written.append((offsets, 4))
    return step


def passes_of(first, lanes, words, atomic=False):
    """How often a bank of LDS gives a word, at most, where LANES access so many WORDS from
    their FIRST on: as many lanes at a time as there are banks for, wide accesses of 12
    bytes as those of 16. Lanes share a word, unless it is ATOMIC."""
    together = LDS_BANKS // (1 << (words - 1).bit_length())
    count = 0
    for group in np.unique(lanes // together):
        mine = first[lanes // together == group]
        every = mine if atomic else np.unique(mine[:, None] + np.arange(words))
        count += np.bincount(every % LDS_BANKS).max()
    return count


ATOMICS_OF_LDS = {"add": np.add, "xor": np.bitwise_xor, "or": np.bitwise_or,
                  "and": np.bitwise_and}


def compile_lds_atomic(one, function, what):
    """An atomic of a word whose old value nobody wants."""
    address, data = (vector_register(text) for text in one.operands)
    offset = int(one.modifiers.pop("offset", "0"))
    if what not in ("u32", "b32") or one.modifiers:
        raise Unsupported(f"the instruction {one.op}")

    def step(w):
        if not w.exec:
            return
        shared = w.group.shared
        at = w.u[address][w.mask].astype(np.int64) + offset & 0xffffffff
        if (at & 3).any() or at.max() + 4 > 4 * len(shared):
            raise OutOfBounds(f"LDS at {at.max()} of {4 * len(shared)}")
        w.passes += passes_of(at >> 2, np.flatnonzero(w.mask), 1, atomic=True)
        function.at(shared, at >> 2, w.u[data][w.mask])
    return step


def compile_lds(one):
    """A read or a write of LDS, of aligned words, or an atomic of one."""
    _, sort, what = one.op.split("_")
    if sort in ATOMICS_OF_LDS:
        return compile_lds_atomic(one, ATOMICS_OF_LDS[sort], what)
    bits = {"b32": 32, "b64": 64, "b96": 96, "b128": 128}.get(what)
    apart = 64 if sort.endswith("st64") else 1  # units of a pair's offsets
    sort = sort.removesuffix("st64")
    if bits is None or sort not in ("read", "read2", "write", "write2"):
        raise Unsupported(f"the instruction {one.op}")
    words = bits // 32
    is_read, two = sort.startswith("read"), sort.endswith("2")
    if two:
        offsets = [words * 4 * apart * int(one.modifiers.pop(f"offset{n}", "0"))
                   for n in (0, 1)]
    else:
        offsets = [int(one.modifiers.pop("offset", "0"))]
    if one.modifiers:
        raise Unsupported(f"{one.op} with {', '.join(one.modifiers)}")
    if is_read:
        _, number, count = register(one.operands[0])
        address = vector_register(one.operands[1])
        if count != words * len(offsets):
            raise Unsupported(f"{one.op} to {one.operands[0]}")
        data = [number + words * n for n in range(len(offsets))]
    else:
        address = vector_register(one.operands[0])
        data = [vector_register(text, words) for text in one.operands[1:]]

    # A wide access that is not aligned.
    neighbours = two and offsets[1] - offsets[0] == 4 * words

    def step(w):
        if not w.exec:
            return
        shared = w.group.shared
        start = w.u[address][w.mask].astype(np.int64)  # a result may lie there
        for offset, register_number in zip(offsets, data):
            at = start + offset & 0xffffffff  # of GFX9, which LLVM counts on
            if not neighbours:
                w.passes += passes_of(at >> 2, np.flatnonzero(w.mask), words)
            elif offset == offsets[0]:
                w.passes += passes_of(at >> 2, np.flatnonzero(w.mask), 2 * words)
            if (at & 3).any() or at.max() + 4 * words > 4 * len(shared):
                raise OutOfBounds(f"LDS at {at.max()} of {4 * len(shared)}")
            for word in range(words):
                row = w.u[register_number + word]
                if is_read:
                    row[w.mask] = shared[(at >> 2) + word]
                else:
                    shared[(at >> 2) + word] = row[w.mask]
    return step
