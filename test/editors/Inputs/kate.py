"""Drives Kate in an X server of its own as a person would: by keys.

usage: kate.py FOLDER SCRIPT FILE [line]

FOLDER holds, or gets, Kate's settings (config) and what it and the language
server say to one another (asked, told; a message a line): its settings name the
server FOLDER/server. SCRIPT is Python; it sees `k`, a Kate with FILE open.

What is waited for is what Kate and the server say, and whether a window is
there: never a time, nor how wide or where something is. Every wait has a limit
in seconds, the environment's LIMIT or 300, after which it is a failure."""
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import short

LIMIT = float(os.environ.get("LIMIT", 300))

# Between Kate and the language server stands this file again.
SERVER = """#!/bin/sh
exec "$KATE_PYTHON" "$KATE_DRIVER" --between "$KATE_FOLDER"
"""


def messages(stream):
    """Those of a stream of the language server protocol, until it ends."""
    while True:
        length = 0
        for line in iter(stream.readline, b""):
            if not line.strip():
                break
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        else:
            return
        yield stream.read(length)


def send(stream, body):
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def between(folder):
    """Passes on what Kate and the server say to one another, and writes it down
    in the folder: what Kate says in "asked", and in "told" what it is told once
    it has read that. Kate reads one message after the other, so that is known
    by asking it, after each, for something that it answers at once."""
    server = subprocess.Popen(["clrewrite-lsp"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    unread = collections.deque()
    mark = "has Kate read it? "

    def record(name, body):
        line = json.dumps(json.loads(body), ensure_ascii=False) + "\n"
        with open(os.path.join(folder, name), "a", encoding="utf-8") as f:
            f.write(line)

    def from_kate():
        for body in messages(sys.stdin.buffer):
            if str(json.loads(body).get("id")).startswith(mark):
                record("told", unread.popleft())
                continue
            record("asked", body)
            send(server.stdin, body)
        server.stdin.close()

    threading.Thread(target=from_kate, daemon=True).start()
    for number, body in enumerate(messages(server.stdout)):
        unread.append(body)
        send(sys.stdout.buffer, body)
        send(sys.stdout.buffer, json.dumps(
            {"jsonrpc": "2.0", "id": f"{mark}{number}",
             "method": "window/workDoneProgress/create",
             "params": {"token": f"{mark}{number}"}}).encode())
    return server.wait()


class Kate:
    def __init__(self, folder, words, size="1100x700", limit=LIMIT):
        self.limit = limit  # seconds that anything may take
        self.folder = folder
        self.programs = []
        self.main = None
        # Kate's sockets lie here. Where one has too long a path, a message says
        # so in a window of its own, which gets the keys that are meant for Kate.
        self.runtime = short.folder()
        self.env = {name: value for name, value in os.environ.items()
                    if name not in ("DBUS_SESSION_BUS_ADDRESS", "SUDO_USER",
                                    "XAUTHORITY", "XDG_CURRENT_DESKTOP")}
        self.env.update(
            HOME=folder, LC_ALL="C.UTF-8", QT_QPA_PLATFORM="xcb",
            XDG_RUNTIME_DIR=self.runtime, KATE_FOLDER=folder,
            KATE_PYTHON=sys.executable, KATE_DRIVER=os.path.abspath(__file__))
        for name in ("config", "data", "cache"):
            path = os.path.join(folder, name)
            os.makedirs(path, exist_ok=True)
            self.env[f"XDG_{name.upper()}_HOME"] = path
        for name in ("asked", "told", "log"):
            open(os.path.join(folder, name), "w").close()
        server = os.path.join(folder, "server")
        with open(server, "w", encoding="utf-8") as f:
            f.write(SERVER)
        os.chmod(server, 0o755)
        try:
            self.begin(words, size)
        except BaseException:
            self.end()
            raise

    def begin(self, words, size):
        read, write = os.pipe()
        # It would begin anew, and refuse who comes meanwhile, whenever the last
        # of its clients has gone: xdotool, before Kate has come.
        self.start(["Xvfb", "-displayfd", str(write), "-nolisten", "tcp",
                    "-noreset", "-fbdir", self.folder,
                    "-screen", "0", size + "x24"], pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as display:
            number = display.readline().strip()
        if not number:
            self.fail("X server")
        self.env["DISPLAY"] = ":" + number
        self.start(["kate", "--block", "--startanon"] + words)
        # A message may come before it.
        title = re.escape(os.path.basename(words[0]))

        def shown():
            found = self.xdo("search", "--onlyvisible", "--name", title)
            self.main = found[0] if found else None
            return found
        self.until("window with the file", shown)
        # Away from the text, over which it would open hovers.
        self.xdo("mousemove", *(str(int(n) - 1) for n in size.split("x")))
        self.xdo("windowsize", self.main, *size.split("x"))
        self.until("focus", self.focused)

    def start(self, words, **more):
        # Its own group: what it starts ends with it.
        with open(os.path.join(self.folder, "log"), "a") as log:
            self.programs.append(subprocess.Popen(
                words, env=self.env, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, **more))

    def xdo(self, *words):
        return subprocess.run(["xdotool", *words], env=self.env, text=True,
                              capture_output=True).stdout.split()

    def windows(self):
        """Those that are seen: the main one, menus and messages."""
        return self.xdo("search", "--onlyvisible", "--class", "kate")

    def focused(self):
        """Whether keys go to the main window, which else gets them next."""
        if self.xdo("getwindowfocus", "-f") == [self.main]:
            return True
        self.xdo("windowfocus", self.main)
        return False

    def fail(self, what):
        names = [" ".join(self.xdo("getwindowname", window))
                 for window in self.windows()]
        said = "\n".join(
            f"== {name}:\n{self.read(name)[-6000:]}"
            for name in ("log", "asked", "told"))
        sys.exit(f"kate.py: no {what}; windows: {names}\n{said}")

    def until(self, what, holds):
        end = time.monotonic() + self.limit
        while not holds():
            if time.monotonic() > end or any(p.poll() is not None
                                             for p in self.programs):
                self.fail(what)
            time.sleep(0.05)

    def read(self, name):
        # Its end may be half a letter, for a moment.
        with open(os.path.join(self.folder, name), encoding="utf-8",
                  errors="replace") as f:
            return f.read()

    def said(self, name):
        """The messages of "asked" or "told"; the last may not be whole yet."""
        return [json.loads(line) for line in self.read(name).split("\n")[:-1]]

    def diagnostic(self, pattern):
        """Until Kate has read diagnostics of which one says it."""
        def there():
            last = [m["params"]["diagnostics"] for m in self.said("told")
                    if m.get("method") == "textDocument/publishDiagnostics"][-1:]
            return any(re.search(pattern, d["message"])
                       for each in last for d in each)
        self.until(f"diagnostic {pattern!r}", there)

    def asked(self, pattern):
        """Until Kate has said it."""
        self.until(repr(pattern), lambda: re.search(pattern, self.read("asked")))

    def answer(self, method, count):
        """What Kate has read as the answer when it asked that for the count-th
        time, from 0; None before."""
        ids = [m["id"] for m in self.said("asked") if m.get("method") == method]
        for m in self.said("told") if len(ids) > count else ():
            if "method" not in m and m.get("id") == ids[count]:
                return m

    def same(self, file, other):
        """Until both files are the same. An editor that writes one may take it
        away for a moment."""
        def equal():
            try:
                with open(file, "rb") as a, open(other, "rb") as b:
                    return a.read() == b.read()
            except FileNotFoundError:
                return False
        self.until(f"{file} like {other}", equal)

    def keys(self, *words):
        self.xdo("key", *words)

    def menu(self, *keys):
        """Opens a menu by keys; until it is on the screen."""
        self.closed()
        self.until("focus", self.focused)
        self.keys(*keys)
        self.until("menu", lambda: set(self.windows()) - {self.main})

    def closed(self):
        """Until there is no menu and no message."""
        self.until("main window alone", lambda: self.windows() == [self.main])

    def actions(self, pattern):
        """Opens the menu of the actions at the cursor; until Kate has read what
        they are, of which the first has such a title."""
        method = "textDocument/codeAction"
        count = sum(m.get("method") == method for m in self.said("asked"))
        self.menu("alt+Return")
        self.until("answer with actions", lambda: self.answer(method, count))
        answer = self.answer(method, count)
        titles = [a["title"] for a in answer.get("result") or ()]
        if not titles or not re.search(pattern, titles[0]):
            self.fail(f"action {pattern!r} that is the first of {titles}")

    def end(self):
        for program in reversed(self.programs):
            for sent in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(program.pid, sent)
                    program.wait(20)
                    break
                except subprocess.TimeoutExpired:
                    continue
                except ProcessLookupError:
                    break
        shutil.rmtree(self.runtime, ignore_errors=True)


def main():
    if sys.argv[1] == "--between":
        sys.exit(between(sys.argv[2]))
    folder, script, *words = sys.argv[1:]
    with open(script, encoding="utf-8") as f:
        code = compile(f.read(), script, "exec")
    k = Kate(os.path.abspath(folder),
             words[:1] + ["--line=" + line for line in words[1:]])
    try:
        exec(code, {"k": k, "os": os})
    finally:
        k.end()


if __name__ == "__main__":
    main()
