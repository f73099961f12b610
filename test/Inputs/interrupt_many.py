"""interrupt_many.py FAKE_DEVICE SIGNAL TIMES FILE.cl ...: sends SIGNAL so many
times while clrewrite --fix waits for the device over the first of the files, and
prints what it says then, and how it ends: as a shell would report it."""
import os
import signal
import subprocess
import sys
import time

fake, name, times, *files = sys.argv[1:]
number = getattr(signal, name)
go = os.path.join(os.path.dirname(files[0]), "go")
child = subprocess.Popen(
    ["clrewrite", "--target=device", "--verify=off", "--fix",
     "--objective=registers", "--output=report.txt",
     f"--device-command={fake} waits:{go}"] + files,
    stderr=subprocess.PIPE, text=True,
    # A background job's SIGINT may be ignored; a user's is not.
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not os.path.exists(go + ".ready"):
    assert child.poll() is None, "it ended before it was interrupted"
    time.sleep(0.01)
for n in range(int(times)):
    child.send_signal(number)
    # Signals of one kind are not counted: wait until it has seen this one.
    while n == 0 and "once more" not in child.stderr.readline():
        pass
if times == "1":
    open(go, "w").close()
print(child.stderr.read(), end="")
code = child.wait()
print("status", code if code >= 0 else f"{signal.Signals(-code).name}")
