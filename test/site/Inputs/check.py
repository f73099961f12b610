"""check.py SITE: each link of a built site leads to a file, and to a place in it where
it names one, and nothing that a page loads is on another host."""
import html.parser
import os
import re
import sys
import urllib.parse

site = sys.argv[1]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag in ("a", "area"):
            self.links += [given["href"]] if given.get("href") else []
        elif given.get("rel") not in ("canonical", "next", "prev"):
            self.loads += [given[key] for key in ("src", "href") if given.get(key)]


def files(ending):
    for folder, _, names in os.walk(site):
        for name in sorted(names):
            if name.endswith(ending):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, site), file.read()


pages = {path: Page(text) for path, text in sorted(files(".html"))}
links = wrong = 0


def complain(path, what):
    global wrong
    wrong += 1
    print(f"WRONG: {path}: {what}")


def follow(path, link):
    to = urllib.parse.urlsplit(link)
    if to.scheme or link.startswith("//") or path == "404.html":
        return
    target = path if not to.path else os.path.normpath(
        os.path.join(os.path.dirname(path), urllib.parse.unquote(to.path)))
    if os.path.isdir(os.path.join(site, target)):
        target = os.path.normpath(os.path.join(target, "index.html"))
    place = urllib.parse.unquote(to.fragment)
    if not os.path.exists(os.path.join(site, target)) or (
            place and target in pages and place not in pages[target].places):
        complain(path, link)


for path, page in pages.items():
    for link in page.links + page.loads:
        links += 1
        follow(path, link)
    for link in page.loads:
        if re.match(r"(https?:)?//", link):
            complain(path, f"asks {link}")
for path, text in files(".css"):
    for link in re.findall(r"""url\(["']?((?:https?:)?//[^)"']*)""", text):
        complain(path, f"asks {link}")
print(f"{len(pages)} pages, {links} links, {wrong} wrong")
