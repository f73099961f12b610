"""Vector ALU instructions of GCN3 to GCN5, as AMD's "Vega" Instruction Set Architecture
(2017) defines them. Each is compiled once to a function of the wave.

Approximations of the hardware (reciprocal, root, exponential, logarithm) are computed in
double precision and rounded, so their last bits may be others than a GPU's."""
import numpy as np

from operands import (constant, scalar_reader, scalar_writer, vector_reader,
                      vector_register)
from program import Unsupported

U, I, F, D, L, S = (np.uint32, np.int32, np.float32, np.float64, np.uint64, np.int64)
HALF = U(16)
LOW = U(0xffff)
ALL = (1 << 64) - 1


def pack(mask):
    """Lanes that are true as an integer's bits. What is not an array is all lanes'."""
    if mask.size == 1:
        return ALL if mask.item() else 0
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def wide(x, sort):
    """X in a type of 64 bits. A NumPy scalar becomes an array of one, as NumPy would
    narrow it again where it meets an array."""
    return np.atleast_1d(x).astype(sort)


def fma(a, b, c):
    """a * b + c of float32, rounded once. The product is exact in double precision; the
    sum is rounded to odd before it is rounded to single, where that may matter."""
    c = wide(c, D)
    product = wide(a, D) * wide(b, D)
    total = product + c
    bits = total.view(L)
    size = np.abs(total)
    # Halfway between two floats, or near the denormals, where it lies elsewhere.
    risky = (bits & L(0x1fffffff) == L(0x10000000)) | ((size < 1.2e-38) & (size > 0))
    if risky.any():
        part = total - product
        error = (product - (total - part)) + (c - part)
        odd = risky & (error != 0) & np.isfinite(total) & (bits & L(1) == 0)
        away = (error > 0) == (total > 0)
        bits = np.where(odd, np.where(away, bits + L(1), bits - L(1)), bits)
        total = bits.view(D)
    return total.astype(F)


def by_double(function):
    return lambda x: function(wide(x, D)).astype(F)


def to_integer(low, high, sort):
    def convert(x):
        x = np.nan_to_num(np.trunc(wide(x, D)), nan=0.0, posinf=high,
                          neginf=low)
        return np.clip(x, low, high).astype(S).astype(sort)
    return convert


def leading_zeros(x):
    _, exponent = np.frexp(wide(x, D))
    return np.where(x == 0, U(0xffffffff), (32 - exponent).astype(U))


def reversed_bits(x):
    for bits, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0f0f0f0f),
                       (8, 0x00ff00ff), (16, 0x0000ffff)):
        x = (x & U(mask)) << U(bits) | x >> U(bits) & U(mask)
    return x


def low24(x):
    return x & U(0xffffff)


def signed24(x):
    return (x << I(8)) >> I(8)


def bfe(x, offset, width, sort):
    offset, width = (offset & sort(31)), (width & sort(31))
    if sort is U:
        return x >> offset & ((U(1) << width) - U(1))
    rest = np.clip(32 - offset.astype(S) - width, 0, 31)
    field = (x.astype(I) << rest.astype(I)) >> (rest + offset).clip(0, 31).astype(I)
    return np.where(width == 0, I(0), field)


def perm(a, b, selector):
    """v_perm_b32: each byte of the selector chooses one of the eight of {a, b}."""
    both = wide(a, L) << L(32) | wide(b, L)
    out = U(0)
    for byte in range(4):
        choice = selector >> U(8 * byte) & U(0xff)
        if np.any((choice > 7) & (choice < 12)):
            raise Unsupported("v_perm_b32 of a sign")
        value = (both >> (L(8) * (choice & U(7)).astype(L))).astype(U) & U(0xff)
        value = np.where(choice >= 13, U(0xff), np.where(choice == 12, U(0), value))
        out = out | value << U(8 * byte)
    return out


def alignbit(a, b, shift):
    both = wide(a, L) << L(32) | wide(b, L)
    return (both >> (shift & U(31)).astype(L)).astype(U)


