"""Random kernels in OpenCL C, the same for the same seed. Each is defined for every
input: integers stay in the ranges that are tracked here, or are unsigned; shifts and
divisors are literals or masked; indices are masked or bounded; a work-item writes only
a part of each buffer that is its own, and what others read of it lies behind a barrier.

usage: generate.py SEED [KERNELS]     prints a file of so many kernels (default 6)

Some kernels are of doubles, read and store halves, or read and write images.

The shapes that rewrites look for are in shapes.py and arrays.py; between their statements stand
others by chance, so that many are nearly what a rewrite looks for."""
import random
import re
import sys

INTEGERS = {"char": (8, True), "uchar": (8, False), "short": (16, True),
            "ushort": (16, False), "int": (32, True), "uint": (32, False),
            "long": (64, True), "ulong": (64, False)}
WIDTHS = (2, 3, 4, 8, 16)
# What rewrites call the variables that they add; a program may call its own so.
TAKEN = ["row", "term", "part", "kept", "taken", "loaded", "at_a", "item", "i", "j", "row_at",
         "value", "index", "at", "inside"]
PART = 64  # elements of each buffer that are a work-item's own


def limits(kind):
    bits, signed = INTEGERS[kind]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


# What a variable of the type holds at most, so that sums of some stay in range.
KEPT = {"int": (-(1 << 16), 1 << 16), "long": (-(1 << 40), 1 << 40)}


def kept(kind):
    return KEPT.get(kind) or limits(kind)


class Value:
    """An integer expression, with its type and its range; of each lane, where the
    type is a vector's."""

    def __init__(self, text, kind, low=None, high=None):
        self.text, self.kind = text, kind
        full = limits(kind)
        self.low = full[0] if low is None else low
        self.high = full[1] if high is None else high


