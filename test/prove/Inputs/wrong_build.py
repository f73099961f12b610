#!/usr/bin/env python3
"""In the place of each-edit: a text without the statements that another build alone has,
which it says is proved, as it is in the default's build."""
import json
import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
os.makedirs(sys.argv[2], exist_ok=True)
with open(os.path.join(sys.argv[2], "0.cl"), "w", encoding="utf-8") as file:
    file.write(re.sub(r"#ifdef OTHER\d+\n(\s.* = .* / 2;)\n#endif\n", "", text))
print(json.dumps({"text": 0, "class": "exact", "problem": "", "edits": [
    {"kernel": "k0", "rewrite": "drop", "label": "statement", "line": 1, "launch": "",
     "upon": "", "proved": True, "why": "", "suspects": 0}]}))
