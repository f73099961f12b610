"""shared_pool.py BUILD FOLDER KERNEL: verifies the kernel with itself three times by the
device programs of a pool (shared_device.py), and prints how many the pool has started.
Then callers that end too early, in several ways, and one more verification."""
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import shared_device  # noqa: E402

build, folder, kernel = sys.argv[1:]
links = shared_device.linked(os.path.join(build, "bin"), os.path.join(build, "test", "shared"))
pool = shared_device.DevicePool()
started = []
take = pool.take


def counted(wanted):
    known = [process for _, process in pool.idle]
    process = take(wanted)
    if process not in known:
        started.append(process)
    return process


pool.take = counted


def verify():
    subprocess.run([os.path.join(links, "clrewrite"), "verify", kernel, kernel], check=True,
                   stdout=subprocess.DEVNULL,
                   env={**os.environ, shared_device.VARIABLE: pool.told(),
                        "CLREWRITE_DEVICE_FOLDER": folder})


def wait_for(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "the pool does not get its program back"
        time.sleep(0.01)


for _ in range(3):
    verify()
    wait_for(lambda: pool.idle)
print(f"started: {len(started)}")
for text in (b"", b"x\n", b"100\n2\0too\0few", b"2\n9\0"):
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("\0" + pool.name)
        caller.sendall(text)
        caller.shutdown(socket.SHUT_WR)
        assert not caller.recv(1)
verify()
print(f"started: {len(started)}")
pool.close()
