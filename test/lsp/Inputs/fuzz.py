"""Random messages, right and wrong, and changes of documents: the server must
not crash, hang or grow.

usage: fuzz.py [--messages N] [--seed N] [--server COMMAND]

Prints what it sent and how much memory the server had after a quarter of it and
at the end (resident set, KiB). Exits with 1 where the server ended, where it did
not answer, or where it grew by more than half."""
import argparse
import collections
import json
import random
import shlex
import subprocess
import sys
import threading

METHODS = ["textDocument/codeLens", "textDocument/inlayHint",
           "textDocument/hover", "textDocument/codeAction",
           "textDocument/formatting", "textDocument/rangeFormatting",
           "workspace/executeCommand", "textDocument/nonsense"]
NOTES = ["textDocument/didSave", "workspace/didChangeConfiguration",
         "$/cancelRequest", "initialized", "textDocument/nothing"]
TEXT = """kernel void sums(global float4 *out, global const float4 *in, int n) {
  float4 sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] * 2.0f;
  out[get_global_id(0)] = sum;
}
"""
PIECES = ["x", "\n", "}", "{", "float", "/*", "*/", "\u20ac", "\U0001d6fc", "\r\n",
          "#define A(", "\"", "kernel void k(global int *p) { *p = 1; }\n", ";"]


class Fuzzer:
    def __init__(self, command, seed):
        self.random = random.Random(seed)
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
        self.answered = set()
        self.asked = collections.deque()  # the server's requests
        self.ids = 0
        self.open = {}
        self.last = collections.deque(maxlen=4)  # what was sent
        self.arrived = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        out = self.server.stdout
        while True:
            length = 0
            while (line := out.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                with self.arrived:
                    self.answered = None
                    self.arrived.notify_all()
                return
            message = json.loads(out.read(length))
            if "method" not in message:
                with self.arrived:
                    self.answered.add(message["id"])
                    self.arrived.notify_all()
            elif "id" in message:
                self.asked.append(message["id"])

    def raw(self, body):
        self.last.append(body[:2000])
        try:
            self.server.stdin.write(
                b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.server.stdin.flush()
        except BrokenPipeError:
            self.ended()

    def ended(self):
        sys.exit(f"fuzz.py: the server ended with {self.server.wait(60)}; "
                 f"the last that it was sent: {list(self.last)}")

    def send(self, **message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def ask(self, method, params):
        self.ids += 1
        self.send(id=self.ids, method=method, params=params)
        return self.ids

    def wait_for(self, number):
        with self.arrived:
            def ready():
                return self.answered is None or number in self.answered
            if not self.arrived.wait_for(ready, 300):
                sys.exit(f"fuzz.py: no answer to {number}")
            if self.answered is None:
                self.ended()

    def memory(self):
        with open(f"/proc/{self.server.pid}/status") as f:
            for line in f:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])

    # What is sent.
    def place(self):
        r = self.random
        return {"line": r.choice([r.randrange(8), r.randrange(-3, 100000)]),
                "character": r.choice([r.randrange(60), -1, 1 << 30])}

    def junk(self, depth=0):
        r = self.random
        kind = r.randrange(8 if depth < 3 else 5)
        if kind < 5:
            return [None, r.randrange(-9, 9), "text", 1.5, True][kind]
        if kind == 5:
            return [self.junk(depth + 1) for _ in range(r.randrange(4))]
        return {r.choice(["uri", "textDocument", "range", "position", "only",
                          "context", "text", "version", "start"]):
                self.junk(depth + 1) for _ in range(r.randrange(4))}

    def params(self):
        r = self.random
        if r.random() < 0.15:
            return self.junk()
        uri = r.choice(list(self.open) + ["file:///none.cl", "untitled:1", "%"])
        out = {"textDocument": {"uri": uri}, "position": self.place(),
               "range": {"start": self.place(), "end": self.place()},
               "context": {"diagnostics": [],
                           "only": r.choice([["quickfix"], ["x"], [], None])},
               "command": r.choice(["clrewrite.explain", "clrewrite.figures", ""]),
               "arguments": r.choice([["reroll"], [uri, "sums"], [], [1]])}
        if r.random() < 0.2:
            out[r.choice(list(out))] = self.junk()
        return out

    def open_one(self):
        uri = f"file:///fuzz/{self.random.randrange(6)}.cl"
        self.open[uri] = 1
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "opencl", "version": 1, "text": TEXT}})

    def change_one(self):
        r = self.random
        if not self.open:
            return self.open_one()
        uri = r.choice(list(self.open))
        self.open[uri] += 1
        changes = []
        for _ in range(r.randrange(1, 4)):
            change = {"text": "".join(r.choice(PIECES)
                                      for _ in range(r.randrange(4)))}
            if r.random() < 0.9:
                change["range"] = {"start": self.place(), "end": self.place()}
            else:
                change["text"] = TEXT
            changes.append(change)
        self.send(method="textDocument/didChange", params={
            "textDocument": {"uri": uri, "version": self.open[uri]},
            "contentChanges": changes})

    def close_one(self):
        if self.open:
            uri = self.random.choice(list(self.open))
            del self.open[uri]
            self.send(method="textDocument/didClose",
                      params={"textDocument": {"uri": uri}})

    def broken(self):
        r = self.random
        self.raw(r.choice([
            b"{", b"[]", b"null", b"\xff\xfe", b'{"jsonrpc": "2.0"}',
            b'{"jsonrpc": "2.0", "id": 1}', b'{"jsonrpc": "1.0", "method": "x"}',
            b'{"jsonrpc": "2.0", "method": 7}', b"[" * 2000,
            json.dumps(self.junk()).encode() or b"{}"]))

    def answer_one(self):
        r = self.random
        self.send(id=self.asked.popleft(), **r.choice([
            {"result": None}, {"result": self.junk()}, {"result": [{}]},
            {"result": [{"targets": r.choice(["gfx600", "gfx906"]),
                         "search": r.random() < 0.5}]},
            {"error": {"code": -32601, "message": "no such method"}}]))

    def one(self):
        if self.asked and self.random.random() < 0.1:
            return self.answer_one()
        kind = self.random.random()
        if kind < 0.45:
            self.change_one()
        elif kind < 0.75:
            self.ask(self.random.choice(METHODS), self.params())
        elif kind < 0.82:
            self.open_one()
        elif kind < 0.86:
            self.close_one()
        elif kind < 0.93:
            self.send(method=self.random.choice(NOTES), params=self.junk())
        else:
            self.broken()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default="clrewrite-lsp")
    given = parser.parse_args()
    f = Fuzzer(shlex.split(given.server), given.seed)
    f.wait_for(f.ask("initialize", {"capabilities": {"workspace": {
        "configuration": True, "didChangeConfiguration": {
            "dynamicRegistration": True}}}, "initializationOptions": {
        "targets": "gfx906", "verify": "off", "measureDelay": 20,
        "searchDelay": 20}}))
    early = 0
    for i in range(given.messages):
        f.one()
        if i % 200 == 199:  # what was sent has been read by then
            f.wait_for(f.ask("workspace/executeCommand", {}))
        if i + 1 == given.messages // 4:
            early = f.memory()
    f.wait_for(f.ask("workspace/executeCommand", {}))
    late = f.memory()
    f.wait_for(f.ask("shutdown", None))
    f.send(method="exit")
    code = f.server.wait(60)
    print(f"{given.messages} messages, seed {given.seed}: exit code {code}, "
          f"{early} KiB after a quarter, {late} KiB at the end")
    sys.exit(code != 0 or late > early * 1.5)


if __name__ == "__main__":
    main()