class Kernel:
    """One kernel while it is written. Shapes append to `lines`."""

    def __init__(self, seed, name):
        self.r = random.Random(f"{seed} {name}")
        self.name = name
        self.lines, self.before, self.parameters = [], [], {}
        self.depth, self.names = 1, 0
        self.scopes = [{}]  # by name: type, or (type, lanes)
        self.fixed = set()  # names that may not be assigned to
        self.alone = True  # all work-items come here
        self.group = None
        self.nested = 0
        self.nesting = 0  # of pixels that are read to know where to read
        self.used = set()  # of the names TAKEN
        self.dimensions = self.r.choice([1, 1, 1, 2])
        self.wide_ids = self.r.random() < 0.4
        self.restrict = self.r.random() < 0.4
        self.small = {}  # integer arguments and the largest value that they may have
        # What some kernels have besides: chosen apart, so that the others of a seed stay
        # as they are.
        self.extra = random.Random(f"{seed} {name} extra")
        self.special = self.extra.choices(
            ("", "doubles", "halves", "images"), (60, 12, 10, 18))[0]
        if self.dimensions == 2 and self.extra.random() < 0.4:
            self.dimensions = 3

    # --- Small helpers --------------------------------------------------------

    def pick(self, *choices):
        return self.r.choice(choices)

    def chance(self, share):
        return self.r.random() < share

    def fresh(self, stem="v"):
        self.names += 1
        if self.chance(0.08):
            name = self.r.choice(TAKEN)
            if name not in self.used:
                self.used.add(name)
                return name
        return f"{stem}{self.names}"

    def name_outside(self, stem):
        """A name for what stands before the kernel, which no other one has."""
        name = f"{stem}_{self.name}_{self.names}"
        while any(name in text for text in self.before):
            name += "x"
        return name

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, head):
        self.line(head + " {")
        self.depth += 1
        self.scopes.append({})

    def close(self, tail=""):
        self.depth -= 1
        self.scopes.pop()
        self.line("}" + tail)

    def declare(self, name, kind, fixed=False):
        self.scopes[-1][name] = kind
        if fixed:
            self.fixed.add(name)
        return name

    def visible(self, wanted, assigned=False):
        return [name for scope in self.scopes for name, kind in scope.items()
                if wanted(kind) and not (assigned and name in self.fixed)]

    # --- Parameters -----------------------------------------------------------

    def parameter(self, name, text):
        self.parameters.setdefault(name, text)
        return name

    def read_only(self, kind):
        """A buffer that is only read; as a number of the same few names."""
        space = self.pick("global", "global", "global", "constant")
        name = f"{space[0]}{self.pick('a', 'b')}_{kind}"
        restrict = "restrict " if self.restrict and space == "global" else ""
        return self.parameter(name, f"{space} const {kind} *{restrict}{name}")

    def own(self, kind):
        """The pointer to the work-item's own part of a buffer."""
        buffer, name = f"o_{kind}", f"own_{kind}"
        restrict = "restrict " if self.restrict else ""
        self.parameter(buffer, f"global {kind} *{restrict}{buffer}")
        return name

    def argument(self, most=None):
        """An integer argument; with MOST a number from 1 to that."""
        if most is None:
            kind = self.pick("int", "uint", "short", "uchar")
            name = self.parameter(f"n_{kind}", f"{kind} n_{kind}")
            return Value(name, kind)
        name = f"w{most}"
        self.parameter(name, f"int {name}")
        self.small[name] = most
        return Value(name, "int", 1, most)

    # --- Images and halves ----------------------------------------------------

    def pixel(self, channels):
        """A pixel of an image: a vector of four floats, or of four uints."""
        name = self.parameter(f"image_{channels}",
                              f"read_only image2d_t image_{channels}")
        if self.chance(0.5):
            sampler = self.parameter("smp", "sampler_t smp")
        else:
            sampler = f"smp_{self.name}_{self.pick('edge', 'border')}"
            mode = "CLAMP_TO_EDGE" if sampler.endswith("edge") else "CLAMP"
            line = f"constant sampler_t {sampler} = CLK_NORMALIZED_COORDS_FALSE | " \
                   f"CLK_ADDRESS_{mode} | CLK_FILTER_NEAREST;"
            if line not in self.before:
                self.before.append(line)
        x, y = self.index(64), self.index(16)
        at = f"(int2)({x} - {self.pick('0', '1', '2')}, {y})" if self.chance(0.7) else \
            f"(float2)({x} + 0.5f, (float)({y}))"
        return f"read_image{channels}({name}, {sampler}, {at})"

    def write_pixel(self):
        """Stores the work-item's own pixel."""
        channels = self.pick("f", "f", "ui")
        name = self.parameter(f"out_{channels}",
                              f"write_only image2d_t out_{channels}")
        x, y = {1: ("g", self.pick("0", "1", "2")), 2: ("gx", "gy"),
                3: ("gx", "gy * get_global_size(2) + gz")}[self.dimensions]
        at = f"(int2)({x}, {y})"
        # What becomes of a NaN in a format of integers is not specified.
        values = [f"fmax(fmin({self.real(1)}, 1.0f), 0.0f)" if channels == "f" else
                  f"(uint)({self.integer(1).text}) & 127" for _ in range(2)]
        value = self.pixel(channels) if self.chance(0.3) else \
            f"({'float' if channels == 'f' else 'uint'}4)({values[0]}, {values[1]}, " \
            f"{values[0]}, 1)"
        self.line(f"if (all({at} < get_image_dim({name})))" if self.chance(0.5) else
                  f"if ({x} < get_image_width({name}) && {y} < get_image_height({name}))")
        self.line(f"  write_image{channels}({name}, {at}, {value});")

    def half(self):
        """A float from a buffer of halves."""
        lanes = self.pick("", "", "2", "4")
        row = self.read_only("half") if self.chance(0.7) else self.own("half")
        text = f"vload{self.pick('', 'a') if lanes else ''}_half{lanes}" \
               f"({self.index(PART // int(lanes or 1))}, {row})"
        return text + (f".s{self.r.randrange(int(lanes))}" if lanes else "")

    def store_half(self):
        lanes = self.pick("", "", "2", "4")
        value = self.real(1) if not lanes else \
            f"(float{lanes})({', '.join(self.real(1) for _ in range(int(lanes)))})"
        self.line(f"vstore_half{lanes}{self.pick('', '', '_rtz', '_rte')}({value}, "
                  f"{self.index(PART // int(lanes or 1))}, {self.own('half')});")

    # --- Integer expressions --------------------------------------------------

    def literal(self, low=0, high=64):
        value = self.r.randint(low, high)
        return Value(str(value) if value >= 0 else f"({value})", "int", value, value)

    def index(self, size):
        """An int expression from 0 to size - 1."""
        if size & (size - 1) == 0 and self.chance(0.5):
            return f"({self.integer(1).text} & {size - 1})"
        if self.chance(0.3):
            return str(self.r.randrange(size))
        return f"(int)((uint)({self.integer(1).text}) % {size}u)"

    def load(self):
        if self.special == "images" and self.nesting < 2 and self.chance(0.2):
            self.nesting += 1
            text = self.pixel("ui")
            self.nesting -= 1
            return Value(f"{text}.{self.pick(*'xyzw')}", "uint")
        kind = self.r.choice(list(INTEGERS))
        if self.chance(0.25):
            return Value(f"{self.own(kind)}[{self.index(PART)}]", kind)
        return Value(f"{self.read_only(kind)}[{self.index(64)}]", kind)

    def leaf(self):
        names = self.visible(lambda kind: kind in INTEGERS)
        choice = self.r.random()
        if names and choice < 0.6:
            name = self.r.choice(names)
            kind = next(s[name] for s in reversed(self.scopes) if name in s)
            return Value(name, kind, *kept(kind))
        if choice < 0.8:
            return self.literal(self.pick(0, 0, -9), self.pick(3, 9, 255))
        return self.argument(self.pick(None, None, 16))

    def safe(self, value, low, high):
        """The value in a range, by a mask where it may be outside."""
        if low <= value.low and value.high <= high:
            return value
        if low == 0 or self.chance(0.5):
            mask = (1 << (high.bit_length() - 1)) - 1
            if value.kind in ("long", "ulong") and mask < 1 << 31:
                return Value(f"(int)({value.text} & {mask})", "int", 0, mask)
            return Value(f"({value.text} & {mask})",
                         self.promoted(value.kind), 0, mask)
        bound = min(high, -low)
        if value.kind in ("uint", "ulong"):
            return Value(f"(int)({value.text} % {bound}u)", "int", 0, bound - 1)
        return Value(f"({value.text} % {bound})", self.promoted(value.kind),
                     1 - bound, bound - 1)

    @staticmethod
    def promoted(kind):
        return "int" if INTEGERS[kind][0] < 32 else kind

    def common(self, a, b):
        kinds = self.promoted(a.kind), self.promoted(b.kind)
        for kind in ("ulong", "long", "uint"):
            if kind in kinds:
                return kind
        return "int"

    def binary(self, op, a, b):
        kind = self.common(a, b)
        if kind in ("uint", "ulong"):
            if op in ("+", "-", "*", "&", "|", "^"):
                return Value(f"({a.text} {op} {b.text})", kind)
        if kind == "long":
            a, b = self.safe(a, -(1 << 40), 1 << 40), self.safe(b, -(1 << 20), 1 << 20)
            kind = self.common(a, b)
        if op in "&|^":
            low, high = limits(kind)
            if a.low >= 0 and b.low >= 0:
                low, high = 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
            return Value(f"({a.text} {op} {b.text})", kind, low, high)
        ends = {"+": (a.low + b.low, a.high + b.high),
                "-": (a.low - b.high, a.high - b.low),
                "*": tuple(f(x * y for x in (a.low, a.high) for y in (b.low, b.high))
                           for f in (min, max))}[op]
        full = limits(kind)
        if kind in ("uint", "ulong") or (full[0] <= ends[0] and ends[1] <= full[1]):
            return Value(f"({a.text} {op} {b.text})", kind,
                         *(ends if kind in ("int", "long") else ()))
        if self.chance(0.5):
            wide = "ulong" if kind == "long" else "uint"
            return Value(f"(({wide}){a.text} {op} ({wide}){b.text})", wide)
        return self.binary(op, self.safe(a, -(1 << 14), 1 << 14),
                           self.safe(b, -(1 << 14), 1 << 14))

    def integer(self, depth=2):
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        choice = self.r.random()
        if choice < 0.5:
            return self.binary(self.pick("+", "-", "*", "&", "|", "^", "+"),
                               self.integer(depth - 1), self.integer(depth - 1))
        if choice < 0.58:
            a = self.integer(depth - 1)
            by = self.r.randint(1, min(15, INTEGERS[self.promoted(a.kind)][0] - 1))
            low, high = sorted((a.low >> by, a.high >> by))
            return Value(f"({a.text} >> {by})", self.promoted(a.kind), low, high)
        if choice < 0.64:
            a = self.integer(depth - 1)
            return Value(f"((uint)({a.text}) << {self.r.randint(1, 31)})", "uint")
        if choice < 0.7:
            a, b = self.integer(depth - 1), self.literal(1, 17)
            if a.kind in ("uint", "ulong"):
                return Value(f"({a.text} {self.pick('/', '%')} {b.text}u)", a.kind)
            op = self.pick("/", "%")
            most = max(abs(a.low), abs(a.high))
            return Value(f"({a.text} {op} {b.text})", self.promoted(a.kind),
                         -most if a.low < 0 else 0, most)
        if choice < 0.8:
            kind = self.r.choice(list(INTEGERS))
            a = self.integer(depth - 1)
            low, high = limits(kind)
            fits = low <= a.low and a.high <= high
            return Value(f"({kind})({a.text})", kind,
                         *((a.low, a.high) if fits else ()))
        if choice < 0.88:
            a, b = self.integer(depth - 1), self.integer(depth - 1)
            kind = self.common(a, b)
            ends = (min(a.low, b.low), max(a.high, b.high)) \
                if kind in ("int", "long") else ()
            return Value(f"({self.condition()} ? {a.text} : {b.text})", kind, *ends)
        if choice < 0.92 and depth > 1:
            a, b = (self.safe(self.integer(depth - 1), -(1 << 16), 1 << 16)
                    for _ in range(2))
            f = self.pick("min", "max")
            return Value(f"{f}((int)({a.text}), (int)({b.text}))", "int",
                         min(a.low, b.low), max(a.high, b.high))
        return self.load()

    def condition(self):
        a, b = self.integer(1), self.leaf()
        text = f"{a.text} {self.pick('<', '>', '<=', '>=', '==', '!=')} {b.text}"
        if self.chance(0.2):
            text = f"{text} {self.pick('&&', '||')} ({self.integer(1).text} & 1)"
        return text

    def kept_as(self, kind, depth=2):
        """The text of an expression that a variable of the type may be given."""
        value = self.integer(depth)
        low, high = kept(kind)
        if kind in KEPT:
            if value.kind == "ulong" or (kind == "int" and value.kind == "uint"):
                value = Value(f"(int)({value.text} & 0xffff)", "int", 0, 0xffff)
            value = self.safe(value, low, high)
        return value.text

    # --- Floats ---------------------------------------------------------------

    def real(self, depth=2):
        names = self.visible(lambda kind: kind == "float")
        if depth <= 0:
            if names and self.chance(0.6):
                return self.r.choice(names)
            return self.pick("0.5f", "1.0f", "-2.0f", "3.25f", "0.0f")
        choice = self.r.random()
        if choice < 0.5:
            return f"({self.real(depth - 1)} {self.pick('+', '-', '*', '/')} " \
                   f"{self.real(depth - 1)})"
        if choice < 0.6:
            return f"(float)({self.integer(1).text})"
        if choice < 0.7:
            return f"{self.pick('fmax', 'fmin')}({self.real(depth - 1)}, " \
                   f"{self.real(depth - 1)})"
        if choice < 0.78:
            return f"({self.condition()} ? {self.real(depth - 1)} : " \
                   f"{self.real(depth - 1)})"
        if choice < 0.84:
            return f"fabs({self.real(depth - 1)})"
        if self.special == "halves" and self.chance(0.5):
            return self.half()
        if self.special == "images" and self.nesting < 2 and self.chance(0.5):
            self.nesting += 1
            text = self.pixel("f")
            self.nesting -= 1
            return f"{text}.{self.pick(*'xyzw')}"
        return f"{self.read_only('float')}[{self.index(64)}]"

    # --- Statements by chance -------------------------------------------------

    def variable(self):
        kind = self.r.choice([*INTEGERS, "float", "int", "uint"])
        name = self.fresh()
        value = self.real() if kind == "float" else self.kept_as(kind)
        self.line(f"{kind} {name} = {value};")
        return self.declare(name, kind)

    def assignment(self):
        names = self.visible(lambda k: k in INTEGERS or k == "float", assigned=True)
        if not names:
            return self.variable()
        name = self.r.choice(names)
        kind = next(s[name] for s in reversed(self.scopes) if name in s)
        if kind == "float":
            self.line(f"{name} {self.pick('=', '+=', '-=', '*=')} {self.real()};")
        elif kind in KEPT or self.chance(0.5):
            self.line(f"{name} = {self.kept_as(kind)};")
        elif self.chance(0.2) and kind in ("uint", "ulong"):
            self.line(f"{name}{self.pick('++', '--')};")
        elif kind in ("uint", "ulong"):
            self.line(f"{name} {self.pick('+=', '-=', '*=', '^=', '|=')} "
                      f"{self.integer(1).text};")
        else:
            value = self.safe(self.integer(1), -(1 << 12), 1 << 12)
            self.line(f"{name} {self.pick('+=', '-=', '^=', '|=')} {value.text};")

    def store(self):
        if self.special in ("halves", "images") and self.chance(0.4):
            return self.store_half() if self.special == "halves" else self.write_pixel()
        kind = self.r.choice([*INTEGERS, "float", "float", "int"])
        value = self.real() if kind == "float" else self.integer().text
        self.line(f"{self.own(kind)}[{self.index(PART)}] = {value};")

    def anything(self):
        choice = self.r.random()
        if choice < 0.35:
            self.assignment()
        elif choice < 0.5:
            self.variable()
        elif choice < 0.7:
            self.store()
        elif choice < 0.75:
            self.line(self.pick(";", "// nothing", "/* here */;", "{ }"))
        elif choice < 0.85 and self.nested < 2:
            self.nested += 1
            alone, self.alone = self.alone, False
            self.open(f"if ({self.condition()})")
            self.anything()
            if self.chance(0.5):
                self.close(" else {")
                self.depth += 1
                self.scopes.append({})
                self.anything()
            self.close()
            self.alone = alone
            self.nested -= 1
        elif self.alone and self.group:
            self.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
        else:
            self.assignment()

    def disturb(self, share=0.15):
        """Now and then, a statement between those of a shape."""
        if self.chance(share):
            self.anything()

    # --- The text -------------------------------------------------------------

    def id(self):
        return "g"

    def prologue(self):
        ids = "size_t" if self.wide_ids else "int"
        out = []
        if self.dimensions == 2:
            out.append(f"  {ids} gx = get_global_id(0), gy = get_global_id(1);")
            out.append(f"  {ids} g = gy * get_global_size(0) + gx;")
        elif self.dimensions == 3:
            out.append(f"  {ids} gx = get_global_id(0), gy = get_global_id(1), "
                       "gz = get_global_id(2);")
            out.append(f"  {ids} g = (gz * get_global_size(1) + gy) * get_global_size(0) "
                       "+ gx;")
        else:
            out.append(f"  {ids} g = get_global_id(0);")
        for name, most in self.small.items():
            out.append(self.r.choice([
                f"  if ({name} < 1 || {name} > {most})\n    return;",
                f"  {name} = clamp({name}, 1, {most});",
                f"  {name} = ({name} & {(most - 1) | 0}) + 1;"
                if most & (most - 1) == 0 else f"  {name} = min(max({name}, 1), {most});"]))
        for name in self.parameters:
            if name.startswith("o_"):
                kind = name[2:]
                out.append(f"  global {kind} *own_{kind} = {name} + g * {PART};")
        return out

    def text(self):
        """The kernel, once its shapes have been written."""
        attribute = f"__attribute__((reqd_work_group_size({self.group}, 1, 1)))\n" \
            if self.group else ""
        if not any(p.startswith("o_") for p in self.parameters):
            self.own("uint")
        parameters = list(self.parameters.values())
        self.r.shuffle(parameters)
        head = f"{self.pick('kernel', '__kernel')} {attribute}void {self.name}(" + \
            ", ".join(parameters) + ") {"
        comment = []
        if self.launched:
            sizes = {1: ["64", "128"], 2: ["16x8", "32x4"], 3: ["8x4x2", "4x3x5"]}[self.dimensions]
            words = [f"global={self.r.choice(sizes)}"]
            if self.group:
                words.append(f"local={self.group}" + "x1" * (self.dimensions - 1))
            words += [f"{name}={self.r.randint(1, most)}"
                      for name, most in self.small.items()]
            comment = [f"// clrewrite: launch {' '.join(words)}"]
        return "\n".join([*self.before, *comment, head, *self.prologue(), *self.lines,
                          "}"]) + "\n"


