"""The shapes that rewrites look for, each written by chance into a kernel of
generate.py: one function a shape, which appends statements."""
from generate import INTEGERS, PART, WIDTHS, limits

ELEMENTS = ["uchar", "short", "ushort", "int", "uint", "float", "float", "char", "ulong"]


def vector(kind, lanes):
    return f"{kind}{lanes}"


def lanes_of(k):
    return k.pick(2, 4, 4, 8, 8, 16, 16, 3)


def row_of(k, kind, lanes):
    """A pointer into a buffer that is only read, or into the work-item's own part:
    its name, and how many elements lie before and behind it."""
    name = k.fresh("p")
    if k.chance(0.25) and lanes < 16:
        k.line(f"global {kind} *{name} = {k.own(kind)} + {k.pick(16, 17, 24)};")
        return name, 16, 24
    buffer = k.read_only(kind)
    space = k.parameters[buffer].split()[0]
    at = k.pick(f"(g & 7) * {lanes} + {k.pick(64, 65, 80)}", f"(g & 15) * {lanes} + 64",
                f"{k.index(64)} + 64", "64")
    k.line(f"{space} const {kind} *{name} = {buffer} + {at};")
    return name, 64, 64


def widened(k, kind, lanes, text):
    """Sometimes a conversion of a vector of small integers, with the new type."""
    if kind in ("uchar", "char", "short", "ushort") and k.chance(0.6):
        wide = k.pick("int", "uint", "float") if kind not in ("uchar", "char") else \
            k.pick("short", "ushort", "int", "float")
        return wide, f"convert_{wide}{lanes}({text})"
    return kind, text


def operators(kind):
    """Those under which a few elements stay defined."""
    if kind == "float":
        return ["+", "-", "*", "+"]
    if kind in ("uchar", "ushort", "uint", "ulong"):
        return ["+", "-", "*", "^", "&", "|", "+"]
    return ["^", "&", "|"]


def summed(kind, wide):
    """What may be done with values of KIND that were widened to WIDE."""
    if kind != wide and wide in ("int", "short"):
        return ["+", "-", "+", "^"]
    return operators(wide)


