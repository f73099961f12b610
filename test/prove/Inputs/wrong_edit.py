#!/usr/bin/env python3
"""In the place of each-edit: a text without its last store, which it says is proved, one
without its last brace, and the end of a program that crashed."""
import json
import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
os.makedirs(sys.argv[2], exist_ok=True)
last = list(re.finditer(r"^ *own_\w+\[.*\] \^?= .*;$", text, re.M))[-1]
for number, (label, new, problem) in enumerate((
        ("store", text[:last.start()] + text[last.end():], ""),
        ("brace", text.rstrip()[:-1], "error: expected '}'"))):
    with open(os.path.join(sys.argv[2], f"{number}.cl"), "w", encoding="utf-8") as file:
        file.write(new)
    print(json.dumps({"text": number, "class": "exact", "problem": problem, "edits": [
        {"kernel": "k0", "rewrite": "drop", "label": label, "line": 1, "launch": "",
         "upon": "", "proved": not problem, "why": "", "suspects": 0}]}))
sys.stdout.flush()
os.abort()
