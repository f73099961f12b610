"""A page in a headless Chromium.

browser.py layout PAGE WIDTH...      what does not fit at these widths (pixels)
browser.py print PAGE OUT.pdf        as it is printed, where no script may run
                                     and nothing be fetched
browser.py picture PAGE OUT.png WIDTH HEIGHT [dark]
"""
import html
import json
import os
import re
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "..", "editors", "Inputs"))
import short  # noqa: E402

# Elements that stand out of the window, texts that stand out of their drawing,
# and texts of a drawing that lie over one another. Headings that are hidden on
# narrow screens are not seen.
MEASURE = """
<script>
const out = {scroll: document.documentElement.scrollWidth, outside: [],
             clipped: [], over: [], charts: 0};
const name = e => e.tagName + '.' + (e.className.baseVal ?? e.className) +
                  ' "' + e.textContent.trim().slice(0, 40) + '"';
for (const e of document.body.querySelectorAll('*')) {
  const box = e.getBoundingClientRect();
  if (box.width > 1 && box.right > innerWidth + 0.5 && !e.closest('thead'))
    out.outside.push(name(e));
}
for (const d of document.querySelectorAll('details')) d.open = true;
for (const chart of document.querySelectorAll('svg.chart')) {
  out.charts += 1;
  const frame = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll('text')];
  const boxes = texts.map(t => t.getBoundingClientRect());
  boxes.forEach((a, i) => {
    if (a.left < frame.left - 1 || a.right > frame.right + 1)
      out.clipped.push(name(texts[i]));
    boxes.slice(i + 1).forEach((b, j) => {
      if (a.left + 1 < b.right && b.left + 1 < a.right &&
          a.top + 3 < b.bottom && b.top + 3 < a.bottom)
        out.over.push(name(texts[i]) + ' and ' + name(texts[i + 1 + j]));
    });
  });
}
parent.postMessage(JSON.stringify(out), '*');
</script>"""

# A window is 500 pixels wide at least; a frame may be narrower.
FRAME = """<!DOCTYPE html><iframe src="page.html"
style="width: {width}px; height: 900px; border: 0"></iframe><pre id="said"></pre>
<script>onmessage = e => said.textContent = e.data;</script>"""

# No scripts, and nothing from elsewhere.
ALONE = """<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'unsafe-inline'"/>"""


def chromium(*options):
    # Its socket lies beside its settings, or they in TMPDIR.
    home = short.folder()
    try:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--no-first-run",
                   "--hide-scrollbars", f"--user-data-dir={home}", *options]
        run = subprocess.run(command, capture_output=True, text=True,
                             timeout=300, env={**os.environ, "HOME": home,
                                               "TMPDIR": home})
        if run.returncode:
            sys.exit(f"chromium ended with {run.returncode}: {run.stderr}")
        return run.stdout
    finally:
        shutil.rmtree(home, ignore_errors=True)


def url(page):
    return pathlib.Path(page).resolve().as_uri()


def layout(page, *widths):
    text = open(page, encoding="utf-8").read()
    assert "</body>" in text, "no page"
    with tempfile.TemporaryDirectory() as work:
        copy = os.path.join(work, "page.html")
        with open(copy, "w", encoding="utf-8") as out:
            # The page itself lets no script run, ours neither.
            bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>',
                          "", text)
            assert bare != text, "the page does not forbid scripts"
            out.write(bare.replace("</body>", MEASURE + "</body>"))
        for width in widths:
            frame = os.path.join(work, "frame.html")
            with open(frame, "w", encoding="utf-8") as out:
                out.write(FRAME.replace("{width}", width))
            dom = chromium("--dump-dom", "--virtual-time-budget=10000",
                           "--window-size=1600,1000", url(frame))
            said = dom.split('<pre id="said">')[1].split("</pre>")[0]
            seen = json.loads(html.unescape(said))
            print(f"{width}: {seen['scroll']} wide, {seen['charts']} charts")
            for what in ("outside", "clipped", "over"):
                for each in seen[what]:
                    print(f"{width}: {what}: {each}")


def print_to(page, out):
    text = open(page, encoding="utf-8").read()
    with tempfile.TemporaryDirectory() as work:
        copy = os.path.join(work, "page.html")
        with open(copy, "w", encoding="utf-8") as to:
            to.write(text.replace("<head>", "<head>" + ALONE, 1))
        chromium("--no-pdf-header-footer",
                 f"--print-to-pdf={os.path.abspath(out)}", url(copy))
    if not os.path.exists(out):
        sys.exit("chromium printed nothing")


def picture(page, out, width, height, dark=""):
    chromium(*(["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]
               if dark else []),
             f"--window-size={width},{height}",
             f"--screenshot={os.path.abspath(out)}", url(page))


if __name__ == "__main__":
    {"layout": layout, "print": print_to, "picture": picture}[sys.argv[1]](
        *sys.argv[2:])
