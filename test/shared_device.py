"""One device program for the many tests of a lit process. Before PoCL compiles its first
kernel it reads nine megabytes of built-in functions, which takes longer than a test's
own kernels do.

As a program, `shared_device.py NAME` stands for that device program: it takes a
clrewrite's jobs there and brings the answers back (--device-command). It ends as the
device program did, if that ended."""
import os
import socket
import subprocess
import sys
import threading


class SharedDevice:
    """Serves one caller after another. What a caller leaves unfinished ends with the
    device program that it was asked of; the next caller gets a new one."""

    def __init__(self, program):
        self.program = program
        self.process = None
        # A name that is no file: nothing is left, and no path is too long.
        self.name = f"clrewrite-tests-{os.getpid()}"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind("\0" + self.name)
        self.socket.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def command(self):
        return " ".join([sys.executable, "-I", "-S", os.path.abspath(__file__), self.name])

    def serve(self):
        while True:
            caller, _ = self.socket.accept()
            finished = False
            try:
                with caller, caller.makefile("rwb") as lines:
                    finished = self.work(caller, lines)
            except OSError:  # The caller is gone.
                pass
            if not finished:
                self.end()

    def work(self, caller, lines):
        """Whether each job of the caller's was answered."""
        for job in lines:
            if not self.process:
                self.process = subprocess.Popen(
                    self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, start_new_session=True)
            self.process.stdin.write(job)
            self.process.stdin.flush()
            process = self.process
            answer = self.answer(caller, process)
            if not answer:
                lines.write(b"ended %d\n" % process.wait())
                return False
            lines.write(answer)
            lines.flush()
        return True

    def answer(self, caller, process):
        """The next answer; nothing where the program ended, as it is made to if the
        caller goes first."""
        done = threading.Event()

        def watch():
            # A caller sends nothing more while it waits: what can be read is the end.
            while not done.wait(0.05):
                try:
                    if not caller.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                        return self.end()
                except BlockingIOError:
                    pass
                except OSError:
                    return self.end()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        answer = process.stdout.readline()
        done.set()
        watcher.join()
        return answer

    def end(self):
        if self.process:
            self.process.terminate()  # Its keeper ends what is below it.
            self.process.wait()
            self.process = None


def main():
    with socket.socket(socket.AF_UNIX) as server:
        server.connect("\0" + sys.argv[1])
        with server.makefile("rwb") as lines:
            for job in sys.stdin.buffer:
                lines.write(job)
                lines.flush()
                answer = lines.readline()
                if not answer or answer.startswith(b"ended "):
                    status = int(answer[6:] or 1)
                    return 128 - status if status < 0 else status
                sys.stdout.buffer.write(answer)
                sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
