"""links.py ROOT: each relative link in a page leads to a file."""
import os
import re
import sys

root = sys.argv[1]
pages = links = wrong = 0
for at, folders, files in os.walk(root):
    folders[:] = [f for f in folders if f not in ("build", ".git", "node_modules")]
    for name in files:
        if not name.endswith(".md"):
            continue
        pages += 1
        path = os.path.join(at, name)
        with open(path, encoding="utf-8") as page:
            found = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read())
        for link in found:
            links += 1
            if "://" not in link and not os.path.exists(os.path.join(at, link)):
                wrong += 1
                print(f"WRONG: {os.path.relpath(path, root)}: {link}")
print(f"{pages} pages, {links} links, {wrong} wrong")
