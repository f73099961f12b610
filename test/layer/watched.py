"""Host programs under the layer, and what it wrote of them, for the cases of
drive.py."""
import argparse
import json
import os
import pathlib
import struct
import subprocess

SKIPPED = 77
# The command line, as drive.py fills it in.
OPTIONS = argparse.Namespace()


class Skip(Exception):
    pass


def host(*words, capture=None, env=None, expect=0):
    """Runs a host program; with the layer where there is a capture folder."""
    settings = {k: v for k, v in os.environ.items()
                if k != "OPENCL_LAYERS" and not k.startswith("CLREWRITE_")}
    if capture is not None:
        settings["OPENCL_LAYERS"] = OPTIONS.layer
        settings["CLREWRITE_CAPTURE"] = str(capture)
    settings.update(env or {})
    done = subprocess.run([OPTIONS.host, *map(str, words)], env=settings,
                          capture_output=True, text=True, timeout=100)
    if done.returncode == SKIPPED:
        raise Skip("no OpenCL device")
    assert done.returncode == expect, (done.returncode, done.stderr)
    return done


def clrewrite(*words, expect=0, env=None):
    settings = {k: v for k, v in os.environ.items()
                if k != "OPENCL_LAYERS" and not k.startswith("CLREWRITE_")}
    settings.update(env or {})
    done = subprocess.run([OPTIONS.clrewrite, *map(str, words)],
                          capture_output=True, text=True, timeout=100,
                          env=settings)
    if done.returncode == SKIPPED:
        raise Skip("no OpenCL device")
    assert done.returncode == expect, (done.returncode, done.stderr)
    return done


class Events:
    """One process's part of a capture."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        files = sorted(self.folder.glob("events-*.jsonl"))
        assert len(files) == 1, files
        self.lines = [json.loads(line)
                      for line in files[0].read_text().splitlines()]
        assert self.lines[0]["event"] == "start"
        assert self.lines[0]["version"] == 1
        counts = self.folder / files[0].name.replace(
            "events", "counts").replace(".jsonl", ".bin")
        self.records = counts.read_bytes()
        assert self.records.startswith(b"clrewrite counts 1\0")

    def all(self, event, **having):
        return [line for line in self.lines if line["event"] == event
                and all(line[k] == v for k, v in having.items())]

    def one(self, event, **having):
        found = self.all(event, **having)
        assert len(found) == 1, (event, having, found)
        return found[0]

    def kernels(self, name):
        return [k["id"] for k in self.all("kernel", name=name)]

    def launches(self, name):
        ids = self.kernels(name)
        return [l for l in self.all("launch") if l["kernel"] in ids]

    def counts(self, launch):
        """launched, refused, timed, ns, shortest, longest, weights and ns by
        weight"""
        at = launch["id"] * 64
        return struct.unpack("=8Q", self.records[at:at + 64])

    def blob(self, name):
        return (self.folder / "blobs" / name).read_bytes()

    def text(self, program):
        return b"".join(self.blob(s["blob"]) for s in program["sources"])


def capture_of(folder, *words, **more):
    host(*words, capture=folder, **more)
    return Events(folder)


def folder_bytes(folder):
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