def fraction_of(x):
    m, _ = np.frexp(x)
    return np.where(np.isfinite(x), m, x).astype(F)


def exponent_of(x):
    _, e = np.frexp(x)
    return np.where(np.isfinite(x), e, 0).astype(I)


def ldexp(x, e):
    return np.ldexp(wide(x, D), np.clip(e, -400, 400)).astype(F)


def med3(a, b, c):
    low, high = np.minimum(a, b), np.maximum(a, b)
    return np.maximum(low, np.minimum(high, c))


def med3_float(a, b, c):
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    least = np.fmin(np.fmin(a, b), c)
    return np.where(nan, least, med3(a, b, c))


def signed16(x):
    return (x & LOW).astype(np.uint16).view(np.int16)


def halves(x):
    return np.asarray(x & LOW).astype(np.uint16).view(np.float16)


def bits_of_half(x):
    return np.asarray(x).astype(np.float16).view(np.uint16).astype(U)


# By name without the encoding: the kinds of result and operands, and the function.
# Shifts that LLVM prints as "rev" have the amount first.
OPS = {
    "v_mov_b32": ("u", "u", lambda a: a),
    "v_not_b32": ("u", "u", lambda a: ~a),
    "v_bfrev_b32": ("u", "u", reversed_bits),
    "v_ffbh_u32": ("u", "u", leading_zeros),
    "v_add_u32": ("u", "uu", lambda a, b: a + b),
    "v_sub_u32": ("u", "uu", lambda a, b: a - b),
    "v_subrev_u32": ("u", "uu", lambda a, b: b - a),
    "v_and_b32": ("u", "uu", lambda a, b: a & b),
    "v_or_b32": ("u", "uu", lambda a, b: a | b),
    "v_xor_b32": ("u", "uu", lambda a, b: a ^ b),
    "v_lshlrev_b32": ("u", "uu", lambda a, b: b << (a & U(31))),
    "v_lshrrev_b32": ("u", "uu", lambda a, b: b >> (a & U(31))),
    "v_ashrrev_i32": ("i", "ii", lambda a, b: b >> (a & I(31))),
    "v_lshlrev_b64": ("U", "uU", lambda a, b: b << (a & U(63)).astype(L)),
    "v_lshrrev_b64": ("U", "uU", lambda a, b: b >> (a & U(63)).astype(L)),
    "v_ashrrev_i64": ("I", "uI", lambda a, b: b >> (a & U(63)).astype(S)),
    "v_max_i32": ("i", "ii", np.maximum),
    "v_min_i32": ("i", "ii", np.minimum),
    "v_max_u32": ("u", "uu", np.maximum),
    "v_min_u32": ("u", "uu", np.minimum),
    "v_mul_lo_u32": ("u", "uu", lambda a, b: a * b),
    "v_mul_hi_u32": ("u", "uu", lambda a, b:
                     (wide(a, L) * wide(b, L) >> L(32)).astype(U)),
    "v_mul_u32_u24": ("u", "uu", lambda a, b: low24(a) * low24(b)),
    "v_mul_i32_i24": ("i", "ii", lambda a, b: signed24(a) * signed24(b)),
    "v_mad_u32_u24": ("u", "uuu", lambda a, b, c: low24(a) * low24(b) + c),
    "v_mad_i32_i24": ("i", "iii", lambda a, b, c: signed24(a) * signed24(b) + c),
    "v_add3_u32": ("u", "uuu", lambda a, b, c: a + b + c),
    "v_or3_b32": ("u", "uuu", lambda a, b, c: a | b | c),
    "v_and_or_b32": ("u", "uuu", lambda a, b, c: a & b | c),
    "v_xad_u32": ("u", "uuu", lambda a, b, c: (a ^ b) + c),
    "v_lshl_add_u32": ("u", "uuu", lambda a, b, c: (a << (b & U(31))) + c),
    "v_add_lshl_u32": ("u", "uuu", lambda a, b, c: (a + b) << (c & U(31))),
    "v_lshl_or_b32": ("u", "uuu", lambda a, b, c: a << (b & U(31)) | c),
    "v_bfi_b32": ("u", "uuu", lambda a, b, c: a & b | ~a & c),
    "v_bfe_u32": ("u", "uuu", lambda a, b, c: bfe(a, b, c, U)),
    "v_bfe_i32": ("i", "iii", lambda a, b, c: bfe(a, b, c, I)),
    "v_alignbit_b32": ("u", "uuu", alignbit),
    "v_perm_b32": ("u", "uuu", perm),
    "v_med3_i32": ("i", "iii", med3),
    "v_med3_u32": ("u", "uuu", med3),
    "v_max3_i32": ("i", "iii", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_max3_u32": ("u", "uuu", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_min3_i32": ("i", "iii", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_min3_u32": ("u", "uuu", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    # 16 bits; on these GPUs the upper half of the result is zero.
    "v_add_u16": ("u", "uu", lambda a, b: (a + b) & LOW),
    "v_sub_u16": ("u", "uu", lambda a, b: (a - b) & LOW),
    "v_subrev_u16": ("u", "uu", lambda a, b: (b - a) & LOW),
    "v_mul_lo_u16": ("u", "uu", lambda a, b: (a * b) & LOW),
    "v_max_u16": ("u", "uu", lambda a, b: np.maximum(a & LOW, b & LOW)),
    "v_min_u16": ("u", "uu", lambda a, b: np.minimum(a & LOW, b & LOW)),
    "v_lshlrev_b16": ("u", "uu", lambda a, b: (b << (a & U(15))) & LOW),
    "v_lshrrev_b16": ("u", "uu", lambda a, b: (b & LOW) >> (a & U(15))),
    "v_ashrrev_i16": ("u", "uu", lambda a, b:
                      (signed16(b).astype(I) >> (a & U(15)).astype(I))
                      .astype(U) & LOW),
    "v_pack_b32_f16": ("u", "uu", lambda a, b: (a & LOW) | b << HALF),
    # Floats.
    "v_add_f32": ("f", "ff", lambda a, b: a + b),
    "v_sub_f32": ("f", "ff", lambda a, b: a - b),
    "v_subrev_f32": ("f", "ff", lambda a, b: b - a),
    "v_mul_f32": ("f", "ff", lambda a, b: a * b),
    "v_max_f32": ("f", "ff", np.fmax),
    "v_min_f32": ("f", "ff", np.fmin),
    "v_max3_f32": ("f", "fff", lambda a, b, c: np.fmax(np.fmax(a, b), c)),
    "v_min3_f32": ("f", "fff", lambda a, b, c: np.fmin(np.fmin(a, b), c)),
    "v_med3_f32": ("f", "fff", med3_float),
    "v_fma_f32": ("f", "fff", fma),
    "v_floor_f32": ("f", "f", np.floor),
    "v_ceil_f32": ("f", "f", np.ceil),
    "v_trunc_f32": ("f", "f", np.trunc),
    "v_rndne_f32": ("f", "f", np.rint),
    "v_rcp_f32": ("f", "f", by_double(lambda x: 1 / x)),
    "v_rsq_f32": ("f", "f", by_double(lambda x: 1 / np.sqrt(x))),
    "v_sqrt_f32": ("f", "f", by_double(np.sqrt)),
    "v_exp_f32": ("f", "f", by_double(np.exp2)),
    "v_log_f32": ("f", "f", by_double(np.log2)),
    "v_frexp_mant_f32": ("f", "f", fraction_of),
    "v_frexp_exp_i32_f32": ("i", "f", exponent_of),
    "v_ldexp_f32": ("f", "fi", ldexp),
    "v_cvt_f32_i32": ("f", "i", lambda a: np.asarray(a).astype(F)),
    "v_cvt_f32_u32": ("f", "u", lambda a: np.asarray(a).astype(F)),
    "v_cvt_i32_f32": ("i", "f", to_integer(-2.0**31, 2.0**31 - 1, I)),
    "v_cvt_u32_f32": ("u", "f", to_integer(0.0, 2.0**32 - 1, U)),
    "v_cvt_f32_f16": ("f", "u", lambda a: halves(a).astype(F)),
    "v_cvt_f16_f32": ("u", "f", bits_of_half),
}
for at in range(4):
    OPS[f"v_cvt_f32_ubyte{at}"] = (
        "f", "u", lambda a, by=U(8 * at): (a >> by & U(255)).astype(F))

# Packed: both halves of the registers, as uint16 in uint32 (or signed).
PACKED = {
    "v_pk_add_u16": lambda a, b: a + b,
    "v_pk_sub_i16": lambda a, b: a - b,
    "v_pk_mul_lo_u16": lambda a, b: a * b,
    "v_pk_mad_u16": lambda a, b, c: a * b + c,
    "v_pk_lshlrev_b16": lambda a, b: b << (a & U(15)),
    "v_pk_lshrrev_b16": lambda a, b: b >> (a & U(15)),
    "v_pk_ashrrev_i16": lambda a, b:
        (signed16(b).astype(I) >> (a & U(15)).astype(I)).astype(U),
    "v_pk_max_i16": lambda a, b: np.maximum(signed16(a), signed16(b)).astype(U),
    "v_pk_min_i16": lambda a, b: np.minimum(signed16(a), signed16(b)).astype(U),
    "v_pk_max_u16": np.maximum,
    "v_pk_min_u16": np.minimum,
}

COMPARISONS = {
    "lt": lambda a, b: a < b, "eq": lambda a, b: a == b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ne": lambda a, b: a != b, "ge": lambda a, b: a >= b,
    "lg": lambda a, b: (a < b) | (a > b),
    "o": lambda a, b: (a == a) & (b == b), "u": lambda a, b: (a != a) | (b != b),
    "nge": lambda a, b: ~(a >= b), "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b), "nlt": lambda a, b: ~(a < b),
    "neq": lambda a, b: ~(a == b), "nlg": lambda a, b: ~((a < b) | (a > b)),
}


def classes(x, wanted):
    """v_cmp_class_f32: whether x is of one of the classes whose bits are set."""
    x = np.asarray(x)
    bits = x.view(U)
    size, negative = bits & U(0x7fffffff), bits >> U(31) == 1
    sort = np.select(
        [(size > 0x7f800000) & (size < 0x7fc00000), size > 0x7f800000,
         size == 0x7f800000, size == 0, size < 0x00800000], [0, 1, 9, 6, 7], 8)
    # The negative classes lie mirrored: infinity 2, normal 3, denormal 4, zero 5.
    sort = np.where(negative & (sort > 1), 11 - sort, sort)
    return wanted >> sort.astype(U) & U(1) != 0


def store(one, kind, number, index=False):
    """Writes a row to the vector registers from NUMBER on, in the active lanes."""
    sort = {"u": U, "i": I, "f": F}.get(kind)

    def row(w, n, value):
        if w.full:
            n[...] = value
        else:
            np.copyto(n, value, where=w.mask)
    if kind in "UI":
        def write_pair(w, value):
            value = np.asarray(value).view(L)
            row(w, w.u[number], value.astype(U))
            row(w, w.u[number + 1], (value >> L(32)).astype(U))
        return write_pair
    if sort is None:
        raise Unsupported(f"the result of {one.op}")
    if index:
        files = {"u": "u", "i": "i", "f": "f"}[kind]
        return lambda w, value: row(w, getattr(w, files)[number + w.index], value)
    if kind == "u":
        return lambda w, value: row(w, w.u[number], value)
    if kind == "i":
        return lambda w, value: row(w, w.i[number], value)
    return lambda w, value: row(w, w.f[number], value)


SELECTS = {"BYTE_0": (0, 8), "BYTE_1": (8, 8), "BYTE_2": (16, 8), "BYTE_3": (24, 8),
           "WORD_0": (0, 16), "WORD_1": (16, 16), "DWORD": (0, 32)}


def selected(text, how, kind):
    """A reader of an SDWA operand: part of a register, as KIND."""
    extend = text.startswith("sext(")
    if extend:
        text = text[5:-1]
    at, bits = SELECTS[how]
    if bits == 32:
        return vector_reader(text, kind)
    read = vector_reader(text, "u")
    up, down = U(32 - at - bits), U(32 - bits)
    if kind == "f":
        raise Unsupported("a float of a part of a register")
    if extend:
        signed = lambda w: (read(w) << up).view(I) >> down.astype(I)
        return signed if kind == "i" else lambda w: signed(w).view(U)
    plain = lambda w: (read(w) << up) >> down
    return (lambda w: plain(w).view(I)) if kind == "i" else plain


def sdwa_store(one, number):
    """Writes a part of a register; the rest becomes zero."""
    at, bits = SELECTS[one.modifiers.pop("dst_sel", "DWORD")]
    rest = one.modifiers.pop("dst_unused", "UNUSED_PAD")
    write = store(one, "u", number)
    if bits == 32:
        return lambda w, value: write(w, np.asarray(value).view(U))
    part = U(((1 << bits) - 1) << at)

    def put(w, value):
        value = np.asarray(value).view(U) << U(at) & part
        if rest == "UNUSED_PRESERVE":
            value = value | w.u[number] & ~part
        write(w, value)
    if rest not in ("UNUSED_PAD", "UNUSED_PRESERVE"):
        raise Unsupported(f"SDWA with {rest}")
    return put


def base_name(op):
    for suffix in ("_e32", "_e64", "_sdwa"):
        if op.endswith(suffix):
            return op[:-len(suffix)], suffix
    return op, ""


def compile_vector(one, index=()):
    """The function of a wave that executes ONE. INDEX has the operands ("SRC0", "DST")
    whose registers are moved by the wave's index."""
    name, form = base_name(one.op)
    step = None
    if form == "_sdwa" and name not in CARRIES and not name.startswith("v_cmp_"):
        step = compile_sdwa(one, name)
    elif index and name != "v_mov_b32":
        raise Unsupported(f"{one.op} with an index")
    elif name in OPS:
        kind, kinds, function = OPS[name]
        number = vector_register(one.operands[0], 2 if kind in "UI" else 1)
        reads = [vector_reader(text, k, index=f"SRC{n}" in index)
                 for n, (text, k) in enumerate(zip(one.operands[1:], kinds))]
        if len(one.operands) != 1 + len(kinds):
            raise Unsupported(f"{one.op} with {len(one.operands)} operands")
        write = store(one, kind, number, index="DST" in index)
        step = apply(function, reads, write)
    elif name in PACKED:
        step = compile_packed(one, PACKED[name])
    elif name.startswith("v_cmp_class_f32"):
        result, a, b = one.operands
        step = compare(classes, vector_reader(a, "f"), vector_reader(b, "u"), result)
    elif name.startswith("v_cmp_"):
        _, _, how, sort = name.split("_")
        step = compile_comparison(how, sort, one)
    elif name in SPECIAL:
        step = SPECIAL[name](one)
    if step is None:
        raise Unsupported(f"the instruction {one.op}")
    if one.modifiers:
        raise Unsupported(f"{one.op} with {', '.join(one.modifiers)}")
    return step


def apply(function, reads, write):
    if len(reads) == 1:
        a, = reads
        return lambda w: write(w, function(a(w)))
    if len(reads) == 2:
        a, b = reads
        return lambda w: write(w, function(a(w), b(w)))
    a, b, c = reads
    return lambda w: write(w, function(a(w), b(w), c(w)))


def compile_sdwa(one, name):
    selects = [one.modifiers.pop(f"src{n}_sel", None) for n in (0, 1)]
    number = vector_register(one.operands[0])
    write = sdwa_store(one, number)
    if name == "v_cndmask_b32":
        a, b = (selected(t, s, "u") for t, s in zip(one.operands[1:3], selects))
        mask = scalar_reader(one.operands[3], 2)
        return lambda w: write(w, np.where(w.lanes(mask(w)), b(w), a(w)))
    if name not in OPS:
        return None
    _, kinds, function = OPS[name]
    reads = [selected(text, how, kind) for text, how, kind
             in zip(one.operands[1:], selects, kinds)]
    return apply(function, reads, write)


def compile_packed(one, function):
    sources = one.operands[1:]
    lows = one.modifiers.pop("op_sel", [0] * len(sources))
    highs = one.modifiers.pop("op_sel_hi", [1] * len(sources))
    reads = [vector_reader(text, "u") for text in sources]
    write = store(one, "u", vector_register(one.operands[0]))

    def half(value, upper):
        return value >> HALF if upper else value & LOW

    def step(w):
        values = [read(w) for read in reads]
        low = function(*(half(v, upper) for v, upper in zip(values, lows)))
        high = function(*(half(v, upper) for v, upper in zip(values, highs)))
        write(w, low & LOW | high << HALF)
    return step


def compare(function, a, b, result):
    write = scalar_writer(result, 2)
    return lambda w: write(w, pack(function(a(w), b(w))) & w.exec)


def compile_comparison(how, sort, one):
    function = COMPARISONS.get(how)
    kind = {"f32": "f", "i32": "i", "u32": "u", "u64": "U", "i64": "I",
            "u16": "u", "i16": "u"}.get(sort)
    if function is None or kind is None:
        raise Unsupported(f"the instruction {one.op}")
    result, *sources = one.operands
    if one.op.endswith("_sdwa"):
        a, b = (selected(text, one.modifiers.pop(f"src{n}_sel"), kind)
                for n, text in enumerate(sources))
    else:
        a, b = (vector_reader(text, kind) for text in sources)
    if sort == "u16":
        return compare(lambda x, y: function(x & LOW, y & LOW), a, b, result)
    if sort == "i16":
        return compare(lambda x, y: function(signed16(x), signed16(y)), a, b, result)
    return compare(function, a, b, result)


def compile_carry(one):
    """Sums and differences of 32 bits with carries in a pair of scalar registers."""
    name, form = base_name(one.op)
    result, out, a, b, *rest = one.operands
    number = vector_register(result)
    if form == "_sdwa":
        a, b = (selected(text, one.modifiers.pop(f"src{n}_sel"), "u")
                for n, text in enumerate((a, b)))
        write = sdwa_store(one, number)
    else:
        a, b = vector_reader(a, "u"), vector_reader(b, "u")
        write = store(one, "u", number)
    if name.startswith("v_subrev") or name.startswith("v_subbrev"):
        a, b = b, a
    carry = scalar_reader(rest[0], 2) if rest else lambda w: 0
    put = scalar_writer(out, 2)
    sign = -1 if name.startswith("v_sub") else 1

    def step(w):
        x, y = wide(a(w), S), wide(b(w), S)
        value = x + sign * y
        if rest:
            value = value + sign * w.lanes(carry(w)).astype(S)
        left = pack((value < 0) | (value > 0xffffffff)) & w.exec
        write(w, value.astype(U))
        put(w, left)
    return step


def compile_cndmask(one):
    result, a, b, mask = one.operands
    a, b = vector_reader(a, "u"), vector_reader(b, "u")
    mask, write = scalar_reader(mask, 2), store(one, "u", vector_register(result))
    return lambda w: write(w, np.where(w.lanes(mask(w)), b(w), a(w)))


def compile_fmac(one):
    number = vector_register(one.operands[0])
    a, b = (vector_reader(text, "f") for text in one.operands[1:])
    write = store(one, "f", number)
    return lambda w: write(w, fma(a(w), b(w), w.f[number]))


def compile_mad64(one):
    """A product of 32 bits and a sum of 64; the carry is that of the sum of 65 bits,
    which for signed ones is its sign."""
    result, out, a, b, c = one.operands
    is_signed = "i64" in one.op
    factor, sum_kind, sort = ("i", "I", S) if is_signed else ("u", "U", L)
    a, b, c = (vector_reader(a, factor), vector_reader(b, factor),
               vector_reader(c, sum_kind))
    write = store(one, sum_kind, vector_register(result, 2))
    put = scalar_writer(out, 2)

    def step(w):
        product, more = wide(a(w), sort) * wide(b(w), sort), wide(c(w), sort)
        value = product + more
        if is_signed:
            over = ((value ^ product) & (value ^ more)) < 0
            carry = (value < 0) ^ over
        else:
            carry = value < product
        left = pack(carry) & w.exec
        write(w, value)
        put(w, left)
    return step


def compile_signed_sum(one):
    """v_add_i32, v_sub_i32: with `clamp` to the range of 32 bits."""
    clamps = one.modifiers.pop("clamp", False)
    sign = -1 if "sub" in one.op else 1
    result, a, b = one.operands
    a, b = vector_reader(a, "i"), vector_reader(b, "i")
    write = store(one, "i", vector_register(result))

    def step(w):
        value = wide(a(w), S) + sign * wide(b(w), S)
        if clamps:
            value = np.clip(value, -1 << 31, (1 << 31) - 1)
        write(w, value.astype(I))
    return step


def compile_mix(one):
    sources = one.operands[1:]
    upper = one.modifiers.pop("op_sel", [0] * 3)
    is_half = one.modifiers.pop("op_sel_hi", [0] * 3)

    def reader(text, narrow, high):
        if not narrow:
            return vector_reader(text, "f")
        if constant(text) is not None:
            raise Unsupported(f"the half '{text}'")
        read = vector_reader(text, "u")
        if high:
            return lambda w: halves(read(w) >> HALF).astype(F)
        return lambda w: halves(read(w)).astype(F)
    reads = [reader(*each) for each in zip(sources, is_half, upper)]
    return apply(fma, reads, store(one, "f", vector_register(one.operands[0])))


LANES = np.arange(64)


def compile_count_below(one):
    """v_mbcnt: how many bits of the mask are set below the lane's."""
    first = 0 if "_lo_" in one.op else 32
    result, mask, base = one.operands
    mask, base = scalar_reader(mask), vector_reader(base, "u")
    write = store(one, "u", vector_register(result))

    def step(w):
        bits = np.zeros(64, bool)
        bits[first:first + 32] = w.lanes(mask(w))[:32]
        below = np.concatenate(([0], np.cumsum(bits)[:-1]))
        write(w, below.astype(U) + base(w))
    return step


def compile_readlane(one):
    result, source, lane = one.operands
    read, number = vector_register(source), scalar_writer(result)
    lane = scalar_reader(lane)
    return lambda w: number(w, int(w.u[read][lane(w) & 63]))


def compile_writelane(one):
    """Writes one lane, active or not; LLVM keeps scalar registers so."""
    result, source, lane = one.operands
    number, read = vector_register(result), scalar_reader(source)
    lane = scalar_reader(lane)

    def step(w):
        w.u[number][lane(w) & 63] = read(w)
    return step


def compile_readfirstlane(one):
    result, source = one.operands
    read, number = vector_register(source), scalar_writer(result)

    def step(w):
        first = (w.exec & -w.exec).bit_length() - 1
        number(w, int(w.u[read][max(first, 0)]))
    return step


SPECIAL = {
    "v_cndmask_b32": compile_cndmask,
    "v_fmac_f32": compile_fmac,
    "v_mad_u64_u32": compile_mad64,
    "v_mad_i64_i32": compile_mad64,
    "v_add_i32": compile_signed_sum,
    "v_sub_i32": compile_signed_sum,
    "v_fma_mix_f32": compile_mix,
    "v_mbcnt_lo_u32_b32": compile_count_below,
    "v_mbcnt_hi_u32_b32": compile_count_below,
    "v_readlane_b32": compile_readlane,
    "v_writelane_b32": compile_writelane,
    "v_readfirstlane_b32": compile_readfirstlane,
}
CARRIES = {f"v_{op}_co_u32" for op in ("add", "addc", "sub", "subb", "subrev", "subbrev")}
for op in CARRIES:
    SPECIAL[op] = compile_carry
