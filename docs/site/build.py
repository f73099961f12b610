"""Builds the site of the pages with MkDocs and its theme Material.

usage: build.py CLREWRITE SOURCES SITE

The pages are those that docs/README.md lists, which is the menu, and all that they
link to. They are put into SOURCES as they stand in the repository, so that links
stay as they are, and are read there; SITE gets the result. CLREWRITE is the program
whose output the pages ask for (`<!-- output: clrewrite --help-all -->`)."""
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.dirname(HERE))
import index  # noqa: E402


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def beside(page, link):
    return os.path.normpath(os.path.join(os.path.dirname(page), link))


def listed(page):
    """[(heading, [(name, page)])] of the tables of a page: the links that are
    a row's first cell."""
    for part in re.split(r"^## ", read(page), flags=re.M)[1:]:
        yield part.split("\n", 1)[0], [
            (name, beside(page, link)) for name, link in
            re.findall(r"^\| \[([^]]+)\]\(([^)]+)\)", part, flags=re.M)]


def capital(name):
    return name[0].upper() + name[1:]


def menu():
    out = [{"Overview": "README.md"}]
    for heading, links in listed("docs/README.md"):
        part = [{capital(name): page} for name, page in links]
        for _, page in links:
            if page == "docs/rewrites.md": # has a table of pages itself
                part += [{sub: [{name: each} for name, each in pages]}
                         for sub, pages in listed(page) if pages]
        out.append({heading: part})
    return out + [{"All pages": "docs/README.md"}]


def paths(entries):
    for entry in entries:
        for value in entry.values():
            yield from paths(value) if isinstance(value, list) else (value,)


def facts():
    """What the table of all rewrites says of each page, as a sentence."""
    head, *lines = index.rewrites(ROOT)
    for name, kind, kept, waves, timed, _ in lines:
        said = f"Class {kind}."
        if kept:
            said += f" Of the sixty kernels of the corpus kept for {kept}"
            said += f"; the most waves: {waves}." if waves else "."
        if timed:
            said += f" On an H200, by time: {timed}."
        page = beside("docs/rewrites.md", re.search(r"\((.*)\)", name)[1])
        yield page, f"{said} [All rewrites](../../docs/rewrites.md)\n"


def output(program, command):
    words = shlex.split(command)
    run = subprocess.run([program, *words[1:]], text=True, check=True,
                         stdout=subprocess.PIPE)
    return f"```text\n{run.stdout}```"


def gather(program, sources):
    """Puts the pages and what they link to into the folder; returns the pages."""
    shutil.rmtree(sources, ignore_errors=True)
    pages, files, known = list(paths(menu())), [], dict(facts())
    for page in pages:
        text = read(page)
        files += [beside(page, link)
                  for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", text)]
        text = re.sub(r"<!-- output: (.*?) -->",
                      lambda m: output(program, m[1]), text)
        if page in known:
            first, rest = text.split("\n", 1)
            text = f"{first}\n\n{known[page]}{rest}"
        os.makedirs(os.path.join(sources, os.path.dirname(page)), exist_ok=True)
        with open(os.path.join(sources, page), "w", encoding="utf-8") as file:
            file.write(text)
    for name in ("site.css", "filter.js"):
        files.append(os.path.relpath(os.path.join(HERE, name), ROOT))
    for name in sorted({*files} - {*pages}):
        to = "site/" + os.path.basename(name) if "docs/site/" in name else name
        os.makedirs(os.path.join(sources, os.path.dirname(to)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), os.path.join(sources, to))
    return pages


def yaml(value, depth=0):
    """The menu as YAML: lists, and maps of one key."""
    if isinstance(value, str):
        return f" {value}\n"
    return "\n" + "".join(
        f"{'  ' * depth}- {quoted!r}:{yaml(inner, depth + 1)}"
        for entry in value for quoted, inner in entry.items())


def main():
    program, sources, site = map(os.path.abspath, sys.argv[1:])
    pages = gather(program, sources)
    config = sources + ".yml"
    with open(config, "w", encoding="utf-8") as file:
        file.write(read(os.path.relpath(os.path.join(HERE, "mkdocs.yml"), ROOT)))
        file.write(f"docs_dir: {sources}\nsite_dir: {site}\nnav:{yaml(menu())}")
    done = subprocess.run(["mkdocs", "build", "--quiet", "--clean",
                           "--config-file", config])
    if done.returncode:
        sys.exit("mkdocs could not build the site")
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main()
