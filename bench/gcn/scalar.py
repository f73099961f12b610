"""Scalar ALU instructions of GCN3 to GCN5, as AMD's "Vega" Instruction Set Architecture
(2017) defines them, on Python's integers."""
import operator

from operands import (EXEC, M0, WORD, constant, register, scalar_reader,
                      scalar_writer)
from program import Unsupported


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def shift(function, bits):
    return lambda a, b: function(a, b & bits - 1) & (1 << bits) - 1


# By name: how many words the result and the operands have, the function, and whether
# SCC tells that the result is not zero.
OPS = {
    "s_mov_b32": (1, (1,), lambda a: a, False),
    "s_mov_b64": (2, (2,), lambda a: a, False),
    "s_not_b32": (1, (1,), lambda a: ~a & WORD, True),
    "s_not_b64": (2, (2,), lambda a: ~a & (1 << 64) - 1, True),
    "s_brev_b32": (1, (1,), lambda a: int(f"{a:032b}"[::-1], 2), False),
    "s_sext_i32_i16": (1, (1,), lambda a: signed(a & 0xffff, 16), False),
    "s_sext_i32_i8": (1, (1,), lambda a: signed(a & 0xff, 8), False),
    "s_ff1_i32_b32": (1, (1,), lambda a: (a & -a).bit_length() - 1, False),
    "s_ff1_i32_b64": (1, (2,), lambda a: (a & -a).bit_length() - 1, False),
    "s_bcnt1_i32_b64": (1, (2,), lambda a: a.bit_count(), True),
    "s_mul_i32": (1, (1, 1), lambda a, b: a * b & WORD, False),
    "s_mul_hi_u32": (1, (1, 1), lambda a, b: a * b >> 32, False),
    "s_mul_hi_i32": (1, (1, 1), lambda a, b: signed(a) * signed(b) >> 32, False),
    "s_lshl_b32": (1, (1, 1), shift(operator.lshift, 32), True),
    "s_lshr_b32": (1, (1, 1), shift(operator.rshift, 32), True),
    "s_ashr_i32": (1, (1, 1), shift(lambda a, b: signed(a) >> b, 32), True),
    "s_lshl_b64": (2, (2, 1), shift(operator.lshift, 64), True),
    "s_lshr_b64": (2, (2, 1), shift(operator.rshift, 64), True),
    "s_ashr_i64": (2, (2, 1), shift(lambda a, b: signed(a, 64) >> b, 64), True),
    "s_pack_ll_b32_b16": (1, (1, 1), lambda a, b: b << 16 & WORD | a & 0xffff, False),
    "s_pack_lh_b32_b16": (1, (1, 1), lambda a, b: b & 0xffff0000 | a & 0xffff, False),
    "s_pack_hh_b32_b16": (1, (1, 1), lambda a, b: b & 0xffff0000 | a >> 16, False),
    "s_bfe_u32": (1, (1, 1), lambda a, b:
                  a >> (b & 31) & (1 << (b >> 16 & 127)) - 1, True),
}
for bits, words in (("b32", 1), ("b64", 2)):
    for name, function in (("and", operator.and_), ("or", operator.or_),
                           ("xor", operator.xor), ("andn2", lambda a, b: a & ~b),
                           ("orn2", lambda a, b, all=(1 << 32 * words) - 1:
                            a | ~b & all)):
        OPS[f"s_{name}_{bits}"] = (words, (words, words), function, True)

COMPARISONS = {"eq": operator.eq, "lg": operator.ne, "gt": operator.gt,
               "ge": operator.ge, "lt": operator.lt, "le": operator.le}


def compile_scalar(one):
    """The function of a wave that executes ONE, which is no branch."""
    if one.op in OPS:
        words, sources, function, tells = OPS[one.op]
        write = scalar_writer(one.operands[0], words)
        reads = [scalar_reader(*each) for each in zip(one.operands[1:], sources)]

        def step(w):
            value = function(*(read(w) for read in reads))
            if tells:
                w.scc = int(value != 0)
            write(w, value)
        return step
    parts = one.op.split("_")
    if parts[1] in ("cmp", "cmpk"):
        return compile_comparison(one, *parts[1:])
    if parts[-2] == "saveexec":
        return compile_saveexec(one, parts[1])
    if one.op in SPECIAL:
        return SPECIAL[one.op](one)
    raise Unsupported(f"the instruction {one.op}")


def compile_comparison(one, form, how, sort):
    words = 2 if sort.endswith("64") else 1
    a = scalar_reader(one.operands[0], words)
    if form == "cmpk":
        # Of unsigned comparisons the immediate is unsigned, too.
        text = one.operands[1]
        value = sixteen(text) & WORD if sort == "i32" else int(text, 0) & 0xffff
        b = lambda w: value
    else:
        b = scalar_reader(one.operands[1], words)
    function = COMPARISONS.get(how)
    if function is None:
        raise Unsupported(f"the instruction {one.op}")

    def step(w):
        x, y = a(w), b(w)
        w.scc = int(function(signed(x), signed(y)) if sort == "i32"
                    else function(x, y))
    return step


def compile_saveexec(one, how):
    write, read = scalar_writer(one.operands[0], 2), scalar_reader(one.operands[1], 2)
    function = {"and": lambda a, e: a & e, "or": lambda a, e: a | e,
                "xor": lambda a, e: a ^ e, "andn2": lambda a, e: a & ~e}.get(how)
    if function is None:
        raise Unsupported(f"the instruction {one.op}")

    def step(w):
        before, value = w.exec, read(w)
        write(w, before)
        w.s[EXEC], w.s[EXEC + 1] = 0, 0
        w.set_exec(function(value, before))
        w.scc = int(w.exec != 0)
    return step


