"""Shapes that generate.py puts behind those of shapes.py: private arrays of vectors, loops
that fill arrays and structures, and loops that add to elements of buffers. They draw from numbers of their own,
so that what stands before them in a kernel is the same with them and without."""
from generate import PART
from shapes import operators, vector


# --- Private arrays of vectors ----------------------------------------------------


class Vectors:
    """An array of vectors in a kernel, and what may be done with it."""

    def __init__(self, k):
        self.k = k
        self.kind = k.pick("float", "float", "uint", "int", "uchar", "ulong", "short")
        self.lanes = k.pick(2, 3, 4, 4, 8, 16)
        self.size = k.pick(*(n for n in (2, 4, 8) if n * self.lanes <= PART))
        self.type = vector(self.kind, self.lanes)
        self.name, self.other = k.fresh("a"), k.fresh("b")
        self.variable = k.fresh("v")
        self.two = k.chance(0.3)
        self.ops = operators(self.kind)

    def array(self):
        return self.k.pick(self.name, self.other) if self.two else self.name

    def element(self):
        k = self.k
        at = k.index(self.size)
        return f"({at})[{self.array()}]" if k.chance(0.03) else f"{self.array()}[{at}]"

    def selector(self, count, distinct):
        """Names of so many lanes."""
        k = self.k
        if count * 2 == self.lanes and k.chance(0.4):
            return k.pick("lo", "hi", "even", "odd")
        lanes = k.r.sample(range(self.lanes), count) if distinct else \
            [k.r.randrange(self.lanes) for _ in range(count)]
        if self.lanes <= 4 and k.chance(0.6):
            return "".join("xyzw"[n] for n in lanes)
        return "s" + "".join("0123456789abcdef"[n] for n in lanes)

    def scalar(self):
        k = self.k
        if k.chance(0.4):
            return self.lane()
        if self.kind == "float":
            return k.real(1)
        return f"({self.kind})({k.integer(1).text})" if k.chance(0.5) else \
            str(k.r.randint(0, 100))

    def lane(self):
        """A single lane, which may be assigned to."""
        k = self.k
        if k.chance(0.15):
            return f"{self.element()}[{k.r.randrange(self.lanes)}]"
        if self.lanes == 8 and k.chance(0.2):
            return f"{self.element()}.hi.lo.{k.pick('x', 'y')}"
        return f"{self.element()}.{self.selector(1, True)}"

    def value(self, count, depth=1):
        """A vector of so many lanes."""
        k = self.k
        choice = k.r.random()
        whole = count == self.lanes
        if depth and choice < 0.3:
            return f"({self.value(count, depth - 1)} {k.r.choice(self.ops)} " \
                   f"{self.value(count, depth - 1)})"
        if whole and choice < 0.5:
            return self.element() if k.chance(0.6) else self.variable
        if choice < 0.8:
            of = self.element() if k.chance(0.7) else self.variable
            return f"{of}.{self.selector(count, k.chance(0.5))}"
        if depth and choice < 0.85:
            return f"({k.condition()} ? {self.value(count, 0)} : {self.value(count, 0)})"
        if choice < 0.9:
            return f"({vector(self.kind, count)})({self.scalar()})"
        if choice < 0.95 and self.kind in ("float", "uint", "int") and k.special != "doubles":
            as_ = {"float": "uint", "uint": "float", "int": "uint"}[self.kind]
            return f"as_{vector(self.kind, count)}(as_{vector(as_, count)}(" \
                   f"{self.value(count, 0)}))"
        row = k.read_only(self.kind)
        return f"vload{count}({k.r.randrange(4)}, {row})"

    def assignment(self):
        k = self.k
        choice = k.r.random()
        if choice < 0.25:
            target, count = self.element(), self.lanes
        elif choice < 0.55:
            count = k.pick(*(n for n in (2, 3, 4, 8) if n <= self.lanes))
            target = f"{self.element()}.{self.selector(count, True)}"
        elif choice < 0.75:
            op = k.r.choice(self.ops)
            value = self.scalar()
            small = self.kind in ("int", "short", "uchar")
            return f"{self.lane()} {'=' if small or k.chance(0.5) else op + '='} {value};"
        elif choice < 0.8 and self.kind in ("uint", "ulong", "uchar"):
            return f"{self.lane()}{k.pick('++', '--')};"
        elif choice < 0.9:
            return f"{self.variable} = {self.value(self.lanes)};"
        else:
            number = {"float": "0.5f"}.get(self.kind, "3")
            return f"{self.element()} = {k.pick(number, f'({self.type})({number})')};"
        op = k.pick("=", "=", k.r.choice(self.ops) + "=")
        if k.chance(0.1):
            target = f"({target})"
        return f"{target} {op} {self.variable if count == self.lanes and k.chance(0.3) else self.value(count)};"

    def declaration(self):
        """The statement, and whether all elements have values then."""
        k = self.k
        zero = k.pick("{0}", f"{{({self.type})(0)}}")
        some = ", ".join(f"({self.type})({n + 1})" if k.chance(0.6) else
                         f"vload{self.lanes}({n}, {k.read_only(self.kind)})"
                         for n in range(k.r.randint(1, self.size)))
        begin = k.pick("", "", f" = {zero}", f" = {{{some}}}",
                       f" = {{[{self.size - 1}] = {some.split(', (')[0].split(', v')[0]}}}"
                       if "," not in some else f" = {{{some}}}")
        out = f"{k.pick('', '', 'private ')}{self.type} {self.name}[{self.size}]{begin}"
        if self.two:
            out += f", {self.other}[{self.size}]"
        return out + ";", bool(begin) and not self.two


