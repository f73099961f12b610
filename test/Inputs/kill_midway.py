"""kill_midway.py ORIGINAL WORK: kills clrewrite --fix at 12 moments, the last
ones around the moment of writing, and checks the file after each."""
import shutil
import signal
import subprocess
import sys
import time

original, work = sys.argv[1:]
command = ["clrewrite", "--target=gfx600", "--only-target", "--fix", work]


def run():
    return subprocess.Popen(command, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


shutil.copy(original, work)
start = time.time()
assert run().wait() == 0
whole = time.time() - start
old, new = open(original).read(), open(work).read()
assert old != new
for n in range(12):
    shutil.copy(original, work)
    child = run()
    time.sleep(whole * (n + 1) / 12)
    child.send_signal(signal.SIGKILL if n % 2 else signal.SIGINT)
    child.wait()
    assert open(work).read() in (old, new), f"torn after kill {n}"
print("12 runs killed, every file whole")
