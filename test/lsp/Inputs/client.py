"""A client of clrewrite-lsp for tests: sends what a test says, in its order, and
prints what the server says, as lines of JSON.

usage: client.py [--server COMMAND] SCRIPT [ARGUMENT...]

SCRIPT is Python; it sees the object `c` (class Client) and `args`."""
import json
import os
import select
import shlex
import subprocess
import sys


class Client:
    def __init__(self, command, limit=120):
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.limit = limit  # seconds that any one message may take
        self.buffer = b""
        self.seen = []  # messages that nobody has waited for yet
        self.ids = 0
        self.texts = {}
        self.answers = {}  # to the server's requests: functions, by method

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def message(self):
        """The next message; None at the end."""
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if mark:
                length = int(head.split(b"Content-Length:")[1].split()[0])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            if not select.select([self.server.stdout], [], [], self.limit)[0]:
                sys.exit("client.py: the server said nothing for "
                         f"{self.limit} s; seen: {self.seen}")
            data = os.read(self.server.stdout.fileno(), 65536)
            if not data:
                return None
            self.buffer += data

    def wait(self, wanted):
        """The first message, seen or to come, of which `wanted` is true."""
        for i, m in enumerate(self.seen):
            if wanted(m):
                return self.seen.pop(i)
        while True:
            m = self.message()
            if m is None:
                sys.exit(f"client.py: the server ended; seen: {self.seen}")
            if "id" in m and "method" in m:  # a request of the server's
                answer = self.answers.get(m["method"], lambda params: None)
                self.send({"id": m["id"], "result": answer(m["params"])})
            if wanted(m):
                return m
            self.seen.append(m)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def begin(self, method, params):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        return self.ids

    def end(self, number):
        m = self.wait(lambda m: m.get("id") == number and "method" not in m)
        return m["error"] if "error" in m else m["result"]

    def request(self, method, params):
        return self.end(self.begin(method, params))

    # What most tests need.
    def initialize(self, options=None, capabilities=None, root=None):
        answer = self.request("initialize", {
            "processId": None, "rootUri": root,
            "capabilities": capabilities or {},
            "initializationOptions": options})
        self.notify("initialized", {})
        return answer

    def open(self, path, text=None):
        if text is None:
            with open(path, encoding="utf-8", newline="") as f:
                text = f.read()
        uri = "file://" + os.path.abspath(path)
        self.texts[uri] = [1, text]
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "opencl", "version": 1, "text": text}})
        return uri

    def change(self, uri, text, rng=None):
        """Replaces the range, or all."""
        version = self.texts[uri][0] = self.texts[uri][0] + 1
        change = {"text": text} if rng is None else {"range": rng, "text": text}
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [change]})
        return version

    def diagnostics(self, uri, wanted=lambda d: True):
        """The next that were published for it and that are `wanted`."""
        return self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri
            and wanted(m["params"]))["params"]

    def about(self, uri, **more):
        return {"textDocument": {"uri": uri}, **more}

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.server.stdin.close()
        return self.server.wait(self.limit)


def span(first, last):
    """A range of whole lines, from 0, the last one left out."""
    return {"start": {"line": first, "character": 0},
            "end": {"line": last, "character": 0}}


def applied(text, edits):
    """The text after the edits, for texts without characters beyond ASCII."""
    lines = text.splitlines(keepends=True) + [""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    def offset(p):
        return min(starts[min(p["line"], len(lines))] + p["character"],
                   len(text))
    for e in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
        a, b = offset(e["range"]["start"]), offset(e["range"]["end"])
        text = text[:a] + e["newText"] + text[b:]
    return text


def main():
    words = sys.argv[1:]
    # GPUs that a test does not name have no say in what is offered.
    command = ["clrewrite", "lsp", "--only-target"]
    if words[0] == "--server":
        command = shlex.split(words[1])
        words = words[2:]
    c = Client(command)
    with open(words[0], encoding="utf-8") as f:
        code = compile(f.read(), words[0], "exec")
    exec(code, {"c": c, "args": words[1:], "span": span, "applied": applied,
                "json": json, "os": os, "show": lambda v: print(json.dumps(v))})


if __name__ == "__main__":
    main()