def private_vectors(k):
    """An array of vectors whose elements are read and assigned, whole and by lanes."""
    a = Vectors(k)
    head, filled = a.declaration()
    k.open("")
    if k.chance(0.2):
        k.before.append(f"#ifdef NOT_HERE_{k.name}_\n#define WHEN_{k.name}_(c) if (c)\n#else\n"
                        f"#define WHEN_{k.name}_(c)\n#endif")
    k.line(f"{a.type} {a.variable} = vload{a.lanes}({k.r.randrange(4)}, {k.read_only(a.kind)});")
    k.line(head)
    j = k.fresh("j")
    if not filled:
        k.line(f"for (int {j} = 0; {j} < {a.size}; ++{j})" + (" {" if a.two else ""))
        k.line(f"  {a.name}[{j}] = {a.variable}{'' if a.lanes == 3 else k.pick('', f'.s{a.selector(a.lanes, False)[1:]}') if a.lanes > 4 else ''};")
        if a.two:
            k.line(f"  {a.other}[{j}] = ({a.type})({k.pick('1', '2')});")
            k.line("}")
    functions = []
    if k.chance(0.5):
        name = k.name_outside("lanes")
        const = k.chance(0.4)
        op = k.r.choice(a.ops)
        body = f"to[0] = p[n & {a.size - 1}].x;" if const else \
            f"for (int i = 0; i < {a.size}; ++i) p[i] {op}= p[n & {a.size - 1}]; to[0] = p[1].y;"
        k.before.append(f"void {name}({'const ' if const else ''}{a.type} *p, {a.kind} *to, "
                        f"int n) {{ {body} }}")
        functions.append(name)
    turns, i = k.pick("3", "5", k.argument(8).text), k.fresh("i")
    loops = k.chance(0.7)
    if loops:
        k.open(f"for (int {i} = 0; {i} < {turns}; ++{i})")
        k.declare(i, "int", True)
    for _ in range(k.r.randint(2, 7)):
        choice = k.r.random()
        if choice < 0.55:
            k.line(a.assignment())
        elif choice < 0.7:
            k.line(f"if ({k.condition()})")
            k.line("  " + a.assignment())
            if k.chance(0.5):
                k.line("else " + a.assignment())
        elif choice < 0.76:
            k.line(f"for (int {j} = 0; {j} < {a.size}; ++{j})")
            k.line(f"  {a.array()}[{j}] {k.r.choice(a.ops)}= {a.value(a.lanes)};")
        elif choice < 0.82:
            k.line(f"switch ({k.integer(1).text}) {{ case 1: {a.assignment()} "
                   f"{k.pick('break;', '')} default: {a.assignment()} }}"
                   if k.chance(0.5) else
                   f"do {a.assignment()} while (0);")
        elif choice < 0.92 and functions:
            to = k.fresh("t")
            k.line(f"{a.kind} {to};")
            k.line(f"{functions[0]}({a.array()}, &{to}, {k.integer(1).text});"
                   if k.chance(0.9) else f"{functions[0]}({a.array()}, &{to}, (int){a.lane()});")
            k.line(f"{a.lane()} = {to};")
        elif k.before and k.before[-1].startswith(f"#ifdef NOT_HERE_{k.name}_") or \
                any(f"WHEN_{k.name}_" in line for line in k.before):
            k.line(f"WHEN_{k.name}_(g & 1) {a.assignment()}")
        else:
            k.disturb(1)
    if loops:
        k.close()
    own = k.own(a.kind)
    for array in [a.name] + [a.other] * a.two:
        k.line(f"for (int {j} = 0; {j} < {a.size}; ++{j})")
        k.line(f"  vstore{a.lanes}({array}[{j}]{k.pick('', f' {k.r.choice(a.ops)} {a.variable}')}, "
               f"{j}, {own});")
    k.close()


