"""run_page.py PAGE: runs the Python of a page, block after block, and compares what each
prints with the block of text that follows."""
import contextlib
import io
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    blocks = re.findall(r"```(python|text)\n(.*?)```", file.read(), re.S)
names, ran = {}, 0
for (kind, code), (after, text) in zip(blocks, blocks[1:] + [("", "")]):
    if kind != "python":
        continue
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, sys.argv[1], "exec"), names)
    expected = text if after == "text" else ""
    if printed.getvalue() != expected:
        sys.exit(f"WRONG:\n{code}printed:\n{printed.getvalue()}and not:\n{expected}")
    ran += 1
print(ran, "blocks print what the page says")
