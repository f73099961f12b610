"""Tests of the OpenCL layer: drive.py CASE runs one of the functions below, or
of those imported from contents.py.

The host programs are run with the layer and without it, and what it wrote is
read here with Python's own means, as another tool would read it: the folder is
as docs/capture.md says.
"""
import argparse
import ctypes
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

from contents import data, data_samples, data_threads
from plans import (plan_accepted, plan_apart, plan_conditions, plan_devices,
                   plan_extension, plan_linked, plan_misfits, plan_run,
                   plan_stays_within_limits, plan_unseen)
from watched import (OPTIONS, SKIPPED, Events, Skip, capture_of, clrewrite,
                     folder_bytes, host)

CASES = ["exports", "newer_loaders", "unasked", "captured_calls", "programs",
         "kernels_and_threads", "two_devices", "arguments", "data",
         "data_samples", "data_threads", "times", "again", "killed", "bounded",
         "swapped", "forked", "report", "exit_codes", "plan_conditions",
         "plan_accepted", "plan_apart", "plan_devices", "plan_extension",
         "plan_linked", "plan_misfits", "plan_run", "plan_stays_within_limits",
         "plan_unseen"]


def exports(_):
    """The layer's entry points, and no library of LLVM or OpenCL."""
    symbols = subprocess.run(["nm", "-D", "--defined-only", OPTIONS.layer],
                             capture_output=True, text=True, check=True).stdout
    names = sorted(line.split()[-1] for line in symbols.splitlines())
    assert names == ["clGetLayerInfo", "clInitLayer",
                     "clInitLayerWithProperties"], names
    needed = subprocess.run(["readelf", "-d", OPTIONS.layer],
                            capture_output=True, text=True, check=True).stdout
    for library in ("LLVM", "clang", "OpenCL", "stdc++"):
        assert library not in needed, needed


def newer_loaders(_):
    """Khronos' loader calls another entry point than Debian's; both answer
    alike."""
    layer = ctypes.CDLL(OPTIONS.layer)
    entries = 200
    target = (ctypes.c_void_p * entries)()
    for call, more in ((layer.clInitLayer, ()),
                       (layer.clInitLayerWithProperties, (None,)),
                       (layer.clInitLayerWithProperties,
                        (ctypes.byref(ctypes.c_uint64(0)),))):
        count, table = ctypes.c_uint(), ctypes.c_void_p()
        code = call(entries, target, ctypes.byref(count), ctypes.byref(table),
                    *more)
        assert code == 0 and count.value == entries, (code, count)
        assert table.value == ctypes.addressof(target)
    unknown = ctypes.byref(ctypes.c_uint64(7))
    assert layer.clInitLayerWithProperties(
        entries, target, ctypes.byref(count), ctypes.byref(table), unknown)


def unasked(_):
    """Where nothing is asked of it the layer changes nothing."""
    host("calls")  # PoCL's binaries are of another size the first time
    for mode in ("calls", "memory", "programs"):
        without = host(mode)
        loaded = host(mode, env={"OPENCL_LAYERS": OPTIONS.layer})
        assert without.stdout == loaded.stdout, mode
        assert without.stderr == loaded.stderr, mode


def captured_calls(folder):
    """A program can't tell that it is captured either, but by the time."""
    host("calls")  # PoCL's binaries are of another size the first time
    without = host("calls")
    captured = host("calls", capture=folder / "c")
    assert without.stdout == captured.stdout
    assert Events(folder / "c").one("end")
    for mode in ("memory", "programs"):
        assert host(mode).stdout == host(mode, capture=folder / mode).stdout