# --- Loops that fill private memory -----------------------------------------------


def functions_of(k):
    """Functions that fill arrays and structures, with names of the kernel's own."""
    names = {n: k.name_outside(n) for n in ("State", "start", "add", "schedule", "table")}
    k.before.append("""typedef struct {{ uint h[4]; uint w[8]; int len; }} {State};
void {start}({State} *s, uint seed) {{
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + seed);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}}
void {add}({State} *s, const uint *data, int n) {{
  for (int i = 0; i < n; ++i) {{
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }}
}}
void {schedule}(uint *even, uint *odd, uint key) {{
  for (int i = 0; i < 8; ++i) {{
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }}
}}
void {table}(uint *to, {space} const uint *from, uint by) {{
  for (int i = 0; i < 8; ++i)
    to[i] = from[i] * by;
}}""".format(space="global", **names))
    return names


class Body:
    """The statements of a loop's body."""

    def __init__(self, k):
        self.k, self.f = k, functions_of(k)
        self.x, self.y, self.real, self.lanes = (k.fresh(n) for n in ("x", "y", "f", "v"))
        self.array, self.filled, self.leads = (k.fresh(n) for n in ("data", "filled", "leads"))
        self.bits = f"as_uint({self.real})" if k.special != "doubles" else \
            f"(uint){self.real}"
        self.sum, self.i = k.fresh("sum"), k.fresh("i")
        self.kept = k.chance(0.5)  # an array of pointers leads to two arrays
        self.inside = []  # arrays of eight that the body has filled
        self.states = []

    def outside(self):
        k = self.k
        k.line(f"uint {self.x} = {k.kept_as('uint', 1)}, {self.y} = {k.kept_as('uint', 1)}, "
               f"{self.sum} = 0;")
        k.line(f"float {self.real} = (float)({self.x} & 15);")
        k.line(f"uint2 {self.lanes} = (uint2)({self.x}, {self.y} + 1);")
        k.line(f"uint {self.array}[8] = {{1, 2, {self.x}}}, {self.filled}[8] = {{3, {self.y}}};")
        if self.kept:
            k.line(f"uint *{self.leads}[2] = {{{self.array}, {self.filled}}};")

    def word(self, depth=1):
        """A uint."""
        k = self.k
        choice = k.r.random()
        if depth and choice < 0.3:
            return f"({self.word(0)} {k.pick('+', '^', '*')} {self.word(0)})"
        arrays = [self.array, self.filled, *self.inside]
        return k.pick(
            self.x, self.x, self.y, self.bits,
            f"{self.lanes}.{k.pick('x', 'y', 'yx.y', 'xx.x', 's1')}",
            f"{self.lanes}.{k.pick('xyxy', 'yyxx')}.{k.pick('x', 'w')}",
            f"{k.r.choice(arrays)}[{k.index(8)}]", f"{k.r.choice(arrays)}[{k.index(8)}]",
            f"{self.leads}[{k.pick('0', '1', 'g & 1')}][{k.index(8)}]" if self.kept else "5u",
            f"{k.r.choice(self.states)}.h[{k.index(4)}]" if self.states else "7u",
            f"{k.read_only('uint')}[{k.index(64)}]", f"{k.own('uint')}[{k.index(PART)}]"
            if k.chance(0.3) else "11u", str(k.r.randint(0, 9)) + "u")

    def fill(self):
        """What the rewrite looks for, or nearly."""
        k, j = self.k, self.k.fresh("j")
        choice = k.r.random()
        if choice < 0.3:
            even, odd = k.fresh("even"), k.fresh("odd")
            k.line(f"uint {even}[8], {odd}[8];")
            k.line(f"{self.f['schedule']}({even}, {odd}, {self.word()});")
            self.inside += [even, odd]
        elif choice < 0.45:
            new = k.fresh("t")
            k.line(f"uint {new}[8];")
            k.line(f"for (int {j} = 0; {j} < 8; ++{j})")
            k.line(f"  {new}[{j}] = {self.word()} {k.pick('+', '*', '^')} {j};")
            self.inside.append(new)
        elif choice < 0.6:
            k.line(f"for (int {j} = 0; {j} < {k.pick('8', '8', '3')}; ++{j})")
            k.line(f"  {k.pick(self.filled, self.filled, self.array)}[{j}] "
                   f"{k.pick('=', '=', '+=')} {self.word()} ^ {j};")
        elif choice < 0.8:
            s = k.fresh("s")
            k.line(f"{self.f['State']} {s};")
            k.disturb(0.1)
            k.line(f"{self.f['start']}(&{s}, {self.word()});")
            self.states.append(s)
            for _ in range(k.r.randint(1, 3)):
                self.hash(s)
        elif choice < 0.9:
            k.line(f"{self.f['schedule']}({self.filled}, {self.array}, {self.word()});")
        else:
            row = k.read_only("uint")
            if k.parameters[row].startswith("global"):
                new = k.fresh("t")
                k.line(f"uint {new}[8];")
                k.line(f"{self.f['table']}({new}, {row}, {self.word()});")
                self.inside.append(new)

    def hash(self, s):
        k = self.k
        k.line(f"{self.f['add']}(&{s}, {k.r.choice([self.array, self.filled, *self.inside])}, "
               f"{k.pick('7', '3', f'(int)({self.word(0)} & 7)')});")

    def other(self):
        """What may be in the way."""
        k, i = self.k, self.i
        choice = k.r.random()
        if choice < 0.3:
            k.line(f"{self.sum} {k.pick('+=', '^=')} {self.word()};")
        elif choice < 0.5:
            k.line(k.pick(f"{self.x} += {i};", f"{self.real} += 1.0f;", f"{self.lanes}.y ^= {i};",
                          f"{self.lanes} = {self.lanes}.yx;", f"{self.y}++;",
                          f"{self.array}[{i} & 7] = {i};", f"{self.filled}[{i} & 7] += {self.x};",
                          f"{self.y} = {self.word()};"))
        elif choice < 0.58 and self.states:
            s = k.r.choice(self.states)
            k.line(k.pick(f"{s}.h[{i} & 3] ^= {i};", f"{s}.len = {i};", f"{s}.w[1] = {self.word()};"))
        elif choice < 0.66 and self.states:
            self.hash(k.r.choice(self.states))
        elif choice < 0.72 and self.inside:
            k.line(f"{k.r.choice(self.inside)}[{i} & 7] += {self.word()};")
        elif choice < 0.78 and self.kept:
            k.line(f"{self.leads}[{k.pick('0', '1', f'{i} & 1')}][{i} & 7] = {self.word()};")
        elif choice < 0.84:
            k.line(f"{k.own('uint')}[{i} & 31] = {self.sum};")
        elif choice < 0.88:
            k.line(f"if ({self.word(0)} == {k.pick('3', i)}) {k.pick('break', 'continue')};")
        elif choice < 0.93:
            name = k.fresh("word")
            k.line(f"const uint {name} = {self.word()};")
            k.line(f"{self.sum} += {name};")
        elif choice < 0.96 and k.group and k.alone:
            k.line("barrier(CLK_LOCAL_MEM_FENCE);")
        else:
            k.disturb(1)


