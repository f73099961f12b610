"""fake_device.py [MODE]: speaks the device protocol for an imaginary GPU.

A kernel with an unroll hint takes 50 us and 40 registers, others 100 us and
32. MODE changes that: "dies" ends at every build, "hangs" sleeps in every
build, "differs" finds other results in every timed run, "vanishes" loses its
device after the first build, "noisy" gives times that vary more than they differ,
"waits:FILE" makes FILE.ready at the second build and goes on when FILE is,
"named:NAME" is called so. "slows" takes longer for the reference kernel each time, "meets:FILE" ends
its first timed run where the device of the mode "met:FILE" is in one. "limits:N" has NVIDIA's options of drivers, of which
-cl-nv-maxrregcount=N halves the time, and others change no time; a limit holds but for a kernel
with reqd_work_group_size. "sm_90" is one of
NVIDIA's. "lucky:N" finds no version faster from the timed run N on.
"""
import json
import os
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else ""
builds = references = runs = 0


def hinted(text):
    return "opencl_unroll_hint" in text


def registers(job):
    limits = [int(word.partition("=")[2]) for word in job.get("options", "").split()
              if word.startswith("-cl-nv-maxrregcount=")]
    free = 40 if hinted(job["source"]) else 32
    return free if "reqd_work_group_size" in job["source"] else min([free, *limits])


def build(job):
    global builds
    builds += 1
    if mode == "dies":
        os._exit(7)
    if mode == "hangs":
        time.sleep(3600)
    if mode.startswith("waits:") and builds == 2:
        open(mode[6:] + ".ready", "w").close()
        while not os.path.exists(mode[6:]):
            time.sleep(0.01)
    if mode == "vanishes" and builds > 1:
        return {"ok": False, "error": {
            "where": "request", "code": 0, "name": "NO_SUCH_DEVICE",
            "message": "there is no device 0 among 0", "log": ""}}
    usage = {"vgprs": registers(job), "lds_bytes": 0, "stack_bytes": 0}
    args = [{"index": 0, "name": "in", "type": "ushort*", "address": "global",
             "qualifiers": ["const"]},
            {"index": 1, "name": "out", "type": "ushort8*",
             "address": "global", "qualifiers": []}]
    args += [{"index": 2 + i, "name": name, "type": "int",
              "address": "private", "qualifiers": []}
             for i, name in enumerate("abcd")]
    return {"ok": True, "kernels": [{"name": "sum4", "args": args,
                                     "usage": usage}],
            "log": "ptxas info : Compiling entry function 'sum4' for 'sm_90a'"}


def limited(version):
    """Built with the limit that pays."""
    return mode.startswith("limits:") and \
        f"-cl-nv-maxrregcount={mode[7:]}" in version.get("options", "").split()


def reference():
    """The kernel that tells whether the device is as fast as it was."""
    global references
    references += 1
    took = 100e3 * (1 + 0.2 * references if mode == "slows" else 1)
    return {"ok": True, "out_of_bounds": [],
            "time": {"versions": [{"min_ns": took}], "ratios": [None]}}


def run(job):
    if len(job["versions"]) == 1:
        return reference()
    sort, _, path = mode.partition(":")
    if sort in ("meets", "met"):
        # Both machines are at work, or this one waits for ever.
        open(f"{path}.{sort}", "w").close()
        while not os.path.exists(path + (".met" if sort == "meets" else ".meets")):
            time.sleep(0.01)
    global runs
    runs += 1
    lucky = mode.startswith("lucky:") and runs >= int(mode[6:])
    times = [(50e3 if not lucky and hinted(v["source"]) else 100e3) / (2 if limited(v) else 1)
             for v in job["versions"]]
    ratios = [times[0] / times[1]] * 20
    if mode == "noisy":
        ratios = [r * (0.1 + i / 20) for i, r in enumerate(ratios)]
    return {"ok": True, "out_of_bounds": [],
            "same": mode != "differs" or not job.get("time"),
            "time": {"versions": [{"median_ns": t} for t in times],
                     "ratios": [None, ratios]}}


for line in sys.stdin:
    job = json.loads(line)
    kind = job["job"]
    if kind == "hello":
        answer = {"ok": True, "protocol": 1}
    elif kind == "devices":
        answer = {"ok": True, "devices": [
            {"index": 0, "type": "gpu",
             "name": mode.partition(":")[2] if mode.startswith("named:")
             else "Imaginary GPU",
             "platform": {"name": "Fake", "version": "OpenCL 1.2"},
             "version": "OpenCL 1.2", "opencl_c": "OpenCL C 1.2",
             "extensions": ["cl_nv_compiler_options"]
             if mode.startswith("limits:") else [],
             "vendor_units": {"compute_capability": "9.0"} if mode == "sm_90" else {},
             "driver": "1", "readable": [{"figures": "vgprs lds_bytes",
                                          "from": "thin air"}]}]}
    else:
        answer = build(job) if kind == "build" else run(job)
    answer.update(v=1, id=job["id"])
    print(json.dumps(answer), flush=True)