def programs(folder):
    e = capture_of(folder / "c", "programs")
    # Made thrice with one list of options, once with two others.
    pieces = [p for p in e.all("program", kind="source")
              if len(p["sources"]) == 3]
    assert len(pieces) == 1
    assert [s["bytes"] for s in pieces[0]["sources"]] == [15, 33, 14]
    text = e.text(pieces[0])
    assert text == ('// pieces \u00e4\\"\nkernel void pieces(global int *p)'
                    " { *p += N; }\n").encode()
    assert pieces[0]["bytes"] == len(text)
    # The host tries again while a thread of the driver's holds a kernel.
    builds = [b for b in e.all("build", program=pieces[0]["id"])
              if b["result"] != -59]
    assert [b["options"] for b in builds] == ["-DN=41", "-DN=1", "-DN=2"]
    assert [b["ns"] is None for b in builds] == [False, True, False]
    assert all(b["result"] == 0 and b["step"] == "build" for b in builds)
    assert len(e.kernels("pieces")) == 4  # a build each, and the binary's
    thrice = [l for l in e.launches("pieces") if e.counts(l)[0] == 3]
    assert len(thrice) == 1

    linked = e.one("build", step="link")
    assert e.one("program", id=linked["program"])["kind"] == "linked"
    main, helper = linked["inputs"]
    compiled = e.one("build", id=main["build"])
    assert compiled["step"] == "compile"
    assert compiled["options"] == "-cl-std=CL1.2"
    header = compiled["headers"][0]
    assert header["name"] == "inc/seven.h"
    assert e.text(e.one("program", id=header["program"])) == b"#define SEVEN 7\n"
    assert e.one("build", id=helper["build"])["options"] == "-DN=6"
    assert e.one("kernel", name="linked")["build"] == linked["id"]

    failed = e.one("build", result=-11)
    assert failed["results"][0]["status"] == "error"
    assert b"undeclared" in e.blob(failed["results"][0]["log"])
    binary = e.one("program", kind="binary")
    assert not (e.folder / "blobs" / binary["hash"]).exists()


def kernels_and_threads(folder):
    """Four threads, two contexts; handles that come back; clones."""
    done = host("threads", capture=folder / "c")
    assert done.stdout == host("threads").stdout
    e = Events(folder / "c")
    # Both contexts are on the same device, where there is one.
    if len(e.all("device")) > 1:
        raise Skip("for one device")
    assert len(e.all("program")) == 1
    assert len(e.kernels("add")) == len(e.kernels("scale")) == 1
    # A thread has a size of its own; of add also the clone's scalar.
    sizes = {l["global"][0]: e.counts(l)[0] for l in e.launches("scale")}
    assert sizes == {16: 50, 32: 50, 48: 50, 64: 50}, sizes
    for thread in range(4):
        by_scalar = {
            l["arguments"][1]["hex"]: e.counts(l)[0]
            for l in e.launches("add") if l["global"][0] == 16 * (thread + 1)}
        own = struct.pack("=i", thread).hex()
        assert by_scalar in ({own: 100, "64000000": 50}, {own: 50}), by_scalar
    for l in e.all("launch"):
        buffer = l["arguments"][0]
        assert buffer["kind"] == "buffer", buffer
        assert buffer["bytes"] == 4 * l["global"][0], l
        assert buffer["flags"] == ["read_write", "copy_host_ptr"]


def two_devices(folder):
    """PoCL makes two devices of one processor."""
    two = {"POCL_DEVICES": "basic pthread"}
    done = host("threads", env=two)
    if "2 devices" not in done.stdout:
        raise Skip("no way to have two devices")
    again = host("threads", env=two, capture=folder / "c")
    assert done.stdout == again.stdout
    e = Events(folder / "c")
    assert len(e.all("device")) == 2
    # The program of the context with both, and that of the other.
    assert sorted(len(p["devices"]) for p in e.all("program")) == [1, 2]
    assert len({l["device"] for l in e.all("launch")}) == 2
    scaled = sum(e.counts(l)[0] for l in e.launches("scale"))
    assert scaled == 200, scaled


