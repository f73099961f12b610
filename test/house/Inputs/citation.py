"""citation.py ROOT: CITATION.cff is as version 1.2.0 of the format requires, as far as
it is used here, and has the project's version. No package of Debian checks that."""
import os
import re
import sys

import yaml

root = sys.argv[1]
with open(os.path.join(root, "CITATION.cff"), encoding="utf-8") as file:
    citation = yaml.safe_load(file)
with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
    version = re.search(r"project\(clrewrite VERSION (\S+)", file.read())[1]
REQUIRED = {"cff-version", "message", "title", "authors"}
KNOWN = REQUIRED | {"abstract", "commit", "contact", "date-released", "doi",
                    "identifiers", "keywords", "license", "license-url",
                    "preferred-citation", "references", "repository",
                    "repository-artifact", "repository-code", "type", "url", "version"}
assert REQUIRED <= citation.keys() <= KNOWN, citation.keys()
assert citation["cff-version"] == "1.2.0"
assert citation["type"] in ("software", "dataset")
assert str(citation["version"]) == version, (citation["version"], version)
for author in citation["authors"]:
    assert {"name"} <= author.keys() or {"family-names"} <= author.keys(), author
# The format knows names of SPDX alone, no expressions.
assert " " not in citation.get("license", "")
assert all(isinstance(word, str) for word in citation["keywords"])
print("fine")
