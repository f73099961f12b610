"""Drives Kate in an X server of its own as a person would: by keys.

usage: kate.py FOLDER SCRIPT FILE [line]

FOLDER holds, or gets, Kate's settings (config) and what it and the language
server say to one another (asked, told): its settings name the server
FOLDER/server. SCRIPT is Python; it sees `k`, a Kate with FILE open."""
import os
import re
import signal
import subprocess
import sys
import time

SERVER = """#!/bin/sh
tee '{0}/asked' | clrewrite-lsp | tee '{0}/told'
"""


class Kate:
    def __init__(self, folder, words, size="1100x700", limit=120):
        self.limit = limit  # seconds that anything may take
        self.folder = folder
        self.programs = []
        self.env = {name: value for name, value in os.environ.items()
                    if name not in ("DBUS_SESSION_BUS_ADDRESS", "SUDO_USER")}
        self.env.update(HOME=folder, LC_ALL="C.UTF-8", QT_QPA_PLATFORM="xcb")
        for name in ("config", "data", "cache", "runtime"):
            path = os.path.join(folder, name)
            os.makedirs(path, mode=0o700, exist_ok=True)
            key = "XDG_RUNTIME_DIR" if name == "runtime" else (
                f"XDG_{name.upper()}_HOME")
            self.env[key] = path
        for name in ("asked", "told"):
            open(os.path.join(folder, name), "w").close()
        server = os.path.join(folder, "server")
        with open(server, "w", encoding="utf-8") as f:
            f.write(SERVER.format(folder))
        os.chmod(server, 0o755)
        try:
            self.begin(words, size)
        except BaseException:
            self.end()
            raise

    def begin(self, words, size):
        read, write = os.pipe()
        self.start(["Xvfb", "-displayfd", str(write), "-nolisten", "tcp",
                    "-fbdir", self.folder, "-screen", "0", size + "x24"],
                   pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as display:
            self.env["DISPLAY"] = ":" + display.readline().strip()
        self.start(["kate", "--block", "--startanon"] + words)
        self.until("a window", self.windows)
        main = self.windows()[0]
        # Away from the text, over which it would open hovers.
        self.xdo("mousemove", *(str(int(n) - 1) for n in size.split("x")))
        self.xdo("windowsize", "--sync", main, *size.split("x"))
        self.xdo("windowfocus", "--sync", main)

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
        """Those that are seen: the main one, and menus that are open."""
        return self.xdo("search", "--onlyvisible", "--class", "kate")

    def until(self, what, holds):
        end = time.monotonic() + self.limit
        while not holds():
            if time.monotonic() > end or any(p.poll() is not None
                                             for p in self.programs):
                sys.exit(f"kate.py: no {what}; {self.read('log')}"
                         f"asked: {self.read('asked')}"
                         f"told: {self.read('told')}")
            time.sleep(0.05)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as f:
            return f.read()

    def told(self, pattern):
        """Until the server has said it."""
        self.until(pattern, lambda: re.search(pattern, self.read("told")))

    def asked(self, pattern):
        """Until Kate has said it."""
        self.until(pattern, lambda: re.search(pattern, self.read("asked")))

    def same(self, file, other):
        """Until both files are the same."""
        def equal():
            with open(file, "rb") as a, open(other, "rb") as b:
                return a.read() == b.read()
        self.until(f"{file} like {other}", equal)

    def keys(self, *words):
        self.xdo("key", *words)

    def menu(self, width):
        """Until a menu is open that is as wide: with all that it is to show."""
        def wide():
            for window in self.windows()[1:]:
                found = re.search(r"Geometry: (\d+)x",
                                  " ".join(self.xdo("getwindowgeometry", window)))
                if found and int(found[1]) >= width:
                    return True
            return False
        self.until("menu", wide)

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


def main():
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
