"""Device programs that the tests of a lit process share. Before PoCL compiles its first
kernel it reads nine megabytes of built-in functions, which takes longer than most tests'
own kernels do.

Tests find clrewrite in a folder of links (linked()), where Inputs/clrewrite-device stands
for the device program: it brings clrewrite's jobs here and the answers back."""
import json
import os
import signal
import socket
import subprocess
import threading

# What names the pool to Inputs/clrewrite-device.
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
            with caller, caller.makefile("rwb") as lines:
                wanted = json.loads(lines.readline())
                process = self.take(wanted)
                if self.work(process, caller, lines):
                    self.give(wanted, process)
                    process = None
        except (OSError, ValueError):  # The caller is gone, or was before it asked.
            pass
        if process:
            end(process)

    def take(self, wanted):
        with self.lock:
            for each in reversed(self.idle):
                if each[0] == key(wanted):
                    self.idle.remove(each)
                    return each[1]
        return subprocess.Popen(
            wanted["command"], env=wanted["environment"], cwd=wanted["folder"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True)

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

    @staticmethod
    def work(process, caller, lines):
        """Whether each job of the caller's was answered."""
        for job in lines:
            try:
                process.stdin.write(job)
                process.stdin.flush()
                reply = answer(process, caller)
            except BrokenPipeError:
                reply = b""
            if not reply:
                lines.write(b"ended %d\n" % process.wait())
                return False
            lines.write(reply)
            lines.flush()
        return True


def key(wanted):
    return wanted["command"], {name: value for name, value in wanted["environment"].items()
                               if name.startswith(ASKED)}


def answer(process, caller):
    """The next answer; nothing where the program ended, as it is made to if the
    caller goes first."""
    done = threading.Event()

    def watch():
        # A caller sends nothing more while it waits: what can be read is the end.
        while not done.wait(0.05):
            try:
                if not caller.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                    return process.terminate()
            except BlockingIOError:
                pass
            except OSError:
                return process.terminate()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    line = process.stdout.readline()
    done.set()
    watcher.join()
    return line


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
    links = os.path.join(folder, "bin")
    os.makedirs(links, exist_ok=True)
    stand_in = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs",
                            "clrewrite-device")
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