def in_doubles(text):
    """A kernel of floats as one of doubles."""
    text = re.sub(r"float(\d*)\b", r"double\1", text)
    text = re.sub(r"(\d\.\d*)f\b", r"\1", text)
    # The mask has as many bits as what is chosen.
    return re.sub(r"select\((0\.0), (\w+), \(int\)", r"select(\1, \2, (long)", text)


def deform(text, r):
    """Comments, line ends and spaces where they change nothing."""
    out = []
    for line in text.split("\n"):
        plain = line.lstrip().startswith(("#", "//")) or "//" in line or \
            line.endswith("\\") or "/*" in line
        if not plain and r.random() < 0.06:
            at = [m.start() for m in re.finditer(r"(?<=[ (,]) ?(?=[\w(])", line)
                  if m.start() > len(line) - len(line.lstrip())]
            if at:
                place = r.choice(at)
                line = line[:place] + r.choice(
                    ["/* c */ ", "\n      ", "  ", "\t", "// c\n      "]) + line[place:]
        if not plain and r.random() < 0.03:
            line += r.choice([" // behind", " /* behind */", "  "])
        out.append(line)
    return "\n".join(out)


def kernel(seed, name, arrays=0.3):
    """ARRAYS: in what share of the kernels a shape of arrays.py comes last."""
    import arrays as private
    import shapes
    k = Kernel(seed, name)
    k.launched = k.chance(0.4)
    if k.chance(0.3) and k.dimensions == 1:
        k.group = k.pick(8, 16, 32)
    known = list(shapes.ALL)
    chosen = [k.r.choice(known) for _ in range(k.r.randint(1, 3))]
    for shape in chosen:
        for _ in range(k.r.randint(0, 2)):
            k.anything()
        shape(k)
    for _ in range(k.r.randint(0, 2)):
        k.anything()
    for name_, kind in [*k.scopes[0].items()]:
        if isinstance(kind, str):
            k.line(f"{k.own(kind)}[{k.r.randrange(PART)}] "
                   f"{'=' if kind == 'float' else '^='} {name_};")
    if k.special in ("halves", "images"):
        k.store_half() if k.special == "halves" else k.write_pixel()
    if k.extra.random() < arrays:
        before, k.r = k.r, k.extra
        k.r.choice(private.ALL)(k)
        k.r = before
    # No conversion to floats saturates.
    text = re.sub(r"(convert_float\d+)_sat", r"\1", k.text())
    if k.special == "doubles":
        text = in_doubles(text)
    return deform(text, k.r) if k.chance(0.6) else text


def kinds(seed, kernels=6):
    """What is special about the kernels of file(), by name."""
    out = {}
    for n in range(kernels):
        k = Kernel(seed, f"k{n}")
        ids = ["ids of three dimensions"] if k.dimensions == 3 else []
        out[k.name] = " and ".join([k.special, *ids] if k.special else ids) or "plain"
    return out


def file(seed, kernels=6, arrays=0.3):
    """The text of a file of kernels that share nothing."""
    text = "\n".join(kernel(seed, f"k{n}", arrays) for n in range(kernels))
    r = random.Random(f"{seed} file")
    return text.replace("\n", "\r\n") if r.random() < 0.05 else text


if __name__ == "__main__":
    print(file(int(sys.argv[1]), int((sys.argv[2:3] or ["6"])[0])), end="")
