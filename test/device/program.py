"""One process of clrewrite-device for the cases of drive.py."""
import json
import os
import select
import subprocess
import sys
import tempfile

SCALE = """kernel void scale(global const float *in, global float *out, float f) {
  size_t i = get_global_id(0);
  out[i] = in[i] * f;
}"""


class Device:
    """One process of the program, asked a job at a time."""

    def __init__(self, program, *words, **environment):
        self.cache = tempfile.TemporaryDirectory()
        env = dict(os.environ, POCL_CACHE_DIR=self.cache.name, **environment)
        self.process = subprocess.Popen(
            [program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=env)
        self.id = 0

    def line(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def send(self, job, **members):
        """Asks without waiting for the answer."""
        self.id += 1
        text = json.dumps(dict(v=1, id=self.id, job=job, **members))
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def waits_for_answer(self, seconds):
        """The answer; None where there is none in that time."""
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        return json.loads(self.process.stdout.readline())

    def ask(self, job, **members):
        self.id += 1
        answer = self.line(json.dumps(
            dict(v=1, id=self.id, job=job, **members)))
        equal(answer["v"], 1)
        equal(answer["id"], self.id)
        return answer

    def done(self, job, **members):
        answer = self.ask(job, **members)
        assert answer["ok"], answer
        return answer

    def refused(self, job, **members):
        answer = self.ask(job, **members)
        assert not answer["ok"], answer
        return answer["error"]

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
        self.cache.cleanup()
        return code


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def needs_device(device):
    if not device.done("devices")["devices"]:
        print("SKIPPED: there is no OpenCL device here")
        sys.exit(77)


def launch(*sources, kernel="scale", args=None, **members):
    members.setdefault("global", [256])
    return dict(
        versions=[dict(source=s, kernel=kernel) for s in sources],
        args=args if args is not None else [
            {"buffer": {"bytes": 1024, "fill": "floats:-1:1"}, "access": "r"},
            {"buffer": {"bytes": 1024, "fill": "byte:171", "type": "float"}},
            {"scalar": {"type": "float", "value": 2.5}}], **members)
