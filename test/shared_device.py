"""Device programs that the tests of a lit process share. Before PoCL compiles its first
kernel it reads nine megabytes of built-in functions, which takes longer than most tests'
own kernels do.

Tests find clrewrite in a folder of links (linked()), where StandIn.cpp's program stands for
the device program: it asks here for one, and brings clrewrite's jobs to it and the answers
back."""
import os
import signal
import socket
import struct
import subprocess
import threading

# What names the pool to the stand-in.
VARIABLE = "CLREWRITE_TEST_DEVICES"
# Of a caller's environment, what a device program or its driver asks for.
ASKED = ("CLREWRITE_DEVICE", "CLREWRITE_SANDBOX", "CL_", "HOME", "LD_", "OCL_", "OPENCL_",
         "POCL_", "TMPDIR", "XDG_")


class DevicePool:
    """Each caller has a program to itself: one that an earlier caller with the same
    arguments and environment has left with all its jobs answered, or a new one. It stays
    in the folder of the caller that it was started for, so that names in jobs are absolute,
    as clrewrite has them."""
    MOST_IDLE = 2

    def __init__(self):
        self.idle = []  # (what it was started with, process), the last used one last
        self.closed = False
        self.lock = threading.Lock()
        # A name that is no file: nothing is left, and no path is too long.
        self.name = f"clrewrite-tests-{os.getpid()}"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind("\0" + self.name)
        self.socket.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def told(self):
        """VARIABLE's value: the pool, and who may ask it, its user who sees its files."""
        return f"{self.name} {os.geteuid()} {os.readlink('/proc/self/ns/mnt')}"

    def accept(self):
        while True:
            caller, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(caller,), daemon=True).start()

    def serve(self, caller):
        process = None
        try:
            with caller, caller.makefile("rb") as said:
                _, user, _ = struct.unpack("3i", caller.getsockopt(
                    socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
                if user != os.geteuid():
                    return
                wanted = read(said)
                process = self.take(wanted)
                socket.send_fds(caller, [b"."], [process.stdin.fileno(),
                                                 process.stdout.fileno()])
                last = said.read(1)
                if last == b"d":
                    self.give(wanted, process)
                    process = None
                elif last == b"e":
                    caller.sendall(b"%d" % process.wait(timeout=60))
        # The caller is gone, or was before it asked, or the program does not end.
        except (OSError, ValueError, subprocess.TimeoutExpired):
            pass
        if process:
            end(process)

    def take(self, wanted):
        with self.lock:
            for each in reversed(self.idle):
                if each[0] == key(wanted) and each[1].poll() is None:
                    self.idle.remove(each)
                    return each[1]
        return subprocess.Popen(
            wanted["command"], env=wanted["environment"], cwd=wanted["folder"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, bufsize=0)

    def give(self, wanted, process):
        with self.lock:
            self.idle.append((key(wanted), process))
            more = max(0, len(self.idle) - (0 if self.closed else self.MOST_IDLE))
            old, self.idle = self.idle[:more], self.idle[more:]
        for _, each in old:
            end(each)

    def close(self):
        """Ends the programs, those that are used as soon as nobody does."""
        with self.lock:
            self.closed = True
            old, self.idle = self.idle, []
        for _, each in old:
            end(each)


def read(said):
    """What a caller wants, as StandIn.cpp sends it."""
    size = int(said.readline())
    text = said.read(size)
    words = text.decode(errors="surrogateescape").split("\0")
    folder = 1 + int(words[0])
    if len(text) != size or folder >= len(words):
        raise ValueError("the caller has ended")
    return {"command": words[1:folder], "folder": words[folder],
            "environment": dict(w.split("=", 1) for w in words[folder + 1:] if "=" in w)}


def key(wanted):
    return wanted["command"], {name: value for name, value in wanted["environment"].items()
                               if name.startswith(ASKED)}


def end(process):
    process.terminate()  # Its keeper ends what is below it.
    process.wait()
    # What the keeper could not end.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def linked(bin_folder, folder):
    """Makes `folder`/bin the folder of links to the programs of `bin_folder`, and gives its
    name. Programs find themselves where they were started: hard links do for that."""
    stand_in = os.path.join(os.path.dirname(bin_folder), "test", "shared", "stand-in")
    os.stat(stand_in)
    links = os.path.join(folder, "bin")
    os.makedirs(links, exist_ok=True)
    symlink(os.path.join(bin_folder, "clrewrite-device"),
            os.path.join(links, "real-clrewrite-device"))
    symlink(stand_in, os.path.join(links, "clrewrite-device"))
    for each in os.scandir(bin_folder):
        link = os.path.join(links, each.name)
        if each.name == "clrewrite-device":
            continue
        if each.is_symlink():
            symlink(os.readlink(each.path), link)
        elif not os.path.exists(link) or not os.path.samefile(each.path, link):
            replace(link, lambda at, to=each.path: os.link(to, at))
    # The layer is there.
    symlink(os.path.join(os.path.dirname(bin_folder), "lib"), os.path.join(folder, "lib"))
    return links


def symlink(to, link):
    if not os.path.islink(link) or os.readlink(link) != to:
        replace(link, lambda at: os.symlink(to, at))


def replace(link, make):
    """In one step, as others may use it."""
    made = f"{link}.{os.getpid()}"
    make(made)
    os.replace(made, link)
