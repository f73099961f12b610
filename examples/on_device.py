"""What the examples' run.py share: an OpenCL device, by clrewrite-device."""
import argparse
import array
import base64
import json
import os
import shlex
import shutil
import subprocess
import sys

BUILT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build",
                     "release", "bin")


def program(name):
    """The program on the PATH, else the one that `./dev build` has left."""
    return shutil.which(name) or os.path.join(BUILT, name)


def options(description):
    """The options that all have."""
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="",
                        help="part of the device's name (default: the first)")
    parser.add_argument("--device-command", default=program("clrewrite-device"),
                        help="how to start clrewrite-device")
    parser.add_argument("--check", action="store_true",
                        help="only compare results, without times")
    return parser


class Device:
    """A clrewrite-device process, and the device of it that was asked for. Ends
    the program with exit code 2 where there is none."""

    def __init__(self, given):
        self.process = subprocess.Popen(
            shlex.split(given.device_command), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found = [d for d in self.ask({"job": "devices"})["devices"]
                 if given.device.lower() in d["name"].lower()]
        if not found:
            named = f" named {given.device}" if given.device else ""
            print(f"no OpenCL device{named}: nothing was run", file=sys.stderr)
            sys.exit(2)
        self.index, self.name = found[0]["index"], found[0]["name"]
        self.is_cpu = found[0]["type"] == "cpu"

    def ask(self, job):
        self.process.stdin.write(json.dumps({"v": 1, **job}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("clrewrite-device has ended without an answer")
        answer = json.loads(line)
        if not answer["ok"]:
            sys.exit(f"{answer['error']['message']}\n{answer['error']['log']}")
        return answer

    def run(self, versions, size, local, arguments, time=False, **more):
        """Runs `versions`, pairs of a source and a kernel's name, on the same
        inputs. Where `time`, each 20 times, on a CPU 5 times."""
        return self.ask({
            "job": "run", "device": self.index, "global": size, "local": local,
            "args": arguments, "time": time, "repeat": 5 if self.is_cpu else 20,
            "versions": [{"source": s, "options": "", "kernel": k}
                         for s, k in versions], **more})


def medians(answer):
    """Microseconds a launch, of each version."""
    return [v["median_ns"] / 1e3 for v in answer["time"]["versions"]]


def fill(code, values):
    """Contents of a buffer; `code` is that of the module array."""
    return "base64:" + base64.b64encode(array.array(code, values)).decode()


def buffer(kind, count, contents, access="rw", **more):
    """An argument: `count` elements of four bytes."""
    return {"buffer": {"bytes": 4 * count, "type": kind, "fill": contents, **more},
            "access": access}


def scalar(kind, value):
    return {"scalar": {"type": kind, "value": value}}


def contents(answer, argument, code, version=0):
    """What a buffer with "return" held after the launch."""
    found = [b for b in answer["buffers"] if b["arg"] == argument]
    return array.array(code, base64.b64decode(found[0]["contents"][version]))


def hash_of(answer, argument):
    return [b for b in answer["buffers"] if b["arg"] == argument][0]["hash"][0]
