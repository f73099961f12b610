"""fake_instrument.py MODE: an imaginary GPU for clrewrite probe and peak.

It does what the kernels' texts say, in Python, so that results are right, and
takes the times and registers that MODE says. For the probe, N variables take:

  spills     NVIDIA's figures: N + 6 registers up to 255, then spills; from 16
             of 64 warps on the time rises
  flat       figures, the same time for each variable
  silent     no figures, slower from 100 variables on
  code       figures, slower from 100 variables on with all warps resident
  amd        registers and spills, but no warps
  nobuild    as spills, but 128 variables don't build
  slowbuild  as spills, but 128 variables build for ever
  lazy       leaves what was there before
  noisy      as spills, with a median of 1.8 times the least time

and for the peaks:

  peak       right results; floats are multiplied and added apart
  lazy       leaves what was there before, copies nothing
  old        has no job `copy`
"""
import json
import re
import struct
import sys
import time

mode = sys.argv[1]
MASK = 2**32 - 1


def hashed(words):
    data = struct.pack(f"<{len(words)}I", *words)
    value = len(data)
    for (word,) in struct.iter_unpack("<Q", data):
        value = (value ^ word) * 0x9E3779B97F4A7C15 % 2**64
        value ^= value >> 29
    value = (value ^ value >> 32) * 0xBF58476D1CE4E5B9 % 2**64
    return f"{value ^ value >> 32:016x}"


def probe_word(text, turns, start):
    values = {n: start * int(f) & MASK for n, f in
              re.findall(r"uint v(\d+) = start \* (\d+)u;", text)}
    updates = re.findall(r"v(\d+) \+= v(\d+) >> (\d);", text)
    step = int(re.search(r"i \+= (\d+)u", text)[1])
    for _ in range(0, turns, step):
        for to, by, shift in updates:
            values[to] = values[to] + (values[by] >> int(shift)) & MASK
    stored = re.search(r"out\[.*?\] = (.*?);", text, re.S)[1]
    word = 0
    for name in re.findall(r"v(\d+)", stored):
        word ^= values[name]
    return word


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def mad_word(text, kernel, loops, c, seed):
    body = text[text.index(f"void {kernel}("):].split("kernel void")[0]
    starts = [int(n) for n in re.findall(r"seed \+ (\d+)u", body)]
    real = "uint lanes" not in body
    steps = loops * len(re.findall(r"x0 = x0 \* \w+ \+ a;", body))
    word = 0
    for start in starts:
        x = f32((seed + start) / 512) if real else seed + start
        for i in range(steps):
            x = (f32(f32(x * x) + c) if real else
                 x * (i // 16 * 8 + 5) + (bits(c) | 1) & MASK)
        word = word * 31 + (bits(x) if real else x) & MASK
    return word


def variables(text):
    return len(re.findall(r"uint v\d+ = ", text))


def warps(registers):
    return min(64, 16384 // (-(-registers * 32 // 256) * 256) * 4)


def nanoseconds(text, kernel):
    if kernel != "probe":
        return 2e6 + int(kernel[3:]) * 1e6
    n, each = variables(text), 1e5
    if mode in ("silent", "code"):
        each *= 3 if n >= 100 else 1
    elif mode != "flat":
        each *= 4 if n > 249 else max(1, 20 / warps(n + 6))
    return n * each


def build(job):
    n = variables(job["source"])
    if n == 128 and mode == "slowbuild":
        time.sleep(3600)
    if n == 128 and mode == "nobuild":
        return {"ok": False, "error": {
            "where": "clBuildProgram", "code": -11,
            "name": "CL_BUILD_PROGRAM_FAILURE",
            "message": "clBuildProgram failed",
            "log": "line 1\nerror: out of registers\n"}}
    usage, log = {"vgprs": None, "spill_bytes": None}, ""
    if mode == "amd":
        usage = {"vgprs": min(n + 3, 256), "vgpr_spills": max(0, n - 253),
                 "scratch_bytes": 0}
    elif mode != "silent":
        usage = {"vgprs": 24 if mode == "code" else min(n + 6, 255),
                 "spill_bytes": max(0, n - 249) * 4, "stack_bytes": 0}
        log = "ptxas info : Compiling entry function 'probe' for 'sm_90a'"
    return {"ok": True, "log": log,
            "kernels": [{"name": "probe", "args": [], "usage": usage}]}


def run(job):
    (items,), hashes, times = job["global"], [], []
    scalars = [a["scalar"]["value"] for a in job["args"][1:]]
    for version in job["versions"]:
        text, kernel = version["source"], version["kernel"]
        if mode == "lazy":
            words = [0] * 8
        elif kernel == "probe":
            words = [probe_word(text, scalars[0], scalars[1] + i)
                     for i in range(8)]
        else:
            words = 2 * [mad_word(text, kernel, *scalars, i) for i in range(4)]
        hashes.append(hashed(words * (items // 8)))
        ns = nanoseconds(text, kernel)
        times.append({"min_ns": ns, "median_ns": ns * (1.8 if mode == "noisy" else 1.25)})
    return {"ok": True, "same": len(set(hashes)) == 1,
            "buffers": [{"arg": 0, "hash": hashes, "timed_hash": hashes}],
            "time": {"versions": times}}


def copy(job):
    return {"ok": True, "ways": [
        {"same": mode != "lazy", "min_ns": job["bytes"] / (2 + i),
         "median_ns": job["bytes"]} for i in range(len(job["ways"]))]}


DEVICE = {
    "index": 0, "name": "Imaginary GPU", "type": "gpu", "driver": "1",
    "platform": {"name": "Fake"}, "version": "OpenCL 3.0", "compute_units": 1,
    "max_clock_mhz": 1000, "max_alloc_bytes": 2**30,
    "global_mem_bytes": 2**33, "max_work_group_size": 256,
    "global_cache_bytes": 2**20, "fp": {"half": None, "double": None},
    "vendor_units": {"compute_capability": "9.0"}, "extensions": []}

for line in sys.stdin:
    job = json.loads(line)
    kind = job["job"]
    if kind == "hello":
        jobs = ["hello", "devices", "build", "run"]
        answer = {"ok": True, "protocol": 1,
                  "jobs": jobs + ([] if mode == "old" else ["copy"])}
    elif kind == "devices":
        answer = {"ok": True, "devices": [DEVICE]}
    else:
        answer = {"build": build, "run": run, "copy": copy}[kind](job)
    answer.update(v=1, id=job["id"])
    print(json.dumps(answer), flush=True)
