"""interrupt.py WORK FAKE_DEVICE FILE.cl: presses Ctrl-C while clrewrite --fix
waits for the first alternative's figures, and prints what it says then."""
import os
import signal
import subprocess
import sys
import time

work, fake, path = sys.argv[1:]
go = os.path.join(work, "go")
command = ["clrewrite", "--target=device", "--verify=off", "--fix",
           "--objective=registers", f"--device-command={fake} waits:{go}",
           path]
# A background job's SIGINT may be ignored; a user's is not.
child = subprocess.Popen(
    command, stderr=subprocess.STDOUT,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not os.path.exists(go + ".ready"):
    assert child.poll() is None, "it ended before it was interrupted"
    time.sleep(0.01)
child.send_signal(signal.SIGINT)
time.sleep(0.1)
open(go, "w").close()
print("status", child.wait())