def sixteen(text):
    """A 16-bit immediate, as its sign has it."""
    value = int(text, 0)
    return signed(value & 0xffff, 16)


def compile_add(one):
    """Sums and differences that set SCC: to the carry, or to the overflow of signed
    ones."""
    write = scalar_writer(one.operands[0])
    a, b = (scalar_reader(text) for text in one.operands[1:])
    name = one.op.split("_")[1]
    sign = -1 if name.startswith("sub") else 1
    with_carry, as_signed = name in ("addc", "subb"), one.op.endswith("i32")

    def step(w):
        x, y = a(w), b(w)
        value = x + sign * (y + (w.scc if with_carry else 0))
        if as_signed:
            exact = signed(x) + sign * signed(y)
            w.scc = int(not -1 << 31 <= exact < 1 << 31)
        else:
            w.scc = int(not 0 <= value <= WORD)
        write(w, value & WORD)
    return step


def compile_shifted_add(one):
    by = int(one.op[len("s_lshl")])
    write = scalar_writer(one.operands[0])
    a, b = (scalar_reader(text) for text in one.operands[1:])

    def step(w):
        value = (a(w) << by) + b(w)
        w.scc = int(value > WORD)
        write(w, value)
    return step


def compile_select(one):
    words = 2 if one.op.endswith("64") else 1
    write = scalar_writer(one.operands[0], words)
    a, b = (scalar_reader(text, words) for text in one.operands[1:])
    return lambda w: write(w, a(w) if w.scc else b(w))


def compile_movk(one):
    write, value = scalar_writer(one.operands[0]), sixteen(one.operands[1]) & WORD
    return lambda w: write(w, value)


def compile_minmax(one):
    choose = max if "max" in one.op else min
    as_signed = one.op.endswith("i32")
    write = scalar_writer(one.operands[0])
    a, b = (scalar_reader(text) for text in one.operands[1:])

    def step(w):
        x, y = a(w), b(w)
        if as_signed:
            x, y = signed(x), signed(y)
        value = choose(x, y)
        w.scc = int(value == x)
        write(w, value)
    return step


def compile_index_on(one):
    """Vector moves that follow take registers so far away; see wave.py."""
    read = scalar_reader(one.operands[0])

    def step(w):
        w.index = read(w) & 255
        w.s[M0] = w.s[M0] & ~0xff | w.index
    return step


def compile_getpc(one):
    """The address of the next instruction: constants lie at distances from it."""
    write, after = scalar_writer(one.operands[0], 2), one.address + one.size
    return lambda w: write(w, w.group.image + after)


def compile_addk(one):
    """A sum with a signed immediate; SCC tells of an overflow."""
    text, value = one.operands
    write, read, value = scalar_writer(text), scalar_reader(text), sixteen(value)

    def step(w):
        exact = signed(read(w)) + value
        w.scc = int(not -1 << 31 <= exact < 1 << 31)
        write(w, exact & WORD)
    return step


def compile_mulk(one):
    """A product with a signed immediate."""
    text, value = one.operands
    write, read, value = scalar_writer(text), scalar_reader(text), sixteen(value)
    return lambda w: write(w, signed(read(w)) * value & WORD)


def compile_bit_comparison(one):
    """SCC tells whether a bit is 0, or 1."""
    bits = 64 if one.op.endswith("64") else 32
    read = scalar_reader(one.operands[0], bits // 32)
    number = scalar_reader(one.operands[1])
    wanted = int(one.op[len("s_bitcmp")])

    def step(w):
        w.scc = int(read(w) >> (number(w) & bits - 1) & 1 == wanted)
    return step


def nothing(_):
    return lambda w: None


SPECIAL = {
    "s_cselect_b32": compile_select, "s_cselect_b64": compile_select,
    "s_movk_i32": compile_movk, "s_nop": nothing, "s_set_gpr_idx_off": nothing,
    "s_set_gpr_idx_on": compile_index_on, "s_getpc_b64": compile_getpc,
    "s_addk_i32": compile_addk, "s_mulk_i32": compile_mulk,
}
for each in ("add_u32", "addc_u32", "add_i32", "sub_u32", "subb_u32", "sub_i32"):
    SPECIAL[f"s_{each}"] = compile_add
for each in ("0_b32", "1_b32", "0_b64", "1_b64"):
    SPECIAL[f"s_bitcmp{each}"] = compile_bit_comparison
for each in range(1, 5):
    SPECIAL[f"s_lshl{each}_add_u32"] = compile_shifted_add
for each in ("max_i32", "min_i32", "max_u32", "min_u32"):
    SPECIAL[f"s_{each}"] = compile_minmax


def compile_load(one):
    """s_load_dwordN: words from memory that all lanes share."""
    result, base, offset = one.operands
    size = one.op[len("s_load_dword"):]
    words = int(size[1:]) if size else 1
    at = constant(offset)
    if at is None:
        raise Unsupported(f"{one.op} with the offset '{offset}'")
    file, first, count = register(result)
    if file != "s" or count != words:
        raise Unsupported(f"{one.op} to '{result}'")
    read = scalar_reader(base, 2)

    def step(w):
        address = read(w) + at
        w.s[first:first + words] = w.group.memory.words(address, words)
        w.count_shared(address, words)
    return step
