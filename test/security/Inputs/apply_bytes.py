"""apply_bytes.py DOCUMENT FILE: applies the fixes of a SARIF document by bytes,
as a reader does that finds byte offsets and binary contents."""
import base64
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    results = json.load(f)["runs"][0]["results"]
with open(sys.argv[2], "rb") as f:
    data = f.read()
edits = set()
for result in results:
    for fix in result.get("fixes", []):
        for r in fix["artifactChanges"][0]["replacements"]:
            new = r["insertedContent"]
            edits.add((r["deletedRegion"]["byteOffset"],
                       r["deletedRegion"]["byteLength"],
                       base64.b64decode(new["binary"]) if "binary" in new
                       else new["text"].encode()))
assert edits, "the document has no fix"
for at, length, new in sorted(edits, reverse=True):
    data = data[:at] + new + data[at + length:]
with open(sys.argv[2], "wb") as f:
    f.write(data)