def arguments(folder):
    e = capture_of(folder / "c", "memory")
    (blend,) = e.launches("blend")
    whole, part, tile, pair, none = blend["arguments"]
    assert (whole["kind"], whole["bytes"]) == ("buffer", 1024)
    assert (part["kind"], part["parent"], part["offset"], part["bytes"],
            part["parent_bytes"]) == ("subbuffer", whole["mem"], 512, 256, 1024)
    assert tile == {"kind": "local", "bytes": 64}
    assert pair["hex"] == struct.pack("=if", 1000, 0.5).hex()
    assert none == {"kind": "null"}
    assert (blend["global"], blend["local"], blend["offset"]) == ([64], [16], None)
    assert not blend["out_of_order"]
    (shift,) = e.launches("shift")
    image, sampler, out = shift["arguments"]
    want = {"kind": "image", "type": "2d", "channel_order": "RGBA",
            "channel_type": "UNORM_INT8", "width": 4, "height": 2,
            "depth": None, "layers": None, "element_bytes": 4, "bytes": 32,
            "buffer": None}
    assert want.items() <= image.items(), image
    assert image["flags"] == ["read_only", "copy_host_ptr"]
    assert out["flags"] == ["write_only"]
    assert sampler == {"kind": "sampler", "normalized": False,
                       "address": "clamp_to_edge", "filter": "nearest"}
    unordered = [l for l in e.all("launch") if l["out_of_order"]]
    assert len(unordered) == 2
    svm = [l for l in e.launches("add") if l["svm_pointers"]]
    if svm:  # where the device has it
        pointer = svm[0]["arguments"][0]
        assert (pointer["kind"], pointer["bytes"], pointer["offset"]) == (
            "svm", 512, 256)
        assert svm[0]["svm_pointers"][0]["mem"] == pointer["mem"]


def times(folder):
    e = capture_of(folder / "c", "many", 200)
    for launch in e.all("launch"):
        (launched, refused, timed, ns, shortest, longest, weights,
         weighted) = e.counts(launch)
        # The first 64 of a shape are all timed, of the others some, which stand
        # for sixteen each.
        assert min(launched, 64) <= timed <= launched, e.counts(launch)
        assert weights == min(timed, 64) + 16 * max(timed - 64, 0)
        assert launched > 0 and refused == 0, e.counts(launch)
        assert 0 < shortest <= longest <= ns
        assert weights * shortest <= weighted <= weights * longest
    even = e.launches("even")
    assert len(even) == 1 and e.counts(even[0])[0] == 100
    # 100 scalars make 64 shapes and a rest.
    decay = e.launches("decay")
    assert len(decay) == 65
    (rest,) = [l for l in decay if l.get("other")]
    assert e.counts(rest)[0] == 36
    assert sum(e.counts(l)[0] for l in decay) == 100


def again(folder):
    """What is like a launch before is counted with it, and nothing else is."""
    e = capture_of(folder / "c", "again", OPTIONS.layer)
    launches = e.all("launch")
    assert [l["id"] for l in launches] == list(range(1, len(launches) + 1))
    counts = [e.counts(l)[0] for l in launches]
    assert counts == [10, 1, 1, 2, 1, 1, 1, 1, 2, 1, 2, 1], counts
    first = [l["arguments"][0] for l in launches]
    same = launches[1]["arguments"]
    assert same[0]["mem"] == same[1]["mem"]
    assert [a["hex"] for a in launches[2]["arguments"][2:]] == [
        "02000000", "03000000"]
    assert launches[3]["global"] == [2048, 512]
    assert launches[4]["local"] is None and launches[5]["offset"] == [16, 0]
    assert launches[6]["global"] == [1024] and launches[7]["out_of_order"]
    assert (first[7]["bytes"], first[8]["bytes"]) == (64, 128)
    assert launches[9]["arguments"][3]["bytes"] == 12
    assert [a["kind"] for a in first[10:]] == ["svm", "svm"]
    assert [a["bytes"] for a in first[10:]] == [256, 512]


def killed(folder):
    """What a program that is killed did until then can be read."""
    e = capture_of(folder / "c", "killed", 1000, expect=-signal.SIGKILL)
    assert not e.all("end")
    assert sum(e.counts(l)[0] for l in e.all("launch")) == 501
    assert e.text(e.one("program")).startswith(b"kernel void decay")
    # A line that was cut is left out, and said so.
    (log,) = e.folder.glob("events-*.jsonl")
    log.write_bytes(log.read_bytes() + b'{"event":"launch","id":9')
    shown = clrewrite("capture", "--show=" + str(e.folder))
    assert "1 line of the log could not be read" in shown.stdout, shown.stdout
    assert "even" in shown.stdout


