"""How many wrong kernels `clrewrite verify` catches: each kernel gets changes that
a bad rewrite could make, and the table says which of them verification told apart.

usage: mutants.py BIN_DIR OUT.jsonl [FILE.cl|FOLDER ...] [--each N] [--seed N]
                  [--kind NAME]... [--long SECONDS] [--launches] [--jobs N]
       mutants.py table OUT.jsonl

The kernels are the corpus beside this script unless files are named. A mutant is
one change of one token or statement, of one of the KINDS; each kernel gets --each
(default 1) of each kind, chosen by a hash of --seed, so that a run can be repeated.
Mutants that do not compile are left out. Launch comments are taken out first, so
that verification has to guess how a kernel is launched; --launches keeps them.

Each mutant is verified with the default options. One that passes as the same is
verified again with a hundred times the rounds for --long seconds (default 60): told
apart then, it counts as missed; else it is taken for an equivalent kernel, which
may be wrong. OUT has a line for each mutant, and what it already has is not run
again. `table` prints what OUT has."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

OPERATORS = {
    "+": "-", "-": "+", "*": "+", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "==": "!=", "!=": "==", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "+=", "|=": "&=",
    "&=": "|=", "^=": "|=", ">>=": "<<=", "<<=": ">>="}
NARROWER = {"int": "short", "uint": "ushort", "long": "int", "ulong": "uint",
            "size_t": "uchar", "short": "char", "ushort": "uchar"}
LANES = {"x": "y", "y": "x", "z": "w", "w": "z", "lo": "hi", "hi": "lo",
         "even": "odd", "odd": "even"}
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[^\n]*|\"[^\"\n]*\"|[A-Za-z_]\w*"
    r"|0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[fFhHuUlL]*"
    r"|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|->|[^\s]", re.S)


class Token:
    def __init__(self, match):
        self.text, self.at, self.end = match.group(), match.start(), match.end()


def closing(tokens, at):
    """The place of the bracket that closes the one at AT."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place].text in "([{":
            depth += 1
        elif tokens[place].text in ")]}":
            depth -= 1
            if not depth:
                return place
    return None


def bodies(tokens):
    """Places of tokens within functions' bodies."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.text == "{") - (token.text == "}")
        if depth:
            yield place


def declared_sizes(tokens):
    """Places of tokens within the brackets of arrays that are declared: a larger
    array is the same kernel."""
    start = 0
    for place, token in enumerate(tokens):
        if token.text in (";", "{", "}", "("):
            start = place + 1
        if token.text == "[" and start + 2 <= place and not any(
                each.text in ("=", "return") for each in tokens[start:place]) and \
                re.match(r"[A-Za-z_]", tokens[place - 1].text) and \
                re.match(r"[A-Za-z_]|\*|,", tokens[place - 2].text):
            end = closing(tokens, place)
            while end and end + 1 < len(tokens) and tokens[end + 1].text == "[":
                end = closing(tokens, end + 1)
            yield from range(place, end or place)


def is_operand(token):
    return bool(re.match(r"[\w)\]]", token.text[-1])) and token.text != "return"


def mutations(text):
    """Each change as (kind, offset, end, new text)."""
    tokens = [Token(m) for m in TOKEN.finditer(text)
              if not m.group().startswith(("//", "/*", "#"))]
    declared = set(declared_sizes(tokens))
    for i in bodies(tokens):
        if i in declared:
            continue
        token, before = tokens[i], tokens[i - 1]
        word = token.text
        after = tokens[i + 1] if i + 1 < len(tokens) else token
        if word in OPERATORS and (is_operand(before) or word not in "+-*&"):
            yield "operator", token.at, token.end, OPERATORS[word]
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", word.rstrip("uUlL")):
            digits = word.rstrip("uUlL")
            value = int(digits, 0) if not re.fullmatch("0[0-7]+", digits) else \
                int(digits, 8)
            yield "constant", token.at, token.end, str(value + 1) + \
                word[len(digits):]
        elif re.fullmatch(r"(\d+\.\d*|\.\d+)([eE][-+]?\d+)?[fF]?", word):
            value = float(word.rstrip("fF"))
            yield "constant", token.at, token.end, \
                repr(value * 1.0625 if value else 1.0) + \
                ("f" if word[-1] in "fF" else "")
        if word == "[" and i and is_operand(before):
            end = closing(tokens, i)
            if end and end > i + 1:
                yield "index", tokens[end].at, tokens[end].at, " + 1"
        if re.fullmatch(r"v(load|store)\d+", word) and after.text == "(":
            end = closing(tokens, i + 1)
            if end:
                yield "index", tokens[end].at, tokens[end].at, " + 1"
        if before.text == "." and word in LANES:
            yield "lane", token.at, token.end, LANES[word]
        elif before.text == "." and re.fullmatch(r"s[0-9a-f]+", word):
            last = int(word[-1], 16)
            yield "lane", token.at, token.end, word[:-1] + f"{last ^ 1:x}"
        if word == "if" and after.text == "(":
            end = closing(tokens, i + 1)
            if end:
                inside = text[after.end:tokens[end].at]
                yield "condition", after.end, tokens[end].at, "1"
                for part in ("&&", "||"):
                    if part in inside:
                        yield "condition", after.end, tokens[end].at, \
                            inside.split(part)[0] + \
                            ")" * (inside.split(part)[0].count("(") -
                                   inside.split(part)[0].count(")"))
        if word == "for" and after.text == "(":
            end = closing(tokens, i + 1)
            parts = text[after.end:tokens[end].at].split(";") if end else []
            if len(parts) == 3 and re.search(r"[<>]=?", parts[1]):
                yield "trip count", after.end, tokens[end].at, \
                    ";".join([parts[0], parts[1] + " - 1", parts[2]])
        if word in (";", "{", "}") and i + 1 < len(tokens) and \
                re.match(r"[A-Za-z_(*]", after.text) and \
                after.text not in ("return", "if", "for", "while", "else", "do",
                                   "switch", "case", "break", "default"):
            end = i + 1
            while end < len(tokens) and tokens[end].text not in (";", "{", "}"):
                end += 1
            if end < len(tokens) and tokens[end].text == ";":
                statement = text[after.at:tokens[end].end]
                if re.match(r"[\w.\[\]\s*+\-()>]*?[-+*/|&^%]?=[^=]|v?store|write_|"
                            r"atom|barrier|v", statement):
                    yield "statement lost", after.at, tokens[end].end, ";"
                if re.match(r"barrier|work_group_barrier", statement):
                    follow = end + 1
                    while follow < len(tokens) and \
                            tokens[follow].text not in (";", "{", "}"):
                        follow += 1
                    if follow < len(tokens) and tokens[follow].text == ";":
                        moved = text[tokens[end + 1].at:tokens[follow].end]
                        yield "moved over a barrier", after.at, \
                            tokens[follow].end, moved + " " + statement
        if word in NARROWER and re.match(r"[A-Za-z_]", after.text) and \
                before.text in (";", "{", "}", "(") and i + 2 < len(tokens) and \
                tokens[i + 2].text in ("=", ";", ","):
            yield "narrowed", token.at, token.end, NARROWER[word]
        if word == "(" and i + 2 < len(tokens) and tokens[i + 2].text == ")" and \
                re.fullmatch(r"(u?(char|short|int|long)|float|double|half)\d*",
                             after.text) and not is_operand(before):
            yield "cast dropped", token.at, tokens[i + 2].end, ""
        if re.fullmatch(r"convert_\w+", word) and after.text == "(":
            end = closing(tokens, i + 1)
            if end:
                yield "cast dropped", token.at, tokens[end].end, \
                    text[after.at:tokens[end].end]


KINDS = ("operator", "constant", "index", "lane", "condition", "trip count",
         "statement lost", "moved over a barrier", "narrowed", "cast dropped")


def chosen(name, text, each, seed):
    """The mutants of one file: (kind, line, text)."""
    kinds = collections.defaultdict(set)
    for kind, at, end, new in mutations(text):
        if text[at:end] != new:
            kinds[kind].add((at, end, new))
    for kind in KINDS:
        def order(change):
            key = f"{seed} {name} {kind} {change}"
            return hashlib.sha256(key.encode()).digest()
        for at, end, new in sorted(kinds[kind], key=order)[:3 * each]:
            line = text.count("\n", 0, at) + 1
            was = " ".join(text[at:end].split())
            yield kind, line, was, new, text[:at] + new + text[end:]


def compiles(text, folder):
    path = os.path.join(folder, "mutant.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run(
        ["clang-22", "-x", "cl", "-cl-std=CL2.0", "-fsyntax-only", "-w",
         "--target=amdgcn", path], capture_output=True).returncode == 0


def verdict(clrewrite, folder, options, seconds):
    try:
        done = subprocess.run(
            [clrewrite, "verify", *options, "original.cl", "mutant.cl"],
            cwd=folder, capture_output=True, text=True, timeout=seconds + 120)
    except subprocess.TimeoutExpired:
        return "unknown", "timeout"
    name = {0: "same", 1: "different"}.get(done.returncode, "unknown")
    return name, (done.stdout + done.stderr).strip()


def judge(job):
    arguments, key, original, mutant = job
    clrewrite = os.path.join(os.path.abspath(arguments.bin), "clrewrite")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "original.cl"), "w") as file:
            file.write(original)
        with open(os.path.join(folder, "mutant.cl"), "w") as file:
            file.write(mutant)
        result, why = verdict(clrewrite, folder, [], 60)
        entry = {"key": key, "verdict": result, "why": why}
        if result != "different":
            again, entry["long"] = verdict(
                clrewrite, folder, ["--rounds=1200", "--seed=77",
                                    f"--seconds={arguments.long}"], arguments.long)
            entry["truth"] = again
    return entry


def table(entries):
    def rows(which):
        groups = collections.defaultdict(collections.Counter)
        for entry in entries:
            key = dict(zip(("kernel", "kind"), entry["key"]))
            counter = groups[key[which]]
            missed = entry["verdict"] != "different" and \
                entry["truth"] == "different"
            counter["told apart" if entry["verdict"] == "different" else
                    "missed" if missed else
                    "unknown" if entry["verdict"] == "unknown" else
                    "no difference known"] += 1
        return groups
    names = ("told apart", "missed", "unknown", "no difference known")
    for which in ("kind", "kernel"):
        print(f"| {which} | " + " | ".join(names) + " |")
        print("|---|" + "---|" * len(names))
        total = collections.Counter()
        for key, counter in sorted(rows(which).items()):
            total += counter
            if which == "kind" or counter["missed"] or counter["unknown"]:
                print(f"| {key} | " +
                      " | ".join(str(counter[n]) for n in names) + " |")
        print("| all | " + " | ".join(str(total[n]) for n in names) + " |\n")
    known = total["told apart"] + total["missed"]
    if known:
        print(f"{100 * total['told apart'] / known:.1f} % of the {known} mutants "
              f"that are known to differ were told apart")
    for entry in entries:
        if entry["verdict"] != "different":
            print(f"{entry['verdict']} then {entry['truth']}:", *entry["key"])


def main():
    if sys.argv[1:2] == ["table"]:
        with open(sys.argv[2], encoding="utf-8") as file:
            return table([json.loads(line) for line in file])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("paths", nargs="*", default=[os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "corpus")])
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--long", type=int, default=60)
    parser.add_argument("--launches", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    done = []
    if os.path.exists(arguments.out):
        with open(arguments.out, encoding="utf-8") as file:
            done = [json.loads(line) for line in file]
    known = {tuple(entry["key"]) for entry in done}
    files = []
    for path in arguments.paths:
        files += [path] if os.path.isfile(path) else sorted(
            os.path.join(path, n) for n in os.listdir(path) if n.endswith(".cl"))
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if not arguments.launches:
                text = re.sub(r"// *(clrewrite: launch|small:)[^\n]*", "//", text)
            name = os.path.splitext(os.path.basename(path))[0]
            taken = collections.Counter()
            for kind, line, was, new, mutant in chosen(
                    name, text, arguments.each, arguments.seed):
                if arguments.kind and kind not in arguments.kind or \
                        taken[kind] == arguments.each or \
                        not compiles(mutant, folder):
                    continue
                taken[kind] += 1
                key = (name, kind, f"line {line}", was, new)
                if key not in known:
                    jobs.append((arguments, key, text, mutant))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
            open(arguments.out, "a", encoding="utf-8") as out:
        for number, entry in enumerate(pool.map(judge, jobs), 1):
            print(json.dumps(entry), file=out, flush=True)
            done.append(entry)
            print(f"\r{number} of {len(jobs)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    with open(arguments.out, encoding="utf-8") as file:
        table([json.loads(line) for line in file])
    return 0


if __name__ == "__main__":
    sys.exit(main())