def invariant_runs(k):
    """A loop whose rounds fill arrays and structures, some alike."""
    k.open("")
    b = Body(k)
    b.outside()
    i, bound = b.i, k.fresh("n")
    k.line(f"{k.pick('int', 'uint', 'int', 'short', 'uchar')} {bound} = {b.word()} & 7;")
    form = k.pick("for", "for", "for", "down", "while", "do", "signs", "ever", "fixed")
    counter = k.pick("int", "uint", "uchar", "long")
    alone, k.alone = k.alone, False  # Work-items differ in how often it turns.
    if form in ("while", "do", "ever"):
        k.line(f"{counter} {i} = 0;")
    head = {"for": f"for ({counter} {i} = {k.pick('0', '1')}; {i} < {bound}; ++{i})",
            "down": f"for (int {i} = {bound}; {i} {k.pick('> 0', '!= 0')}; --{i})",
            "signs": f"for (uint {i} = 0; {i} < (int){bound} - {k.pick('1', '3')}; ++{i})",
            "while": f"while ({i} < {bound})", "do": "do",
            "ever": f"for (;; ++{i})",
            "fixed": f"for ({counter} {i} = 0; {i} < {k.pick('3', '5')}; ++{i})"}[form]
    k.open(head)
    k.declare(i, "int", True)
    if form == "signs" or (form == "ever" and k.chance(0.5)):
        k.line(f"if ({i} > 9) break;")
    count = k.r.randint(2, 6)
    for n in range(count):
        b.fill() if k.chance(0.45) or n == 0 else b.other()
    k.line(f"{b.sum} += {b.word()};")
    if form == "while":
        k.line(f"++{i};")
    if form == "ever":
        k.line(f"if ({i} >= {bound}) break;")
    k.close(f" while (++{i} < {bound});" if form == "do" else "")
    k.alone = alone
    own = k.own("uint")
    k.line(f"{own}[{k.r.randrange(PART)}] = {b.sum} + {b.x} * {b.y} + {b.bits} + "
           f"{b.lanes}.x;")
    k.line(f"for (int {i} = 0; {i} < 8; ++{i})")
    k.line(f"  {own}[{i} + 8] = {b.array}[{i}] ^ {b.filled}[{i}] * 3;")
    k.close()