def bounded(folder):
    """Ten thousand launches take no more room than a hundred or so."""
    e = capture_of(folder / "c", "many", 10000)
    assert sum(e.counts(l)[0] for l in e.all("launch")) == 10000
    assert folder_bytes(e.folder) < 100000, folder_bytes(e.folder)
    # A bound that is too small for it all.
    e = capture_of(folder / "d", "many", 1000,
                   env={"CLREWRITE_CAPTURE_MAX_SIZE": "8192"})
    assert e.one("dropped", what="log")
    events = sum(f.stat().st_size for f in e.folder.glob("events-*"))
    assert events <= 8192 + 1024, events


def swapped(folder):
    e = capture_of(folder / "c", "programs")
    (pieces,) = [p for p in e.all("program", kind="source")
                 if len(p["sources"]) == 3]
    swap = folder / "swap"
    swap.mkdir()
    (swap / (pieces["hash"] + ".cl")).write_text(
        "kernel void pieces(global int *p) { *p += N * 2; }\n")
    alone = host("programs", env={"OPENCL_LAYERS": OPTIONS.layer,
                                  "CLREWRITE_LAYER_SWAP": str(swap)})
    plain = host("programs").stdout
    assert "pieces 42" in plain and "again 3" in plain
    assert "pieces 83" in alone.stdout and "again 5" in alone.stdout
    # It can't be told from the source that the driver tells.
    assert [l for l in plain.splitlines() if "source" in l] == [
        l for l in alone.stdout.splitlines() if "source" in l]
    both = capture_of(folder / "d", "programs",
                      env={"CLREWRITE_LAYER_SWAP": str(swap)})
    program = both.one("program", hash=pieces["hash"])
    assert program["swapped"] and program["sources"] == pieces["sources"]
    assert all(not p["swapped"] for p in both.all("program") if p != program)


def forked(folder):
    """clrewrite capture sees every process; each has files of its own."""
    words = ["sh", "-c", f"{OPTIONS.host} many 100 && {OPTIONS.host} programs"]
    clrewrite("capture", "-o", folder / "c", "--", *words)
    assert len(list((folder / "c").glob("events-*.jsonl"))) == 2
    shown = json.loads(clrewrite("capture", "--show", folder / "c",
                                 "--format=json").stdout)
    names = {k["kernel"] for k in shown["kernels"]}
    assert names == {"decay", "even", "pieces", "linked"}, names
    assert shown["command"] == words and shown["exit_code"] == 0


def report(folder):
    done = clrewrite("capture", "-o", folder / "c", "--", OPTIONS.host,
                     "programs")
    lines = done.stdout.splitlines()
    # The program's own output comes first.
    assert lines[0] == "pieces 42", lines
    assert any(l.split()[:1] == ["linked"] for l in lines), lines
    assert any("-DN=41 | -DN=1 | -DN=2" in l for l in lines), lines
    assert any("build failed" in l for l in lines), lines
    shown = clrewrite("capture", "--show", folder / "c").stdout
    assert done.stdout.endswith(shown)
    run = json.loads((folder / "c" / "capture.json").read_text())
    assert run["version"] == 1 and run["exit_code"] == 0 and run["ended"]


def exit_codes(folder):
    assert "holds a capture already" in clrewrite_twice(folder).stderr
    done = clrewrite("capture", "-o", folder / "e", "--", "sh", "-c", "exit 3",
                     expect=3)
    assert "the layer was not loaded" in done.stdout
    killed_run = clrewrite("capture", "-o", folder / "f", "--", "sh", "-c",
                           "kill -KILL $$", expect=128 + signal.SIGKILL)
    assert "ended by signal 9" in killed_run.stderr
    missing = clrewrite("capture", "-o", folder / "g", "--", "/no/such/program",
                        expect=127)
    assert "/no/such/program" in missing.stderr
    clrewrite("capture", expect=125)
    clrewrite("capture", "--show", folder / "none", expect=125)


def clrewrite_twice(folder):
    clrewrite("capture", "-o", folder / "d", "--", "true")
    return clrewrite("capture", "-o", folder / "d", "--", "true", expect=125)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clrewrite", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--layer", required=True)
    parser.add_argument("case")
    parser.parse_args(namespace=OPTIONS)
    with tempfile.TemporaryDirectory() as folder:
        try:
            globals()[OPTIONS.case](pathlib.Path(folder))
        except Skip as why:
            print("skipped:", why)
            sys.exit(SKIPPED)


main()
