"""Variations of a random kernel for another build: macros that are numbers, empty, or
functions, types and statements that an #if chooses, names that are macros there.

usage: builds.py SEED [KERNELS]     prints a file with its variations, and the other build

The text means the same as before in the build without options. In the other one numbers
are smaller and what is left out or put in keeps values in range, so that the kernel is as
defined there: what a rewrite makes of the text must do the same as it in both."""
import random
import re
import sys

import generate

INDENTED = re.compile(r"^(\s+)")
ASSIGNED = re.compile(r"^\s+(\w+)( [-+*^|&]?= )([^;]*[^;\s])\s*;$")
STORED = re.compile(r"^\s+(own_\w+\[[^=]*\])( [-+*^|&]?= )([^;]*[^;\s])\s*;$")
DECLARED = re.compile(r"^(\s+)(int|uint|ulong)( [a-z]\w* = [^;]*;)$")
NUMBER = re.compile(r"(?<![\w.\[])([2-9]|[1-9]\d+)(?![\w.\]])")
NARROWER = {"int": "short", "uint": "ushort", "ulong": "uint"}
MOST = 6  # variations of a kernel with the functions that it calls


class Varied:
    """A file's lines while they are varied, the definitions that stand before them, and
    the options of the other build."""

    def __init__(self, text, r):
        self.r, self.lines = r, text.split("\n")
        self.head, self.options, self.names = [], [], 0

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def flag(self):
        """A macro that the other build alone defines."""
        name = self.name("OTHER")
        self.options.append(f"-D{name}")
        return name

    def chosen(self, here, there):
        """The line `here` by default, and `there` in the other build."""
        self.head += [f"#ifdef {self.flag()}", there, "#else", here, "#endif"]

    def defined(self, name, here, there):
        """The macro is `here` by default, and `there` in the other build."""
        here = f"#define {name} {here}".rstrip()
        if self.r.random() < 0.5:
            self.head += [f"#ifndef {name}", here, "#endif"]
            self.options.append(f"-D{name}={there}")
        else:
            self.chosen(here, f"#define {name} {there}")

    def beside(self, at, new):
        """Puts `new` before or behind line `at`."""
        self.lines[at] = self.r.choice([f"{new}\n{self.lines[at]}",
                                        f"{self.lines[at]}\n{new}"])

    def begun(self, at):
        """The line ends nothing: what stands before it is a whole statement."""
        before = self.lines[at - 1].split("//")[0].rstrip() if at else ""
        return before.endswith((";", "{", "}"))

    def halved(self, m):
        """What keeps the target of an assignment in range."""
        return f"{m[1]} = {m[1]} / 2;"

    def assignment(self, at, whole=False):
        """The target, the operator and the value that line `at` assigns; None for
        another line, and where the target is a pointer or counts a loop. Where more
        than the value changes, the line must be a `whole` statement of a block."""
        if whole and not self.begun(at):
            return None
        m = ASSIGNED.match(self.lines[at]) or STORED.match(self.lines[at])
        if not m or "/*" in m[0] or "//" in m[0]:
            return None
        text, target = "\n".join(self.lines), m[1]
        if "[" not in target and (
                re.search(rf"\*\s*(restrict )?{target}\b|for \([^;]*\b{target} = ", text) or
                re.search(rf"\b{target}\b\s*\[|double {target}\b", text)):
            return None
        return m

    # Each of these changes line `at`, and tells whether it could.

    def left_out(self, at):
        if not self.assignment(at, whole=True):
            return False
        sign = self.r.choice(["#ifdef", "#ifndef"])
        name = self.flag()
        if sign == "#ifdef":  # is in the default's build by another name
            self.head += [f"#ifndef {name}", f"#define HERE_{name}", "#endif"]
            name = f"HERE_{name}"
        self.lines[at] = f"{sign} {name}\n{self.lines[at]}\n#endif"
        return True

    def put_in(self, at):
        m = self.assignment(at, whole=True)
        if not m:
            return False
        indent = INDENTED.match(self.lines[at])[1]
        self.beside(at, f"#ifdef {self.flag()}\n{indent}{self.halved(m)}\n#endif")
        return True

    def two_arms(self, at):
        m = self.assignment(at)
        if not m:
            return False
        indent = INDENTED.match(self.lines[at])[1]
        self.lines[at] = (f"#ifdef {self.flag()}\n{indent}{self.halved(m)}\n#else\n"
                          f"{self.lines[at]}\n#endif")
        return True

    def behind(self, at):
        m = self.assignment(at, whole=True)
        if not m:
            return False
        name = self.name("BEHIND")
        self.defined(name, "", self.halved(m).replace(" ", ""))
        self.lines[at] += self.r.choice([" ", "\n  "]) + name
        return True

    def tail(self, at):
        m = self.assignment(at)
        if not m:
            return False
        name = self.name("TAIL")
        self.defined(name, "", "/2")
        self.lines[at] = self.lines[at].rstrip().rstrip(";") + f" {name};"
        return True

    def step(self, at):
        """A macro like a function, of nothing here and a change there."""
        m = self.assignment(at, whole=True)
        if not m or "[" in m[1]:
            return False
        name = self.name("STEP")
        self.chosen(f"#define {name}(x) (void)(x)", f"#define {name}(x) x = x / 2")
        self.beside(at, INDENTED.match(self.lines[at])[1] + f"{name}({m[1]});")
        return True

    def wrapped(self, at):
        m = self.assignment(at)
        if not m:
            return False
        name = self.name("OF")
        self.chosen(f"#define {name}(x) (x)", f"#define {name}(x) ((x) / 2)")
        self.lines[at] = self.lines[at].replace(m[2] + m[3], f"{m[2]}{name}({m[3]})", 1)
        return True

    def asked(self, at):
        """A condition asks for more in the other build."""
        m = re.match(r"^(\s+if \()(.*)(\)(?: \{)?)$", self.lines[at])
        if not m or "return" in self.lines[at + 1]:  # which keeps arguments in range
            return False
        name = self.name("AND")
        self.defined(name, "", "&&(get_global_id(0)&1)")
        self.lines[at] = f"{m[1]}({m[2]}) {name}{m[3]}"
        return True

    def typed(self, at):
        m = DECLARED.match(self.lines[at])
        if not m or "*" in m[3] or "&" in m[3] or "{" in m[3]:
            return False
        text = "\n".join(self.lines)
        if any(n == "g" or f"&{n}" in text for n in re.findall(r"[ ,](\w+) =", m[3])):
            return False
        name = self.name("type")
        if self.r.random() < 0.5:
            self.chosen(f"typedef {m[2]} {name};", f"typedef {NARROWER[m[2]]} {name};")
        else:
            self.defined(name.upper(), m[2], NARROWER[m[2]])
            if self.r.random() < 0.5:
                name = name.upper()
            else:
                self.head.append(f"typedef {name.upper()} {name};")
        self.lines[at] = m[1] + name + m[3]
        return True

    def initialises(self, at):
        """The loop at line `at` writes elements, which what is behind it may read."""
        indent = len(INDENTED.match(self.lines[at])[1])
        for line in self.lines[at + 1:]:
            if re.search(r"(?<!own)\w*\]\S* [-+*^|&]?= |vstore|\(&|\+\+;", line):
                return True
            if len(line) - len(line.lstrip()) <= indent and line.strip():
                return False
            if not self.lines[at].endswith("{"):
                return False
        return False

    def number(self, at):
        line = self.lines[at]
        if "\n" in line or re.search(r"case|attribute|kernel|typedef|<<|>>|sampler|image|"
                                     r"= o_", line):
            return False
        if re.match(r"\s+for ", line) and self.initialises(at):
            return False
        found = [m for m in NUMBER.finditer(line)
                 if not re.search(r"[/%]\s*$", line[:m.start()])]
        if not found:
            return False
        m = self.r.choice(found)
        name = self.name("N")
        self.defined(name, m[1], self.r.randrange(1, int(m[1])))
        way = self.r.random()
        if way > 0.8:
            self.head.append(f"enum {{ E_{name} = {name} }};")
            name = f"E_{name}"
        elif way > 0.65:
            self.head.append(f"constant int c_{name} = {name};")
            name = f"c_{name}"
        elif way > 0.5:
            self.head.append(f"#define TWICE_{name} ({name} + 0)")
            name = f"TWICE_{name}"
        self.lines[at] = line[:m.start()] + name + line[m.end():]
        return True

    def same_pointer(self, at):
        """Where there are two arrays of a type, the other build reads the second."""
        if not self.begun(at) or not INDENTED.match(self.lines[at]):
            return False
        head = next((x for x in reversed(self.lines[:at]) if re.search(r"\bk\d+\(", x)), "")
        found = re.search(r"global const (\w+) \*ga_\1\b.*global const \1 \*gb_\1\b", head)
        if not found or not re.match(r"\s+own_", self.lines[at]):
            return False
        self.lines[at] = (f"#ifdef {self.flag()}\n  ga_{found[1]} = gb_{found[1]};\n#endif\n"
                          + self.lines[at])
        return True

    def taken(self, at):
        """A name that rewrites write is a macro in the other build."""
        free = [n for n in generate.TAKEN + ["float4", "fmin", "select", "min", "restrict"]
                if not re.search(rf"\b{n}\b", "\n".join(self.lines))]
        if not free:
            return False
        self.head += [f"#ifdef {self.flag()}", f"#define {self.r.choice(free)} 3", "#endif"]
        return True

    def vary(self):
        kinds = [self.left_out, self.put_in, self.two_arms, self.behind, self.tail,
                 self.step, self.wrapped, self.asked, self.typed, self.number, self.number,
                 self.number, self.same_pointer, self.taken]
        starts = [i for i, line in enumerate(self.lines) if re.search(r"\bk\d+\(", line)]
        for begin, end in zip([0, *starts[1:]], [*starts[1:], len(self.lines)]):
            wanted = self.r.randrange(1, MOST + 1)
            for _ in range(30 * wanted):
                at = self.r.randrange(begin, end)
                if wanted and at > 2 and INDENTED.match(self.lines[at]) and \
                        "\n" not in self.lines[at] and self.r.choice(kinds)(at):
                    wanted -= 1
        return "\n".join(self.head + self.lines), self.options


def vary(text, seed):
    """The text with variations, and the options of the other build."""
    return Varied(text, random.Random(f"{seed} builds")).vary()


if __name__ == "__main__":
    made, options = vary(generate.file(int(sys.argv[1]), *map(int, sys.argv[2:3])),
                         int(sys.argv[1]))
    print(made)
    print("//", *options)
