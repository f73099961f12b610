"""Drives a program of the terminal as a person would: types, and looks at the
screen. The terminal is tmux.

usage: screen.py SCRIPT COMMAND [argument...]

SCRIPT is Python; it sees `s`, a Screen in which the command runs. Every wait has
a limit in seconds, the environment's LIMIT or 300, after which it is a failure."""
import os
import re
import shutil
import subprocess
import sys
import time

import short

LIMIT = float(os.environ.get("LIMIT", 300))


class Screen:
    def __init__(self, command, width=120, height=40, limit=LIMIT):
        self.limit = limit  # seconds that anything may take
        self.dir = short.folder()  # of the terminal's socket
        # Nothing stays behind whatever becomes of us. No shell comes before it:
        # one that forks would leave the program in the background, where it
        # may not use the terminal.
        command = ["timeout", "-k", "10", str(5 * limit)] + command
        try:
            self.tmux("-f", "/dev/null", "-u", "new-session", "-d",
                      "-x", str(width), "-y", str(height),
                      *command, ";",
                      "set", "-g", "status", "off", ";",
                      "set", "-g", "default-terminal", "tmux-256color", ";",
                      "set", "-s", "escape-time", "0", ";",
                      "set", "-as", "terminal-overrides", ",*:Tc")
        except BaseException:
            self.end()
            raise

    def tmux(self, *words):
        done = subprocess.run(
            ["tmux", "-S", os.path.join(self.dir, "socket"), *words],
            text=True, capture_output=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"})
        if done.returncode:
            sys.exit(f"screen.py: the program has ended? {done.stderr}")
        return done.stdout

    def text(self):
        return self.tmux("capture-pane", "-p")

    def colours(self):
        """The screen with its escape sequences."""
        return self.tmux("capture-pane", "-p", "-e")

    def until(self, what, holds):
        end = time.monotonic() + self.limit
        while not holds():
            if time.monotonic() > end:
                sys.exit(f"screen.py: {self.limit} s passed without {what}; "
                         f"the screen:\n{self.text()}")
            time.sleep(0.05)

    def wait(self, pattern):
        """Until the screen shows the regular expression; the screen that does."""
        shown = [""]

        def shows():
            shown[0] = self.text()
            return re.search(pattern, shown[0], re.M)
        self.until(repr(pattern), shows)
        return shown[0]

    def keys(self, *words):
        """Types each word, or presses the key of that name (Enter, C-x)."""
        self.tmux("send-keys", *words)

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

    def ended(self):
        """Until the program has ended, and the terminal with it."""
        self.until("an end", lambda: subprocess.run(
            ["tmux", "-S", os.path.join(self.dir, "socket"), "has-session"],
            capture_output=True).returncode)

    def end(self):
        subprocess.run(["tmux", "-S", os.path.join(self.dir, "socket"),
                        "kill-server"], capture_output=True)
        shutil.rmtree(self.dir, ignore_errors=True)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        code = compile(f.read(), sys.argv[1], "exec")
    s = Screen(sys.argv[2:])
    try:
        exec(code, {"s": s, "os": os})
    finally:
        s.end()


if __name__ == "__main__":
    main()
