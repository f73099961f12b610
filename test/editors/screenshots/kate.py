"""kate.py [BIN]: makes docs/images/kate.png again: Kate in an X server without a
screen, as that has drawn it. Wants kate, Xvfb, xdotool and pngquant; BIN is where
clrewrite is (default: build/release/bin)."""
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import zlib

root = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(root / "test/editors/Inputs"), str(root / "test/Inputs")]
from kate import Kate  # noqa: E402
from pictures import images, smaller  # noqa: E402

bin = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build/release/bin")
WIDTH, HEIGHT = 1000, 800
SETTINGS = """{"servers": {"opencl": {
  "command": ["%s/server"], "highlightingModeRegex": "^OpenCL$",
  "initializationOptions": {"targets": ["gfx600"]}}}}"""
RC = """[Kate Plugins]
lspclientplugin=true
[General]
Show Url Nav Bar=false
Show welcome view for new window=false
[KTextEditor Renderer]
Animate Bracket Matching=false
[lspclient]
AllowedServerCommandLines=%s/server
"""
CHOSEN = bytes((233, 174, 61))  # a menu's line under the cursor: blue, green, red


def frame(work):
    """The lines of the screen, four bytes a pixel."""
    data = (work / "Xvfb_screen0").read_bytes()
    head = struct.unpack(">25I", data[:100])
    start, stride = head[0] + 12 * head[19], head[12]
    return [data[start + y * stride:start + y * stride + 4 * WIDTH]
            for y in range(HEIGHT)]


def chosen(lines):
    return sum(line.count(CHOSEN) for line in lines)


def chunk(name, data):
    return (struct.pack(">I", len(data)) + name + data +
            struct.pack(">I", zlib.crc32(name + data)))


def png(lines):
    rows = b""
    for line in lines:
        row = bytearray(3 * WIDTH)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
        rows += b"\0" + bytes(row)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


# Its name is in the picture.
work = pathlib.Path(tempfile.gettempdir()) / "box-sum"
work.mkdir()
try:
    shutil.copy(root / "examples/box-sum/box_sum.cl", work)
    (work / "config/kate/lspclient").mkdir(parents=True)
    (work / "config/kate/lspclient/settings.json").write_text(SETTINGS % work)
    (work / "config/katerc").write_text(RC % work)
    os.environ["PATH"] = f"{bin.resolve()}{os.pathsep}{os.environ['PATH']}"
    k = Kate(str(work), [str(work / "box_sum.cl"), "--line=23"],
             f"{WIDTH}x{HEIGHT}")
    try:
        k.diagnostic("-vector|-vload")
        k.menu("alt+l")
        k.keys("d")  # to the tab with the diagnostics
        k.closed()
        k.actions("-vector|-vload")
        k.keys("Down")
        k.until("a line that is chosen", lambda: chosen(frame(work)) > 4000)
        lines = frame(work)
    finally:
        k.end()
    out = images / "kate.png"
    out.write_bytes(png(lines))
    smaller(out)
finally:
    shutil.rmtree(work)