def store(k, kind, lanes, text):
    """Stores a vector in the work-item's own part."""
    own = k.own(kind)
    choice = k.r.random()
    if choice < 0.6:
        by = k.r.randrange(0, PART // lanes - 1)
        off = k.pick(0, 0, 1, lanes // 2) if lanes * (by + 2) <= PART else 0
        at = f"{own} + {off}" if off else own
        k.line(f"vstore{lanes}({text}, {by}, {at});")
    elif choice < 0.8 and lanes != 3:
        k.line(f"*(({k.pick('global', '__global')} {kind}{lanes} *)({own} + "
               f"{lanes * k.r.randrange(PART // lanes)})) = {text};")
    else:
        k.line(f"vstore{lanes}({text}, {k.index(PART // lanes)}, {own});")


def loads(k, kind, lanes, count):
    """Texts of vloadN, which often overlap or stand in rows."""
    row, before, behind = row_of(k, kind, lanes)
    style = k.pick("window", "window", "rows", "rows", "any")
    pitch = k.pick("16", "20", k.argument(16).text if behind > 40 else "8")
    step = k.r.randint(1, max(1, min(lanes - 1, 3)))
    out = []
    for n in range(count):
        if style == "window" and behind >= lanes + step * count:
            off = step * (n - count // 2)
        elif style == "rows" and behind > 60 and lanes <= 16 and count <= 3:
            out.append(f"vload{lanes}(0, {row} + {n} * {pitch})" if k.chance(0.7) else
                       f"vload{lanes}(0, {row} + {pitch} * {n})")
            continue
        else:
            off = k.r.randint(-min(before, 8), 4)
        text = row if off == 0 else f"{row} {'+' if off > 0 else '-'} {abs(off)}"
        if k.chance(0.2) and behind > 2 * lanes + off + 16:
            out.append(f"vload{lanes}(1, {text})")
        else:
            out.append(f"vload{lanes}(0, {text})")
    return out


def vector_sum(k):
    """A sum of vloadN, at once or by variables."""
    kind, lanes = k.r.choice(ELEMENTS), lanes_of(k)
    count = k.r.randint(2, 5)
    k.open("")
    texts = loads(k, kind, lanes, count)
    wide, _ = widened(k, kind, lanes, "")
    into = (lambda t: t) if wide == kind else \
        (lambda t: f"convert_{wide}{lanes}({t})")
    ops = summed(kind, wide)
    if k.chance(0.5):  # by variables
        names = []
        for text in texts:
            names.append(k.fresh("x"))
            if len(names) > 1 and k.lines[-1].endswith(";") and " = " in k.lines[-1] and \
                    f"{wide}{lanes} {names[-2]} =" in k.lines[-1] and k.chance(0.2):
                k.lines[-1] = k.lines[-1][:-1] + f", {names[-1]} = {into(text)};"
                continue
            k.line(f"{wide}{lanes} {names[-1]} = {into(text)};")
            k.disturb(0.08)
        terms = names
    else:
        terms = [into(t) for t in texts]
    total = k.fresh("sum")
    op = k.r.choice(ops)
    expression = terms[0]
    for term in terms[1:]:
        expression += f" {op} {term}"
        if k.chance(0.3):
            op = op if op not in "+-" else k.pick("+", "-")
    k.line(f"{wide}{lanes} {total} = {expression};")
    if k.chance(0.4):
        k.disturb(0.5)
        k.line(f"{total} = {total} {k.r.choice(operators(wide))} {terms[0]};")
    store(k, wide, lanes, total)
    k.close()


def wide_work(k):
    """Vectors that are loaded, worked on lane by lane, and stored."""
    kind, lanes = k.pick("float", "uint", "ushort", "uchar", "int"), k.pick(4, 8, 16, 16)
    v = vector(kind, lanes)
    k.open("")
    row, _, _ = row_of(k, kind, min(lanes, 8))
    names = []
    for n in range(k.r.randint(1, 3)):
        names.append(k.fresh("x"))
        k.line(f"{v} {names[-1]} = vload{lanes}(0, {row} + {k.pick(0, 1, n * 4)});")
    ops = operators(kind)
    literal = {"float": "0.5f", "uchar": "(uchar)3", "ushort": "(ushort)7"}.get(kind, "3")

    def operand():
        return k.pick(k.r.choice(names), k.r.choice(names), f"({v})({literal})")

    def step():
        choice = k.r.random()
        name = k.r.choice(names)
        if choice < 0.45:
            k.line(f"{name} = {operand()} {k.r.choice(ops)} {operand()};")
        elif choice < 0.6:
            k.line(f"{name} {k.r.choice(ops)}= {operand()};")
        elif choice < 0.7:
            k.line(f"{name} = {k.pick('min', 'max') if kind != 'float' else 'fmin'}"
                   f"({operand()}, {operand()});")
        elif choice < 0.78 and kind != "float":
            k.line(f"{name} >>= {k.pick('', '')}({v})({k.r.randint(1, 5)});")
        elif choice < 0.86:
            mask = {"float": "int", "uint": "int", "int": "int", "ushort": "short",
                    "uchar": "char"}[kind]
            k.line(f"{name} = select({operand()}, {operand()}, {operand()} "
                   f"{k.pick('<', '>', '==')} {operand()});" if mask else "")
        elif choice < 0.9:
            k.line(f"{name} = {operand()} > {operand()} ? {operand()} : {operand()};")
        elif choice < 0.92:
            k.line(f"{name} = convert_{v}(convert_{k.pick('int', 'float', 'uint')}{lanes}"
                   f"{k.pick('', '_sat')}({name} {'& (' + v + ')15' if kind != 'float' else '* 0.0f'}));"
                   if kind != "float" else f"{name} = {name} * {k.real(1)};")
        elif choice < 0.94 and kind in ("uint", "float"):
            k.line(f"{name} {k.r.choice(ops)}= "
                   f"{k.real(1) if kind == 'float' else '(uint)(' + k.integer(1).text + ')'};")
        elif choice < 0.95:
            k.line(k.pick(f"{name}.s0 = {name}.s1;", f"{name} = {name}.s"
                          f"{''.join(k.r.choice('0123456789abcdef'[:lanes]) for _ in range(lanes))};",
                          f"{name}.lo = {name}.hi;"))
        else:
            new = k.fresh("x")
            k.line(f"{v} {new} = {operand()};")
            names.append(new)
    for _ in range(k.r.randint(1, 4)):
        step()
        k.disturb(0.05)
    if k.chance(0.4):
        turn = k.fresh("i")
        outer = list(names)
        k.open(f"for (int {turn} = 0; {turn} < {k.pick('3', k.argument(8).text)}; "
               f"++{turn})")
        k.declare(turn, "int", True)
        if k.chance(0.4):
            k.line(f"{names[0]} {k.r.choice(ops)}= vload{lanes}({turn}, {row});"
                   if lanes <= 4 else f"{names[0]} {k.r.choice(ops)}= "
                   f"vload{lanes}(0, {row} + {turn});")
        step()
        names[:] = outer
        k.close()
    if k.chance(0.25):
        k.line(f"if ({k.condition()})")
        k.depth += 1
        names_before = list(names)
        k.line(f"{names[0]} = {names[-1]};")
        names[:] = names_before
        k.depth -= 1
    store(k, kind, lanes, k.r.choice(names))
    if k.chance(0.3):
        store(k, kind, lanes, k.r.choice(names))
    k.close()


def branches(k):
    """if and else that only assign."""
    kind = k.pick("int", "uint", "uchar", "short", "long", "float")
    targets = [k.variable() for _ in range(k.r.randint(1, 2))]
    kinds = {t: next(s[t] for s in k.scopes if t in s) for t in targets}

    def arm():
        for t in k.r.sample(targets, k.r.randint(1, len(targets))):
            if kinds[t] == "float":
                k.line(f"{t} {k.pick('=', '=', '+=')} {k.real(1)};")
            elif kinds[t] in ("uint", "ulong", "uchar", "ushort") and k.chance(0.3):
                k.line(f"{t}{k.pick('++', '--', ' += 200', ' -= 7', ' *= 3')};")
            else:
                k.line(f"{t} = {k.kept_as(kinds[t], 1)};")

    def head():
        t = targets[0]
        if k.chance(0.5):
            bound = "1.5f" if kinds[t] == "float" else str(k.r.randint(0, 100))
            return f"if ({t} {k.pick('<', '>', '<=', '>=')} {bound})", bound
        return f"if ({k.condition()})", None
    for _ in range(k.r.randint(1, 2)):
        text, bound = head()
        if bound and k.chance(0.5) and kinds[targets[0]] != "float":
            k.line(f"{text} {targets[0]} = {bound};")
            continue
        k.open(text)
        arm()
        for _ in range(k.r.randint(0, 2)):
            text, _ = head()
            k.close(f" else {text} {{")
            k.depth += 1
            k.scopes.append({})
            arm()
        if k.chance(0.6):
            k.close(" else {")
            k.depth += 1
            k.scopes.append({})
            arm()
        k.close()
    del kind


def index_loop(k):
    """A loop whose index is a product with its counter."""
    w = k.argument(k.pick(8, 16)).text
    kind = k.pick("int", "uint", "float", "uchar", "ulong")
    turns = k.pick("4", "3", "8", k.argument(8).text)
    counter = k.fresh("k")
    total = k.fresh("s")
    kept_in = "float" if kind == "float" else "uint"
    k.line(f"{kept_in} {total} = {'0.0f' if kind == 'float' else '0u'};")
    k.declare(total, kept_in)
    a, own = k.read_only(kind), k.own(kind)
    if k.chance(0.3):
        k.line(k.pick("#pragma unroll", "#pragma unroll 2",
                      "__attribute__((opencl_unroll_hint(2)))",
                      "__attribute__((opencl_unroll_hint))"))
    type_ = k.pick("int", "int", "uint", "long", "size_t", "short")
    start = k.pick("0", "0", "1")
    step = k.pick(f"++{counter}", f"{counter}++", f"{counter} += 2", f"{counter} += 1")
    k.open(f"for ({type_} {counter} = {start}; {counter} < {turns}; {step})")
    k.declare(counter, "int" if type_ in ("int", "short") else "uint", True)
    # Its range is known to the shapes alone.
    at = k.pick(f"{counter} * {w} + (g & 15)", f"(g & 15) + {w} * {counter}",
                f"({counter} + 1) * {w}", f"{counter} * {w} + {counter}")
    k.line(f"{total} += {a}[{at}];")
    k.disturb(0.2)
    if k.chance(0.5):
        k.line(f"{own}[{counter} * {k.pick('2', '7', '8')}] = "
               f"{a}[({counter} + {k.pick('1', '2')}) * {w} + (g & 15)];")
    if k.chance(0.15):
        k.line(f"if ({k.condition()}) {k.pick('break', 'continue')};")
    if k.chance(0.4):
        k.line(f"{total} {k.pick('+', '-', '*')}= {a}[{at}];")
    k.close()


def guarded_loop(k):
    """A loop that does nothing unless a condition on its counter holds."""
    n = k.argument(k.pick(8, 16)).text
    r = k.pick("1", "2", "3", k.argument(4).text)
    kind = k.pick("int", "float", "uchar", "short")
    c, x, total = k.fresh("c"), k.fresh("x"), k.fresh("s")
    t = k.fresh("k")
    sum_kind = "float" if kind == "float" else "uint"
    k.line(f"int {x} = (int)(g & 15);")
    k.declare(x, "int", True)
    k.line(f"{sum_kind} {total} = 0;")
    k.declare(total, sum_kind)
    a, f = k.read_only(kind), k.read_only(k.pick("int", "float", "uchar"))
    k.open(f"for (int {t} = -{r}; {t} <= {r}; ++{t})" if k.chance(0.6) else
           f"for (int {t} = 0; {t} < {n}; {t}++)")
    k.declare(t, "int", True)
    k.line(f"int {c} = {x} + {t};" if k.chance(0.7) else f"int {c} = {t} - {x} + 2;")
    k.declare(c, "int", True)
    test = k.pick(f"{c} >= 0 && {c} < {n}", f"{c} >= 0 & {c} < {n}",
                  f"{c} >= 0 && {c} < {n} && ({x} & 1)", f"0 <= {c} && {n} > {c}")
    body = f"{total} += {a}[{c}] * {f}[{t} + 4];"
    if k.chance(0.6):
        k.open(f"if ({test})")
        k.line(body)
        k.disturb(0.2)
        k.close()
    else:
        k.line(f"if ({c} < 0 || {c} >= {n}) continue;")
        k.line(body)
        k.disturb(0.2)
    k.disturb(0.1)
    k.close()


def keep_over_loop(k):
    """Values that are loaded before a loop and used behind or in it."""
    kind = k.pick("uint", "float", "uint", "ulong")
    a = k.read_only(kind)
    zero = {"float": "1.0f"}.get(kind, "1u")
    names = []
    at = k.fresh("at")
    k.line(f"{k.pick('int', 'uint', 'size_t')} {at} = (g & 15) * 4;")
    k.declare(at, "uint", k.chance(0.7))
    array = k.chance(0.3)
    if array:
        held, x = k.fresh("held"), k.fresh("x")
        k.line(f"{kind} {held}[8], {x}[8];")
        t = k.fresh("i")
        k.line(f"for (int {t} = 0; {t} < 8; ++{t})")
        k.line(f"  {x}[{t}] = {held}[{t}] = {a}[{at} + {t}];")
    for n in range(k.r.randint(1, 3)):
        names.append(k.fresh("v"))
        k.line(f"{k.pick('const ', '')}{kind} {names[-1]} = {a}[{at} + {n}];")
        k.declare(names[-1], kind, True)
    k.disturb(0.2)
    total = k.fresh("s")
    k.line(f"{kind} {total} = {zero};")
    k.declare(total, kind)
    t = k.fresh("i")
    k.open(f"for (int {t} = 0; {t} < {k.pick('4', '6', k.argument(8).text)}; ++{t})")
    k.declare(t, "int", True)
    if array:
        k.line(f"{x}[{t} & 7] {k.pick('+', '-', '*')}= {x}[({t} + 3) & 7];")
    k.line(f"{total} = {total} * {zero} + {k.pick(total, names[0])};")
    k.disturb(0.3)
    k.close()
    k.disturb(0.3)
    for name in names:
        k.line(f"{total} {k.pick('+', '-', '*')}= {name};")
    if array:
        t = k.fresh("i")
        k.line(f"for (int {t} = 0; {t} < 8; ++{t})")
        k.line(f"  {total} += {x}[{t}] + {held}[{t}];")
    k.line(f"{k.own(kind)}[{k.r.randrange(PART)}] = {total};")


def repeated(k):
    """Statements that are alike but for numbers, some by a macro."""
    kind = k.pick("uint", "float", "int", "ulong")
    a = k.read_only(kind)
    x = k.fresh("x")
    k.line(f"{kind} {x} = {a}[g & 31];")
    k.declare(x, kind, True)
    y = k.fresh("y")
    k.line(f"{kind} {y} = {'2.0f' if kind == 'float' else '2'};")
    k.declare(y, kind, True)
    count = k.r.randint(2, 6)
    numbers = k.pick([3 * n + 1 for n in range(count)],
                     [k.r.randint(0, 30) for _ in range(count)],
                     [n * n for n in range(count)])
    own = k.own(kind)
    bits = kind in ("uint", "ulong")
    form = k.pick("load", "store", "step", "macro")
    op = "+" if kind != "int" else "^"
    if form == "macro":
        name = k.name_outside("ROUND")
        k.before.append(f"#define {name}(a, b, n) " + (
            f"a {op}= (b) {'^' if bits else op} {own.replace('own', 'own')}[n]; "
            f"b {op}= a"))
        for n in numbers:
            first, second = (x, y) if n % 2 or k.chance(0.2) else (y, x)
            k.line(f"{name}({first}, {second}, {n});")
    else:
        for n in numbers:
            if form == "load":
                k.line(f"{x} {op}= {a}[(g & 7) + {n}];")
            elif form == "store":
                k.line(f"{own}[{n}] = {x} {op} {a}[{n}];")
                if k.chance(0.1):
                    k.disturb(1)
            elif bits:
                k.line(f"{x} = ({x} << {n % 30 + 1}) ^ ({y} + {n}u);")
            else:
                t = k.fresh("t") if k.chance(0.5) else None
                if t:
                    k.line(f"{kind} {t} = {a}[{n} + 1];")
                k.line(f"{y} = {y} {op} {t or a + '[' + str(n) + ']'};")
    k.line(f"{own}[{k.r.randrange(PART)}] = {x} {op} {y};")


def choices(k):
    """Choices of what was loaded before."""
    kind = k.pick("int", "float", "uint", "short")
    a, v, out = k.read_only(kind), k.fresh("v"), k.fresh("r")
    at = k.index(64)
    zero = "0.0f" if kind == "float" else f"({kind})0"
    k.line(f"{kind} {v} = {a}[{at}];")
    k.disturb(0.15)
    condition = k.condition()
    form = k.r.random()
    if form < 0.4 and kind in ("int", "float", "uint"):
        other = "float" if kind == "float" else kind
        k.line(f"{kind} {out} = select({zero}, {v}, (int)({condition}));"
               if kind != "uint" else
               f"{kind} {out} = select({zero}, {v}, (uint)({condition}));")
        del other
    elif form < 0.7:
        k.line(f"{kind} {out} = {condition} ? {v} : {zero};")
    else:
        k.line(f"{kind} {out} = {zero};")
        k.open(f"if ({condition})")
        k.line(f"{out} = {a}[{k.index(64)}];")
        k.close()
    k.declare(out, kind, True)
    k.line(f"{k.own(kind)}[{k.r.randrange(PART)}] = {out};")


def conditional_load(k):
    """An element that is loaded on some paths only."""
    kind = k.pick("int", "float", "uint", "uchar")
    a, c, n = k.read_only(kind), k.fresh("c"), k.fresh("n")
    i = k.fresh("i")
    w = k.argument(16).text
    k.line(f"int {i} = (int)(g & 31) + 16;")
    k.declare(i, "int", True)
    if k.chance(0.8):
        k.line(f"{kind} {c} = {a}[{i}];")
    else:
        k.line(f"{kind} {c} = 1;")
    k.declare(c, kind, True)
    k.line(f"{kind} {n} = {c};")
    k.disturb(0.1)
    k.line(f"if ({k.condition()})")
    k.line(f"  {n} = {a}[{i} {k.pick('-', '+')} {w}];")
    if k.chance(0.5):
        k.line(f"else {n} = {a}[{i} + 1];")
    k.declare(n, kind, True)
    k.line(f"{k.own(kind)}[{k.r.randrange(PART)}] = {n};")


def element_sum(k):
    """A sum of elements."""
    kind = k.pick("uint", "float", "uint", "ulong")
    lanes = k.pick("", "", "4", "2")
    i, p, s = k.fresh("i"), k.fresh("q"), k.fresh("s")
    b = k.argument(16).text
    k.open("")
    k.line(f"{k.pick('int', 'size_t', 'uint')} {i} = (g & 15) + 4;")
    if lanes:
        a = k.read_only(kind)
        space = k.parameters[a].split()[0]
        k.line(f"{space} const {kind}{lanes} *{p} = ({space} const {kind}{lanes} *){a};")
    else:
        p = k.read_only(kind)
    terms = [f"{p}[{i}{t}]" for t in k.r.sample(
        ["", " + 1", f" + {b}", " - 1", " + 7", " - 3", f" + 2 * {b}"],
        k.r.randint(3, 5))]
    text = terms[0]
    for t in terms[1:]:
        text += f" {k.pick('+', '-', '+')} {t}"
    if k.chance(0.6):
        k.line(f"{kind}{lanes} {s} = {text};")
    else:
        k.line(f"{kind}{lanes} {s} = {p}[{i}];")
        k.disturb(0.2)
        k.line(f"{s} {k.pick('+=', '-=', '=')} {text};")
    if lanes:
        store(k, kind, int(lanes), s)
    else:
        k.line(f"{k.own(kind)}[{k.index(PART)}] = {s};")
    k.close()


def stencil(k):
    """Neighbours by indices of products."""
    w, h = k.argument(8).text, k.argument(4).text
    kind = k.pick("float", "uint", "uchar")
    a = k.read_only(kind)
    id_ = k.pick("int", "int", "size_t", "long", "uint")
    x, y, z = k.fresh("x"), k.fresh("y"), k.fresh("z")
    s = k.fresh("s")
    k.open("")
    k.line(f"{id_} {x} = (g & 3) + 1, {y} = ((g >> 2) & 3) + 1, {z} = "
           f"{k.pick('1', '2', '(g & 1) + 1')};")

    def at(dx, dy, dz):
        def sum_(name, d):
            return name if not d else f"{name} {'+' if d > 0 else '-'} {abs(d)}"
        return f"{a}[(({sum_(z, dz)}) * {h} + {sum_(y, dy)}) * {w} + {sum_(x, dx)}]"
    terms = [at(k.r.randint(-1, 1), k.r.randint(-1, 1), k.r.randint(-1, 1))
             for _ in range(k.r.randint(2, 6))]
    total = "float" if kind == "float" else "uint"
    k.line(f"{total} {s} = " + " + ".join(terms[:3]) + ";")
    k.disturb(0.2)
    for t in terms[3:]:
        k.line(f"{s} {k.pick('+', '-', '*')}= {t};")
    if k.chance(0.4):
        k.line(f"{k.own(kind)}[{y} * 8 + {x} * 2] = {s};")
    k.line(f"{k.own(total)}[{k.r.randrange(PART)}] = {s};")
    k.close()


def store_loop(k):
    """Elements that a loop stores, in rows."""
    kind = k.pick("float", "uint", "uchar", "int", "short")
    n = k.pick(2, 4, 8)
    rows = k.pick(1, 2, 4)
    i, j = k.fresh("i"), k.fresh("j")
    own = k.own(kind)
    pitch = k.pick(str(n), "8", k.argument(8).text, "3") if rows > 1 else "8"
    off = k.pick("0", "1", "4", str(8 - n))
    value = k.pick("float", "uint") if kind == "float" else "int"
    del value
    k.open(f"for ({k.pick('int', 'int', 'uint', 'size_t')} {i} = 0; {i} < {n}; "
           f"{k.pick('++' + i, i + '++')})")
    k.declare(i, "int", True)
    if rows > 1:
        k.line(f"for (int {j} = 0; {j} < {rows}; ++{j})")
        k.depth += 1
        k.scopes.append({j: "int"})
        k.fixed.add(j)
    if k.chance(0.15):
        own = f"({own} + {k.pick(1, 2, 3)})"
    at = f"{j} * {pitch} + {i} + {off}" if rows > 1 else f"{i} + {off}"
    a = k.read_only(kind)
    text = k.pick(f"{i} * 3 + {j if rows > 1 else 1}", f"{a}[{i} + (g & 15)]",
                  f"{a}[{i}]", f"{own}[{i} + 40]", f"{own}[{i} + {off}]")
    k.line(f"{own}[{at}] = {text};")
    if rows > 1:
        k.depth -= 1
        k.scopes.pop()
    elif k.chance(0.2):
        k.disturb(0.7)
    k.close()


def local_phase(k):
    """Local memory that is written, waited for and read."""
    if not k.group or not k.alone:
        return local_free(k)
    kind = k.pick("uint", "float", "int")
    t, l = k.fresh("tile"), k.fresh("l")
    k.line(f"local {kind} {t}[{k.group + 16}];")
    k.line(f"{k.pick('int', 'size_t', 'uint')} {l} = get_local_id(0);")
    k.declare(l, "uint", True)
    value = k.real(1) if kind == "float" else k.kept_as(kind, 1)
    k.line(f"{t}[{l}] = {value};")
    k.line(f"if ({l} < 16) {t}[{k.group} + {l}] = 1;" if k.group >= 16 else
           f"{t}[{k.group} + {l}] = {t}[{k.group + 8} + {l}] = 1;")
    k.line("barrier(CLK_LOCAL_MEM_FENCE);")
    s = k.fresh("s")
    k.line(f"{'float' if kind == 'float' else 'uint'} {s} = {t}[{l}] + "
           f"{t}[{l} + {k.r.randint(1, 8)}] - {t}[{l} + 2];")
    k.declare(s, "float" if kind == "float" else "uint")
    if k.chance(0.5):
        k.line("{ " + f"{kind}4 w = vload4(0, {t} + ({l} & 7)) + "
               f"vload4(0, {t} + ({l} & 7) + 1) "
               f"{k.pick('+', '^') if kind == 'uint' else '-' if kind == 'float' else '^'}"
               f" vload4(0, {t} + 2);" if kind != "int" else
               "{ " + f"int4 w = vload4(0, {t} + ({l} & 7)) ^ vload4(0, {t} + 1);")
        k.line(f"  vstore4(w, {k.r.randrange(PART // 4)}, {k.own(kind)}); }}")
    k.line("barrier(CLK_LOCAL_MEM_FENCE);")
    if k.chance(0.5):
        k.line(f"{t}[({l} + 1) & {k.group - 1}] = 3;")
        k.line("barrier(CLK_LOCAL_MEM_FENCE);")
        k.line(f"{s} += {t}[{l}];")
        k.line("barrier(CLK_LOCAL_MEM_FENCE);")


def local_free(k):
    """A structure and a private array."""
    name = k.name_outside("pair")
    k.before.append(f"typedef struct {{ {k.pick('int', 'uchar', 'float')} first; "
                    f"{k.pick('uint', 'short', 'float4')} second; }} {name};")
    first, second = "first", "second"
    p = k.fresh("pair")
    k.line(f"{name} {p};")
    k.line(f"{p}.{first} = {k.safe(k.integer(1), 0, 100).text};")
    k.line(f"{p}.{second} = {k.safe(k.integer(1), 0, 100).text};")
    array, i = k.fresh("array"), k.fresh("i")
    k.line(f"uint {array}[{k.pick(4, 8)}] = {{1, 2, 3}};")
    k.line(f"for (int {i} = 0; {i} < 4; ++{i}) {array}[{i}] += {i} * 5u;")
    k.line(f"{array}[{k.index(4)}] ^= (uint)({k.integer(1).text});")
    k.disturb(0.3)
    k.line(f"{k.own('uint')}[{k.index(PART)}] = {array}[{k.index(4)}] + "
           f"(uint){p}.{first};")


def fused(k):
    """Products in sums, and functions that have a native form."""
    s = k.fresh("s")
    k.line(f"float {s} = {k.real(1)} * {k.real(0)} + {k.real(1)};")
    k.declare(s, "float")
    if k.chance(0.5):
        k.line(f"{s} += {k.pick('sqrt', 'exp', 'rsqrt', 'sin')}(fabs({k.real(0)}));")
    k.line(f"{s} = {k.pick('-', '')}{s} * 0.5f {k.pick('+', '-')} {k.real(1)};")


def small_elements(k):
    """A buffer of small integers that is read and written by elements."""
    kind = k.pick("uchar", "char", "short", "ushort")
    buffer = k.parameter(f"e_{kind}", f"global {kind} *e_{kind}")
    for _ in range(k.r.randint(1, 3)):
        form = k.r.random()
        if form < 0.4:
            k.line(f"{buffer}[g] {k.pick('+=', '-=', '^=', '=')} "
                   f"{k.safe(k.integer(1), -1000, 1000).text};")
        elif form < 0.6:
            k.line(f"{buffer}[g]{k.pick('++', '--')};")
        else:
            k.line(f"{buffer}[g] = min((int){buffer}[g], {k.r.randint(1, 60)});")
        k.disturb(0.2)


def helper(k):
    """A function, which the kernel calls."""
    name = k.name_outside("helper")
    kind = k.pick("uint", "float")
    lanes = k.pick("", "4", "8")
    t = f"{kind}{lanes}"
    body = k.pick(f"  return a * b + a;", "  if (n > 3)\n    a = b;\n  return a - b;",
                  "  for (int i = 0; i < n; ++i)\n    a += b;\n  return a;",
                  f"  {t} c = a;\n  c += b;\n  return n & 1 ? c : a;")
    k.before.append(f"{k.pick('', 'static ', 'inline static ')}{t} {name}({t} a, {t} b, "
                    f"int n) {{\n{body}\n}}")
    a = k.read_only(kind)
    n = k.argument(8).text
    if not lanes:
        k.line(f"{k.own(kind)}[{k.index(PART)}] = {name}({a}[g & 15], {a}[3], {n});")
        return
    k.open("")
    x = k.fresh("x")
    k.line(f"{t} {x} = vload{lanes}(g & 3, {a});")
    k.line(f"{x} = {name}({x}, vload{lanes}(0, {a} + {k.pick('1', lanes)}), {n});")
    store(k, kind, int(lanes), x)
    k.close()


def pointer_walk(k):
    """Two pointers into one buffer, that move."""
    kind = k.pick("uint", "float", "uchar", "short")
    p, q, i = k.fresh("p"), k.fresh("q"), k.fresh("i")
    own = k.own(kind)
    a, b = k.r.randrange(8), k.r.randrange(8)
    k.open("")
    k.line(f"global {kind} *{p} = {own} + {a}, *{q} = {own} + {b};")
    turns = k.pick("4", "8", k.argument(8).text)
    k.open(f"for (int {i} = 0; {i} < {turns}; ++{i})")
    k.declare(i, "int", True)
    op = k.pick("+", "-") if kind != "float" else "*"
    k.line(f"{p}[{k.r.randrange(4)}] = {q}[{k.r.randrange(4)}] {op} "
           f"{p}[{k.pick('0', '1', i)}];")
    k.disturb(0.2)
    if k.chance(0.6):
        k.line(f"{p} += {k.pick('1', '2', '3')};")
    if k.chance(0.6):
        k.line(f"{q}++;")
    k.close()
    lanes = k.pick(2, 4)
    k.line(f"{kind}{lanes} t = vload{lanes}(0, {own} + {a});")
    k.line(f"vstore{lanes}(t, 0, {own} + {b});")
    k.line(f"vstore{lanes}(vload{lanes}(0, {own} + {b + 1}), 1, {own} + {a});")
    k.close()


def macro_statements(k):
    """Statements and expressions that macros make."""
    name = k.name_outside("STEP")
    x = k.fresh("x")
    k.line(f"uint {x} = {k.safe(k.integer(1), 0, 1000).text};")
    k.declare(x, "uint")
    body = k.pick(f"((v) * 3u + (n))", f"((n) > 2 ? (v) : (v) ^ 5u)")
    k.before.append(f"#define {name}(v, n) {body}")
    for n in range(k.r.randint(1, 4)):
        k.line(f"{x} = {name}({x}, {k.pick(n, n * n, 7)});")
        k.disturb(0.1)
    if k.chance(0.5):
        loop = k.name_outside("EACH")
        k.before.append(f"#define {loop}(i, n) for (int i = 0; i < (n); ++i)")
        i = k.fresh("i")
        k.line(f"{loop}({i}, {k.pick('4', k.argument(8).text)})")
        k.line(f"  {x} += {k.read_only('uint')}[{i} * 4 + (g & 3)];")


def vector_loop(k):
    """A loop that moves vloadN through a window or over rows."""
    kind, lanes = k.pick("uchar", "float", "ushort", "uint"), k.pick(2, 4, 8, 16)
    wide = kind if kind in ("float", "uint") else "uint"
    k.open("")
    row, before, behind = row_of(k, kind, min(lanes, 8))
    s, t = k.fresh("s"), k.fresh("k")
    k.line(f"{wide}{lanes} {s} = 0;")
    step = k.pick("", " * 8" if behind > 40 else "")
    r = k.pick(1, 1, 2)
    k.line(f"for (int {t} = -{r}; {t} <= {r}; ++{t})")
    load = f"vload{lanes}(0, {row} + {t}{step})"
    load = load if wide == kind else f"convert_{wide}{lanes}({load})"
    k.line(f"  {s} {k.pick('+=', '-=', '+=')} {load};")
    k.disturb(0.1)
    store(k, wide, lanes, s)
    k.close()


def long_ids(k):
    """Indices in 64 bits that come from ids."""
    i, j = k.fresh("i"), k.fresh("j")
    n = k.argument(16).text
    k.line(f"{k.pick('size_t', 'long', 'ulong')} {i} = get_global_id(0) & 7, "
           f"{j} = {i} {k.pick('+ 3', '* 2', '+ 1')};")
    k.declare(i, "uint", True)
    k.declare(j, "uint", True)
    kind = k.pick("float", "uint", "short")
    a = k.read_only(kind)
    out = k.own(kind)
    k.line(f"if ({i} < {n})")
    k.line(f"  {out}[{i}] = {a}[{j} * {n} + {i}];")
    k.line(f"{out}[{j}] = {a}[{i} + {k.pick('1', '8')}] {k.pick('+', '-')} {a}[{j}];"
           if kind != "short" else f"{out}[{j}] = {a}[{i}];")


ALL = [vector_sum, vector_sum, vector_sum, vector_sum, vector_sum, wide_work, wide_work,
       wide_work, wide_work, wide_work, branches, branches, index_loop, index_loop,
       guarded_loop, guarded_loop, guarded_loop, keep_over_loop, keep_over_loop,
       keep_over_loop, vector_loop, store_loop, repeated, choices, repeated, choices,
       conditional_load, element_sum, stencil, store_loop, store_loop, local_phase, fused,
       small_elements, helper, pointer_walk, macro_statements, vector_loop, long_ids]
assert INTEGERS and WIDTHS and limits
