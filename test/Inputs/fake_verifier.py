"""fake_verifier.py MODE: a device program without a device, for the flow around
it. Every launch finds the versions equal, but for the mode:
dies, hangs, vanishes: at the first `run`; hangs-building: at the first build;
wrong: every launch finds that the new version differs; optimiser: the same, unless it
is built with -cl-opt-disable; racing: the first three launches of a new version find
that; slow: from its
fourth launch on, a version with the word slow takes two seconds (the launches are
counted in a file, whose name follows, as a program that takes too long is ended);
told: each program writes a line to the file whose name follows when it starts. A second
word says what is wrong where there are several: with `second-dies` those behind the first
end at the first `run`, with `second-none` they have no device, with `second-other` another
one, with `second-slow` they take half a second for each launch, and with `first-fails` the
first ends at a build, once there is another. A third word names a kernel, every launch of
which finds a difference on the first one's device."""
import json
import sys
import time

mode = sys.argv[1]
wrong = []
started = 0  # the place of this device program, in the mode told
wrongly, differing = (sys.argv[3:] + ["", ""])[:2]


def starts():
    with open(sys.argv[2], encoding="utf-8") as told:
        return len(told.readlines())


if mode == "told":
    with open(sys.argv[2], "a", encoding="utf-8") as told:
        told.write("started\n")
    started = starts()


def devices(job):
    if started > 1 and wrongly == "second-none":
        return {"devices": []}
    name = "other" if started > 1 and wrongly == "second-other" else "fake"
    return {"devices": [{"index": 0, "name": name, "type": "cpu"}]}


def build(job):
    if mode == "hangs-building":
        time.sleep(1000)
    if started == 1 and wrongly == "first-fails":
        while starts() < 2:
            time.sleep(0.01)
        sys.exit(1)
    return {"kernels": [{"name": n, "args": []} for n in ("sum4", "k", "first", "second", "third")]}


def run(job):
    if mode == "dies":
        sys.exit("the driver has lost the device")
    if started > 1 and wrongly == "second-dies":
        sys.exit(1)
    if started > 1 and wrongly == "second-slow":
        time.sleep(0.5)
    if mode == "hangs":
        time.sleep(1000)
    new = [i for i, v in enumerate(job["versions"])
           if v["source"] != job["versions"][0]["source"]]
    differs = mode == "wrong" or mode == "optimiser" and not any(
        "-cl-opt-disable" in v["options"] for v in job["versions"])
    differs |= job["versions"][0]["kernel"] == differing and not (
        started > 1 and wrongly == "second-other")
    if mode == "racing" and new:
        wrong.append(job)
        differs = len(wrong) <= 3
    if mode == "slow" and any("slow" in v["source"] for v in job["versions"]):
        with open(sys.argv[2], "a+", encoding="utf-8") as f:
            f.write("launch\n")
            f.seek(0)
            launches = len(f.readlines())
        if launches > 3:
            time.sleep(2)
    return {"buffers": [{"arg": 0, "hash": ["0"], "changed": True}],
            "out_of_bounds": [],
            "differences": [] if not differs else [
                {"version": i, "arg": 0, "element": 3, "expected": "01",
                 "actual": "02"} for i in new]}


def hello(job):
    return {"protocol": 1}


for line in sys.stdin:
    job = json.loads(line)
    answer = {"v": 1, "id": job["id"], "ok": True}
    answer.update(globals()[job["job"]](job))
    print(json.dumps(answer), flush=True)
    if mode == "vanishes" and job["job"] == "build":
        sys.exit(1)
    if mode == "vanishes" and job["job"] == "devices":
        hello = build = devices = lambda job: sys.exit(1)
