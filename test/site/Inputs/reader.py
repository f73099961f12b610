"""reader.py SITE [PAGE...]: serves the site to a headless Chromium, in which
reader.html looks at all pages (or these), and prints what it saw. The server forbids
what is not its own, and so hears from the browser what was asked of other hosts."""
import functools
import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "editors", "Inputs"))
import short  # noqa: E402

site, *given = sys.argv[1:]
said = queue.Queue()
OWN = ("default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; "
       "report-uri /refused")


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", OWN)
        super().end_headers()

    def do_GET(self):
        if self.path != "/reader":
            return super().do_GET()
        with open(os.path.join(HERE, "reader.html"), "rb") as file:
            text = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/refused":
            report = json.loads(text)["csp-report"]
            page = re.sub(r"^https?://[^/]*/", "", report["document-uri"])
            text = f"{page} asked {report['blocked-uri']}"
        said.put(text)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def read(port, pages, *options):
    home = short.folder()
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0",
         f"--user-data-dir={home}", "--window-size=1400,1000", *options,
         f"http://127.0.0.1:{port}/reader#{','.join(pages)}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": home, "TMPDIR": home})
    try:
        while (line := said.get(timeout=240)) != "end":
            print(line, flush=True)
    finally:
        browser.terminate()
        browser.wait()
        shutil.rmtree(home, ignore_errors=True)


server = http.server.ThreadingHTTPServer(
    ("127.0.0.1", 0), functools.partial(Handler, directory=site))
threading.Thread(target=server.serve_forever, daemon=True).start()
everything = sorted(
    os.path.relpath(os.path.join(folder, name), site)
    for folder, _, names in os.walk(site) for name in names
    if name.endswith(".html") and name != "404.html")
everything.sort(key=lambda page: page != "index.html")
read(server.server_port, given or everything)
read(server.server_port, given or [
    "index.html", "docs/rewrites.html", "docs/tutorial.html", "docs/options.html",
    "rewrites/reroll/Reroll.html"], "--blink-settings=preferredColorScheme=0")
server.shutdown()
