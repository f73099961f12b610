"""oclgrind.py BEFORE.cl AFTER.cl [OPTION...]: what oclgrind says of both versions.

`clrewrite verify` runs on an ordinary device, that of --device-command=COMMAND where it
is given, with this script in between (`oclgrind.py --record FILE COMMAND`), which notes
each launch that the original was found to be valid in: the search for sizes, where the
original itself reaches outside its buffers, is left out. So are launches with integers
below one: an offset may be negative, and a size of zero leads there (`in[n - 1]`), and
what lies before a buffer can cancel (`in[b] - in[c]` where b is c), so that the launch
passes for valid. So are launches of thousands of work-items, and with integers of a
thousand and more, which trip counts come from: they would take minutes there. Of those
that may take seconds a kernel has only as many as make eight with its shorter ones.
These launches are then run in oclgrind's simulator, unoptimised, so that nothing
undefined is gone before it looks. The status is 0 if every kernel was launched, the
versions leave the same bytes there too, and oclgrind reported no race, no uninitialised
value and no invalid access."""
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

from kept import DEVICE

# The macro is for a function that oclgrind's OpenCL C 1.2 lacks.
OCLGRIND = ["oclgrind", "--data-races", "--uninitialized", "--build-options",
            "-cl-opt-disable -Dget_global_linear_id()=get_global_id(0)"]


# Work-items of the largest launch that is simulated, and its largest integer.
MOST_ITEMS = 4000
MOST = 1000
# Work-items times the largest integer, of a launch that takes no seconds; and how many
# launches of a kernel are enough to leave out those that may.
SHORT = 8192
ENOUGH = 8


def integers(argument):
    value = argument.get("scalar", {}).get("value", [])
    return [v for v in (value if isinstance(value, list) else [value])
            if isinstance(v, int)]


def out_of_range(argument):
    """Whether it is an integer that is left out, or has one."""
    return any(not 1 <= v < MOST for v in integers(argument))


def length(launch):
    return math.prod(launch["global"]) * max(
        [1, *(v for argument in launch["args"] for v in integers(argument))])


def kernel(launch):
    return launch["versions"][0]["kernel"]


def chosen(launches):
    """All short launches of each kernel, and the shortest of the others until there
    are enough."""
    of = {}
    for launch in sorted(launches, key=length):
        some = of.setdefault(kernel(launch), [])
        if len(some) < ENOUGH or length(launch) <= SHORT:
            some.append(launch)
    return [launch for some in of.values() for launch in some]


def record(path, command):
    """Passes jobs and answers on, and notes the accepted launches."""
    device = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    for line in sys.stdin.buffer:
        device.stdin.write(line)
        device.stdin.flush()
        answer = device.stdout.readline()
        if not answer:
            sys.exit("the device program ended with status %d" % device.wait())
        job, said = json.loads(line), json.loads(answer)
        # Original, original, new version: the first look at a launch.
        if (job["job"] == "run" and len(job["versions"]) == 3 and said["ok"]
                and not said["out_of_bounds"] and said["same"]
                and not any(map(out_of_range, job["args"]))
                and math.prod(job["global"]) <= MOST_ITEMS):
            kept = {k: job[k] for k in ("global", "offset", "local", "args", "any_nan")}
            kept["versions"] = job["versions"][1:]
            with open(path, "a") as file:
                file.write(json.dumps(kept) + "\n")
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


def simulate(launches, log):
    """The answers' problems and oclgrind's reports, as text."""
    jobs = "".join(json.dumps(dict(launch, v=1, id=i, job="run", device=0)) + "\n"
                   for i, launch in enumerate(launches))
    # Its log lies where a sandbox lets nobody write; these kernels are our own.
    run = subprocess.run(
        OCLGRIND + ["--log", log, "clrewrite-device", "--allow-native"],
        input=jobs, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "CLREWRITE_SANDBOX": "off"})
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    problems = []
    if len(answers) != len(launches):
        problems.append(f"ended with status {run.returncode} after "
                        f"{len(answers)} of {len(launches)} launches")
    for launch, answer in zip(launches, answers):
        if not answer["ok"]:
            problems.append(f"{kernel(launch)}: {answer['error']}")
        elif not answer["same"]:
            problems.append(f"{kernel(launch)}: {answer['differences']} in {launch}")
    if os.path.exists(log):
        problems += re.findall(r"^\S.*\n\tKernel: .*\n(?:\t.*\n)*|^\S.*\n",
                               open(log).read(), re.M)
    return problems


def main():
    command = shlex.join(DEVICE)
    options = []
    for word in sys.argv[1:]:
        if word.startswith("--device-command="):
            command = word.removeprefix("--device-command=")
        else:
            options.append(word)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "launches")
        recorder = shlex.join([sys.executable, __file__, "--record", path, command])
        verify = subprocess.run(
            ["clrewrite", "verify", f"--device-command={recorder}", "--rounds=12",
             *options], stdout=subprocess.PIPE, text=True)
        kernels = set(re.findall(r"^(\w+): same: ", verify.stdout, re.M))
        if verify.returncode or not kernels:
            sys.exit(f"not verified as the same:\n{verify.stdout}")
        launches = chosen(json.loads(line) for line in dict.fromkeys(open(path)))
        problems = simulate(launches, os.path.join(folder, "log"))
    launched = set(map(kernel, launches))
    problems += [f"{name}: not launched" for name in kernels - launched]
    print(f"{len(kernels)} kernels, {len(launches)} launches, "
          f"{len(problems)} problems")
    print(*problems[:20], sep="\n")
    sys.exit(bool(problems))


record(*sys.argv[2:]) if sys.argv[1] == "--record" else main()
