"""Runs a command with stderr on a terminal of some width, and writes what it
showed there, a line for each that was replaced. Fails where a line does not
fit, or is left standing.

usage: on_terminal.py COLUMNS FILE COMMAND..."""
import fcntl
import os
import struct
import subprocess
import sys
import termios

columns, file = int(sys.argv[1]), sys.argv[2]
ours, theirs = os.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
environment = {name: value for name, value in os.environ.items()
               if name != "COLUMNS"}
process = subprocess.Popen(sys.argv[3:], stderr=theirs, env=environment,
                           stdout=subprocess.DEVNULL)
os.close(theirs)
shown = b""
while True:
    try:
        some = os.read(ours, 65536)
    except OSError:  # the other end is closed
        break
    if not some:
        break
    shown += some
process.wait()
lines = shown.decode().split("\r\x1b[K")
if lines[-1]:
    sys.exit("left standing: " + lines[-1])
for line in lines:
    if len(line) >= columns or "\n" in line:
        sys.exit(f"does not fit {columns} columns: {line}")
with open(file, "w") as out:
    out.write("\n".join(lines))
