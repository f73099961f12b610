"""shared_pool.py BUILD FOLDER: starts what stands for the device program (StandIn.cpp) several
times, one after the other, and prints how many programs the pool (shared_device.py) has
started. Then callers that end too early, in several ways, and one more that does not."""
import json
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import shared_device  # noqa: E402

build, folder = sys.argv[1:]
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


def ask(end):
    """One job. `end` ends the stand-in as clrewrite does, in one way or another."""
    with subprocess.Popen(
            [os.path.join(links, "clrewrite-device"), "--private=" + folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, shared_device.VARIABLE: pool.told()}) as stand_in:
        stand_in.stdin.write(b'{"v":1,"id":1,"job":"hello"}\n')
        stand_in.stdin.flush()
        assert json.loads(stand_in.stdout.readline())["ok"]
        end(stand_in)
        stand_in.wait()
    wait_for(lambda: pool.idle)


def wait_for(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "the pool does not get its program back"
        time.sleep(0.01)


for _ in range(3):
    ask(lambda stand_in: stand_in.terminate())
    ask(lambda stand_in: stand_in.stdin.close())
print(f"started: {len(started)}")
for text in (b"", b"x\n", b"100\n2\0too\0few", b"2\n9\0"):
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("\0" + pool.name)
        caller.sendall(text)
        caller.shutdown(socket.SHUT_WR)
        assert not caller.recv(1)
ask(lambda stand_in: stand_in.terminate())
print(f"started: {len(started)}")
pool.close()
