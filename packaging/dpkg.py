"""Which of Debian's packages a file of this system is from."""
import collections
import functools
import os
import subprocess

Package = collections.namedtuple("Package", "name version architecture source source_version")


def spellings(path):
    """A path as dpkg may know it: /lib is a link to /usr/lib by now, and libraries have
    links to them."""
    for each in dict.fromkeys((path, os.path.realpath(path))):
        yield each
        yield each[len("/usr"):] if each.startswith("/usr/lib") else "/usr" + each


def query(*words):
    try:
        return subprocess.run(["dpkg-query", *words], text=True,
                              capture_output=True).stdout
    except FileNotFoundError:  # another system
        return ""


@functools.lru_cache(maxsize=None)
def package(name):
    """The installed package of a name, which may end with :ARCHITECTURE."""
    form = ["Package", "Version", "Architecture", "source:Package", "source:Version"]
    return Package(*query("-W", "-f", "\t".join("${%s}" % f for f in form),
                          name).split("\t"))


def owners(paths):
    """The package of each path that one has installed, by path."""
    by_spelling = {s: path for path in paths for s in spellings(path)}
    found = {}
    for line in query("-S", *by_spelling).splitlines() if by_spelling else ():
        names, _, file = line.partition(": ")
        if file in by_spelling:
            found[by_spelling[file]] = package(names.split(", ")[0])
    return found


def owner(path):
    """The package that has installed a path, or None."""
    return owners([path]).get(path)
