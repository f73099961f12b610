"""filter.py: clrewrite --fix - on texts that can't be rewritten, or are hard
to; says for each whether the same bytes came out, the exit code, and the part
of stderr that the test is about."""
import os
import signal
import subprocess
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
good = open(os.path.join(here, "sum4.cl"), "rb").read()
base = ["clrewrite", "--target=gfx600", "--only-target", "--verify=off", "--fix", "-"]


def show(name, given, out, code, err, about):
    end = ": " + about if about and about in err.decode() else ""
    kept = "echoed" if out == given else "rewritten"
    if kept == "rewritten" and b"unroll_hint" not in out:
        kept = "WRONG " + repr(out[:200])
    print(f"{name}: {kept}, {code}{end}")


def check(name, given, about="", more=()):
    run = subprocess.run(base + list(more), input=given, capture_output=True)
    show(name, given, run.stdout, run.returncode, run.stderr, about)
    return run.stdout


def interrupted(name, number, about, to_child=False):
    """The run can't end by itself: the device never answers."""
    with tempfile.TemporaryDirectory() as folder:
        ready = os.path.join(folder, "ready")
        child = subprocess.Popen(
            base + ["--target=device",
                    f"--device-command=touch {ready}; sleep 20"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        child.stdin.write(good)
        child.stdin.close()
        child.stdin = None
        while not os.path.exists(ready):
            assert child.poll() is None, child.stderr.read()
            time.sleep(0.01)
        to = child.pid
        if to_child:
            with open(f"/proc/{to}/task/{to}/children") as f:
                to = int(f.read().split()[0])
        os.kill(to, number)
        out, err = child.communicate()
        show(name, good, out, child.returncode, err, about)


check("syntax", b"__kernel void f(__global int *p) { p[0] = ; }\r\n",
      "error: expected expression")
check("macros", b"__kernel void f(__global T *p) { p[N] = 0; }",
      "hint: not defined here")
check("binary", bytes(range(256)), "not a text file")
check("target", good, "unknown target", ["--target=gfx9O6"])
check("option", good, "Unknown command line argument", ["--fixx"])
check("two", good, "goes with no other file", ["other.cl"])
check("json", good, "leave out --format", ["--format=json"])
check("report", good, "cannot write the report", ["--output=no/such.txt"])
check("lines", good, "--lines takes two lines", ["--lines=3:2"])
check("help", good, "usage:", ["--help"])
check("empty", b"")
check("no kernel", b"int twice(int x) { return 2 * x; }")
crlf = check("CRLF", good.replace(b"\n", b"\r\n"))
assert crlf.count(b"\n") == crlf.count(b"\r\n")
assert check("byte-order mark", b"\xef\xbb\xbf" + good).startswith(b"\xef\xbb")
assert check("no newline", good.rstrip()).endswith(b"}")
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    interrupted(number.name, number, "interrupted")
interrupted("crash", signal.SIGSEGV, "crashed", to_child=True)
with open("/dev/full", "wb") as full:
    run = subprocess.run(base, input=good, stdout=full, stderr=subprocess.PIPE)
about = "cannot write the document: No space left on device"
print(f"full disk: {run.returncode}: {about * (about in run.stderr.decode())}")
