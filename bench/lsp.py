"""How soon the language server has new figures, and what memory it takes.

usage: lsp.py BIN_DIR [EDITS]

A file of 300 lines with five kernels is open; a number in one of them is changed
EDITS times (1000), and each time the lenses are asked for: how long they take,
with the server's own delay of 30 ms and without it, beside a run of `clrewrite
measure` on the same file. For GPU gfx906, without a cache."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir,
                                "test", "lsp", "Inputs"))
from client import Client  # noqa: E402

KERNEL = """
kernel void k%d(global float4 *out, global const float4 *in, int n, float s) {
  int x = get_global_id(0);
  float4 sum = 0;
  for (int i = 0; i < n; ++i) {
    float4 v = in[x + i];
    sum += v * s;
    sum = sum * 0.5f + sqrt(fabs(v));
%s  }
  out[x] = sum;
}
"""


def sample():
    body = "".join(f"    sum += v * {i}.0f; v = v.yzwx;\n" for i in range(49))
    return "".join(KERNEL % (k, body) for k in range(5))


def memory(pid):
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f
                    if line.startswith("VmRSS:"))


def edit(server, path, text, edits, delay):
    """Seconds for each edit, and KiB after a tenth of them and at the end."""
    c = Client([server])
    c.initialize({"targets": "gfx906", "search": False, "measureDelay": delay,
                  "arguments": ["--no-cache"]})
    uri = c.open(path, text)
    c.request("textDocument/codeLens", c.about(uri))
    line = text.split("\n").index("  float4 sum = 0;")
    seconds, early = [], 0
    for i in range(edits):
        c.seen.clear()
        digits = 1 if i == 0 else 4
        began = time.perf_counter()
        c.change(uri, str(1000 + i), {
            "start": {"line": line, "character": 15},
            "end": {"line": line, "character": 15 + digits}})
        c.request("textDocument/codeLens", c.about(uri))
        seconds.append(time.perf_counter() - began)
        if i == edits // 10:
            early = memory(c.server.pid)
    late = memory(c.server.pid)
    assert c.leave() == 0
    return seconds, early, late


def main():
    folder = sys.argv[1]
    edits = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    text = sample()
    with tempfile.TemporaryDirectory() as at:
        path = os.path.join(at, "five.cl")
        with open(path, "w") as f:
            f.write(text)
        command = [os.path.join(folder, "clrewrite"), "measure", "--no-cache",
                   "--target=gfx906", path]
        whole = []
        for _ in range(10):
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            whole.append(time.perf_counter() - began)
        base = statistics.median(whole)
        print(f"{len(text.splitlines())} lines, 5 kernels; "
              f"clrewrite measure: {1000 * base:.0f} ms")
        server = os.path.join(folder, "clrewrite-lsp")
        for delay, count in ((30, edits), (0, min(edits, 100))):
            times, early, late = edit(server, path, text, count, delay)
            middle = statistics.median(times)
            ninety = sorted(times)[int(0.9 * len(times))]
            print(f"{count} edits, delay {delay} ms: figures after "
                  f"{1000 * middle:.0f} ms (median), {1000 * ninety:.0f} ms "
                  f"(nine in ten), {middle / base:.2f} of measure; memory "
                  f"{early} KiB after a tenth, {late} KiB at the end")


if __name__ == "__main__":
    main()
