"""stubs.py VERSION COMPILER OUT LIBRARY...: makes OUT/NAME for each library of the C
library (libc.so.6), with the symbols that glibc VERSION (2.28) had, and no code.

What is linked with these asks for no newer symbol version, and so starts where glibc is
that old. glibc keeps the old versions of a symbol beside the new one: the stub has the
newest that is old enough, as the linker's default, and leaves out symbols that have none.
The linker names what is missing then, and old.c has it.

Threads and dlopen came into libc.so.6 in glibc 2.34, with a new version each. Before, the
loader looked for them in libpthread.so.0 and libdl.so.2 alone, and so does the stub."""
import pathlib
import re
import subprocess
import sys


def number(version):
    return tuple(int(n) for n in version.split("."))


def spelled(numbers):
    return ".".join(map(str, numbers))


def symbols(library):
    """Names, symbol versions as numbers, types, values and sizes of what it defines."""
    table = subprocess.run(["readelf", "-W", "--dyn-syms", library], text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    for line in table.splitlines():
        found = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\d+) (\w+)\s+(?:GLOBAL|WEAK)\s+\w+\s+"
                         r"(?!UND|ABS)\S+ (\w+)@@?GLIBC_([\d.]+)$", line)
        if found:
            value, size, kind, name, version = found.groups()
            yield name, number(version), kind, int(value, 16), int(size)


# Of symbols that libc.so.6 got a second version of in 2.34: where they were before. What
# is not listed is left out.
MOVED = {"libpthread.so.0": r"_*pthread_|sem_|(thrd|mtx|cnd|tss)_|call_once$",
         "libdl.so.2": r"dl(open|close|sym|error|addr)$",
         "libc.so.6": r"__libc_start_main$"}


def home(library, name, versions, limit):
    """The library that had a symbol, or None."""
    if library != "libc.so.6" or max(versions) <= limit or limit >= (2, 34):
        return library
    return next((lib for lib, names in MOVED.items() if re.match(names, name)), None)


def chosen(libraries, limit):
    """The newest version of each symbol that the limit allows, by library."""
    out = {pathlib.Path(path).name: {} for path in libraries}
    for path in libraries:
        known = {}
        for name, version, *rest in symbols(path):
            known.setdefault(name, {})[version] = rest
        for name, versions in known.items():
            old = [v for v in versions if v <= limit]
            place = home(pathlib.Path(path).name, name, versions, limit)
            if old and place:
                out[place][name] = (max(old), *versions[max(old)])
    return out


def assembly(table):
    """Data stand as far from each other as in the library, since some have two names."""
    rows = sorted((kind != "OBJECT", value, name, version, size)
                  for name, (version, kind, value, size) in table.items())
    end = None
    for n, (is_code, value, name, version, size) in enumerate(rows):
        if is_code:
            yield f".text\n.type s{n}, @function"
        else:
            yield f".bss\n.skip {value - (value & ~63 if end is None else end)}"
            yield f".type s{n}, @object\n.size s{n}, {size}"
            end = value
        yield f".globl s{n}\ns{n}:\n.symver s{n}, {name}@@GLIBC_{spelled(version)}"
    yield f".bss\n.skip {max((row[4] for row in rows), default=0)}\n.text\nret"


def write(name, table, limit, compiler, out):
    source, script = out / f"{name}.s", out / f"{name}.map"
    source.write_text("\n".join(assembly(table)) + "\n", encoding="utf-8")
    versions = sorted({version for version, *_ in table.values()}) or [limit]
    script.write_text("".join(
        f"GLIBC_{spelled(v)} {{ {'local: *; ' if v == versions[0] else ''}}};\n"
        for v in versions), encoding="utf-8")
    subprocess.run([compiler, "-shared", "-nostdlib", "-fuse-ld=lld", f"-Wl,-soname,{name}",
                    f"-Wl,--version-script={script}", "-o", out / name, source], check=True)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: stubs.py VERSION COMPILER OUT LIBRARY...")
    folder, oldest = pathlib.Path(sys.argv[3]), number(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for stub, content in chosen(sys.argv[4:], oldest).items():
        write(stub, content, oldest, sys.argv[2], folder)
