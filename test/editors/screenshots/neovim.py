"""neovim.py [BIN]: makes docs/images/neovim-*.png again: Neovim in a terminal, as
that shows it. Wants nvim, tmux, chromium and pngquant; BIN is where clrewrite is
(default: build/release/bin)."""
import html
import os
import pathlib
import re
import shutil
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(root / "test/editors/Inputs"), str(root / "test/Inputs")]
import browser  # noqa: E402
import screen  # noqa: E402
from pictures import images, smaller  # noqa: E402

bin = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build/release/bin")
COLUMNS, LINES = 160, 36

INIT = """
package.path = "{}/editors/nvim/?.lua;" .. package.path
require("clrewrite").setup({{ targets = {{ "gfx600" }}, pressure = true }})
vim.o.termguicolors, vim.o.updatetime, vim.o.number = true, 300, true
vim.o.background, vim.o.signcolumn, vim.o.laststatus = "light", "no", 0
vim.cmd("autocmd BufRead *.cl set filetype=opencl syntax=c")
vim.cmd([[
  highlight Normal guifg=#202020 guibg=#ffffff
  highlight Comment guifg=#6a737d
  highlight Type gui=none guifg=#1f5fbf
  highlight Constant guifg=#a0430a
  highlight LineNr guifg=#aaaaaa
  highlight EndOfBuffer gui=none guifg=#ffffff
  highlight LspCodeLens guifg=#1a7f37
  highlight DiagnosticInfo guifg=#8250df
  highlight DiagnosticUnderlineInfo guisp=#8250df
]])
"""
STYLE = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: #fff; color: #202020; }}
pre {{ margin: 8px; font: 14px/18px "DejaVu Sans Mono", monospace; }}
</style><pre>{}</pre>"""


def restyle(style, codes):
    """A span's style after an escape sequence, as far as Neovim uses them."""
    words = [int(w or 0) for w in re.split("[;:]", codes)]
    while words:
        word = words.pop(0)
        if word == 0:
            style.clear()
        elif word in (38, 48, 58) and words and words.pop(0) == 2:
            colour, words = words[:3], words[3:]
            key = {38: "color", 48: "background",
                   58: "text-decoration-color"}[word]
            style[key] = "rgb({},{},{})".format(*colour)
        elif word in (39, 49):
            style.pop("color" if word == 39 else "background", None)
        elif word == 1:
            style["font-weight"] = "bold"
        elif word == 4:
            style["text-decoration-line"] = "underline"
        elif word == 7:
            style.update({"color": "#fff", "background": "#57606a"})


def page(text):
    """The screen with its escape sequences, in HTML."""
    style, out = {}, []
    for i, part in enumerate(re.split(r"\x1b\[([\d;:]*)m", text)):
        if i % 2:
            restyle(style, part)
            continue
        css = ";".join(f"{key}:{value}" for key, value in style.items())
        out.append(f'<span style="{css}">{html.escape(part)}</span>')
    return STYLE.format("".join(out))


def picture(name, s, work):
    (work / "page.html").write_text(page(s.colours()), encoding="utf-8")
    out = images / f"neovim-{name}.png"
    browser.picture(work / "page.html", out, int(COLUMNS * 8.43) + 20,
                    LINES * 18 + 16)
    smaller(out)


with tempfile.TemporaryDirectory() as home:
    work = pathlib.Path(home)
    shutil.copy(root / "examples/box-sum/box_sum.cl", work)
    (work / "init.lua").write_text(INIT.format(root))
    os.environ["PATH"] = f"{bin.resolve()}{os.pathsep}{os.environ['PATH']}"
    os.chdir(work)
    s = screen.Screen(["nvim", "-i", "NONE", "-n", "-u", "init.lua", "+23",
                       "box_sum.cl"], COLUMNS, LINES)
    try:
        for shown in ("waves", "-vector|-vload", "37 live"):
            s.wait(shown)
        picture("before", s, work)
        s.keys(":ClrewriteFix", "Enter")
        s.wait("10 of 10 waves")
        s.wait("21 live|22 live")
        picture("after", s, work)
    finally:
        s.end()
