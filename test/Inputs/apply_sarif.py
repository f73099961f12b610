"""apply_sarif.py FILE < DOCUMENT: prints FILE with the document's fixes for it
made, each once, as a viewer of SARIF would make them."""
import json
import sys

run = json.load(sys.stdin)["runs"][0]
assert run["columnKind"] == "utf16CodeUnits"
text = open(sys.argv[1], newline="").read()
lines = text.splitlines(keepends=True)


def offset(line, column):
    before = "".join(lines[:line - 1])
    units = (lines[line - 1] if line <= len(lines) else "").encode("utf-16-le")
    return len(before) + len(units[:2 * (column - 1)].decode("utf-16-le"))


edits = set()
for result in run["results"]:
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            for r in change["replacements"]:
                d = r["deletedRegion"]
                edits.add((offset(d["startLine"], d["startColumn"]),
                           offset(d["endLine"], d["endColumn"]),
                           r["insertedContent"]["text"]))
assert edits
for begin, end, new in sorted(edits, reverse=True):
    text = text[:begin] + new + text[end:]
sys.stdout.write(text)
