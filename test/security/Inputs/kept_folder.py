"""kept_folder.py FOLDER WORD...: starts clrewrite-device with WORDs from a process
that ends before it; says what became of FOLDER when it has ended too."""
import ctypes
import os
import subprocess
import sys

folder, *words = sys.argv[1:]
os.mkdir(folder)
with open(os.path.join(folder, "compiled"), "w"):
    pass
# PR_SET_CHILD_SUBREAPER: who has lost its parent becomes this process's child.
assert ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) == 0
jobs, to = os.pipe()
shell = subprocess.Popen(
    ["sh", "-c", f'"$@" <&{jobs} & wait', "sh", "clrewrite-device", *words],
    pass_fds=[jobs], stdout=subprocess.PIPE)
os.write(to, b'{"v": 1, "id": 1, "job": "hello"}\n')
assert b'"ok":true' in shell.stdout.readline().replace(b" ", b"")
# It works. Now its caller goes, and then its input.
shell.kill()
shell.wait()
os.close(jobs)
os.close(to)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
print("kept" if os.path.exists(os.path.join(folder, "compiled")) else "removed")
