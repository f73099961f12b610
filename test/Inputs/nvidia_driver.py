"""nvidia_driver.py [OPTION=MICROSECONDS...]: clrewrite-device whose devices have a
driver like NVIDIA's. It lists cl_nv_compiler_options, and a kernel sees
-cl-nv-maxrregcount=N as the macro REGISTERS. A version takes 100 us, and what is
said for an option where it is built with that; 0 stands for an option that the
driver refuses. "guard" for an OPTION is a version that asks get_local_size, "plain" leaves
the extension out, and with "folds" the driver's binary is the same with and without lines
that ask get_local_size."""
import hashlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kept import DEVICE

LIMIT = "-cl-nv-maxrregcount="
times = {option: float(us) for option, _, us in
         (word.rpartition("=") for word in sys.argv[1:] if "=" in word)}


def time_of(options, text):
    """In microseconds, by the last of the options that has one."""
    words = ["guard"] * ("get_local_size" in text) + options.split()
    return ([100] + [times[word] for word in words if word in times])[-1]


def code_of(text):
    lines = [line for line in text.splitlines() if "get_local_size" not in line]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def refusal():
    return {"ok": False, "error": {
        "where": "clBuildProgram", "code": -43, "name": "CL_INVALID_BUILD_OPTIONS",
        "message": "clBuildProgram failed with CL_INVALID_BUILD_OPTIONS (-43)",
        "log": ""}}


def answer_to(job, device):
    programs = job.get("versions", [job])
    options = [program.get("options", "") for program in programs]
    texts = [program.get("source", "") for program in programs]
    if any(time_of(each, text) == 0 for each, text in zip(options, texts)):
        return dict(refusal(), v=1, id=job["id"])
    for program, each in zip(programs, options):
        if each:
            program["options"] = each.replace(LIMIT, "-DREGISTERS=")
    device.stdin.write(json.dumps(job) + "\n")
    device.stdin.flush()
    answer = json.loads(device.stdout.readline())
    for each in answer.get("devices", []):
        if "plain" not in sys.argv:
            each["extensions"].append("cl_nv_compiler_options")
    if job["job"] == "build" and "folds" in sys.argv:
        answer["code"] = code_of(texts[0])
    if "time" in answer and answer["time"]:
        us = [time_of(each, text) for each, text in zip(options, texts)]
        answer["time"] = {
            "versions": [{"median_ns": each * 1000} for each in us],
            "ratios": [None] + [[us[0] / each] * 20 for each in us[1:]]}
    return answer


with subprocess.Popen(DEVICE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      text=True) as device:
    for line in sys.stdin:
        print(json.dumps(answer_to(json.loads(line), device)), flush=True)
    device.stdin.close()