# --- Elements of buffers that a loop adds to ---------------------------------------


def added_elements(k):
    """A loop that changes elements of the work-item's own part, and reads or writes
    others of it, which may be the same."""
    k.open("")
    kinds = [k.pick("uint", "float", "uchar", "ulong", "ushort", "uint")]
    if k.chance(0.4):
        kinds.append(k.pick("uint", "float", "uchar"))
    i, turns = k.fresh("i"), k.pick("3", "8", k.argument(8).text)
    # The counter is from -1 to 8, an index of the own part from 0 to 63.
    start, end = k.pick(("0", turns), ("1", turns), ("0", turns), (f"{turns} - 8", turns),
                        ("-1", "4"), (turns, "5"))
    counter = k.pick("int", "int", "long", "uint", "size_t", "short") if start in ("0", "1") else \
        k.pick("int", "int", "long")
    at = f"(g & 31)" if k.chance(0.5) else str(k.r.randrange(PART))
    base = k.fresh("p")
    k.line(f"{k.pick('', 'const ')}int {base} = {at};")
    k.declare(base, "int", True)

    def moving():
        return k.pick(f"{i} + 1", f"{i} + {base}", f"{base} + {i} * 2", f"16 - {i}",
                      f"({i} + 1) * 4", f"{i} * {k.pick('3', '4')} + 9", base,
                      str(k.r.randrange(PART)), f"({i} + 1) & 7", f"{base} + 8 - {i}")

    def read(kind):
        choice = k.r.random()
        if choice < 0.45:
            return f"{k.own(kind)}[{moving()}]"
        if choice < 0.9:
            other = k.pick("uint", "uchar", "int", "float" if kind == "float" else kind)
            return f"{k.read_only(other)}[{moving()}]"
        return "2"

    own_pointer = None
    if k.chance(0.3):
        own_pointer = k.fresh("q")
        k.line(f"global {kinds[0]} *{own_pointer} = {k.own(kinds[0])} + "
               f"{k.pick('1', '8', base)};")

    def place(kind, n):
        if own_pointer and n == 0:
            return k.pick(f"*{own_pointer}", f"{own_pointer}[2]", f"*({own_pointer} + 1)")
        return f"{k.own(kind)}[{k.pick(base, str(n * 3), f'{base} + {n}')}]"

    places = [(place(kind, n), kind) for n, kind in enumerate(kinds)]
    head = k.pick(f"for ({counter} {i} = {start}; {i} < {end}; ++{i})",
                  f"for ({counter} {i} = {start}; {i} < {end}; {i}++)",
                  f"for ({counter} {i} = {start}; {end} > {i}; {i} += 1)",
                  f"for ({counter} {i} = {start}; {i} <= {end}; {i}++)"
                  if counter in ("int", "long") and end != "8" else
                  f"for ({counter} {i} = {start}; {i} != {end}; {i}++)"
                  if end == "8" else f"for ({counter} {i} = {start}; {i} < {end}; ++{i})")
    outside = k.chance(0.2) and counter == "int"
    if outside:
        k.line(f"int {i};")
        head = head.replace(f"({counter} {i}", f"({i}", 1)
    alone, k.alone = k.alone, False
    k.open(head)
    k.declare(i, "int", True)
    if k.chance(0.25):
        row = k.fresh("row")
        k.line(f"global {kinds[0]} *{row} = {k.own(kinds[0])} + ({i} + 1) * "
               f"{k.pick('2', '4')};")
    else:
        row = None
    for text, kind in places:
        value = f"{row}[1]" if row and kind in (kinds[0], "float") and k.chance(0.5) else \
            read(kind)
        cast = f"({kind})({value})" if k.chance(0.3) else value
        op = k.r.choice(["+", "-", "*"] if kind == "float" else ["+", "*", "^", "+"])
        if kind != "float":  # what is narrower wraps when it is stored
            cast = f"({'ulong' if kind == 'ulong' else 'uint'})({cast})"
        form = k.r.random()
        if kind == "float" and form > 0.9:
            k.line(f"{text} = fmax({text}, {cast});")
        elif form < 0.6:
            k.line(f"{text} {op}= {cast};")
        elif form < 0.85:
            k.line(f"{text} = {text} {op} {cast};")
        else:
            k.line(f"({text}){k.pick('++', '--')};" if kind != "float" else
                   f"{text} = {cast} {op} {text};")
        if k.chance(0.2):
            k.line(f"{k.own(kind)}[{moving()}] = 3;")
        if k.chance(0.1):
            k.line(f"if ({i} > 2) {k.own(kind)}[{moving()}] = 5;")
    k.disturb(0.1)
    if k.chance(0.1):
        k.line(f"if ({k.condition()}) {k.pick('break', 'continue')};")
    k.close()
    k.alone = alone
    if outside:
        k.line(f"{k.own('uint')}[{k.r.randrange(PART)}] = {i};")
    k.close()


ALL = [private_vectors, invariant_runs, added_elements]
