"""screenshots.py [BIN]: makes the pictures of docs/html-report.md again, in
docs/images. Wants chromium, pdftoppm (poppler-utils) and pngquant; BIN is where
clrewrite is (default: build/release/bin)."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import browser
from pictures import images, root, smaller

bin = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build/release/bin")
images.mkdir(exist_ok=True)


def report(work, kind, *files):
    out = f"report.{kind}"
    subprocess.run([bin.resolve() / "clrewrite", "--target=gfx600,gfx906,gfx1100",
                    f"--report={kind}", f"--output={out}", *files],
                   cwd=work, stderr=subprocess.DEVNULL)
    return work / out


with tempfile.TemporaryDirectory() as home:
    work = pathlib.Path(home) / "examples"
    shutil.copytree(root / "examples", work)
    page = report(work, "html", "box-sum", "issue-bound")
    for name, width, height, *dark in (("laptop", 1280, 1640),
                                       ("dark", 1280, 1640, "dark"),
                                       ("phone", 360, 1480)):
        picture = images / f"report-{name}.png"
        browser.picture(page, picture, width, height, *dark)
        smaller(picture)
    browser.print_to(page, work / "report.pdf")
    subprocess.run(["pdftoppm", "-png", "-r", "75", "-f", "1", "-l", "1",
                    "-singlefile", work / "report.pdf", images / "report-print"],
                   check=True)
    smaller(images / "report-print.png")
    shutil.copy(report(work, "svg", "box-sum"), images / "curves.svg")
    shutil.copy(report(work, "svg", "--target=gfx600", "box-sum"),
                images / "occupancy.svg")
