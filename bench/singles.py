"""Times single edits of the corpus on a device, each beside the original, and holds the
estimates of GPUs that are not there against the times. What needs the compiler is apart
from what needs the device, which takes a minute for a thousand versions and needs
`clrewrite-device` alone.

usage: singles.py record BIN_DIR OUT_DIR [--targets sm_90,gfx906,gfx1100]
                  [--budget N] [--kernels NAME,...] [--source FOLDER] [--more=OPTIONS]
       singles.py fix BIN_DIR OUT_DIR TARGET [--seconds 15] [--kernels NAME,...]
                  [--source FOLDER]
       singles.py time PROGRAM OUT_DIR [--processes 5]
       singles.py table OUT_DIR
       singles.py joins OUT_DIR
       singles.py waves OUT_DIR...
       singles.py again BIN_DIR OUT_DIR [--misses]

`record` searches each kernel with a device program that runs nothing: it notes what is to
be timed and says that nothing is faster, so that each alternative, or N of each kernel, is
tried alone; --source has other kernels than the corpus, each in a file of its name. `fix`
adds what `--fix --target=TARGET --budget=SECONDSs` makes of each kernel without a device.
`time` has PROGRAM, a clrewrite-device where the GPU is, time all that was noted; its answers
are OUT_DIR/answers.jsonl. `table` prints how the times and the estimates agree, and how much
faster each kernel is by `fix`. `joins` holds ways to join the estimate's parts against the
times: their largest, and the roots of their sums of powers. `waves` tells of the edits that
cost warps of sm_90 how often they were slower and faster, by what the estimate made of them
and how many warps were left. `again` has BIN_DIR's clrewrite
estimate all that was timed for sm_90 once more: how many clear changes are right, and how much
the ratio of an original's estimate to its time differs from kernel to kernel, how near the
changes are, and what becomes of those that fall by 5, 15 and 30 %; with --misses
also which clear changes it has not right, and the ratio of each kernel."""
import argparse
import collections
import glob
import json
import math
import os
import queue
import re
import shutil
import statistics
import subprocess
import sys
import threading

from device import CLEAR, agreement, estimates

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
NOISE = 1.01  # what estimates may rise elsewhere
WARPS = 132 * 4  # of an H200, one for each partition of its multiprocessors
LANES = 32
SAME = 1.02  # what time says nothing of
NEAR = 1.25  # an estimate so close to the time is near
# lib/select/Record.cpp: an estimate decides about these.
KEPT = ("align-access", "narrow-double", "pad-rows", "promote-element", "share-window",
        "transpose-ids", "vectorise-loads", "vectorise-stores")
HALF = "murmur3x4"  # kernels up to it are looked at to improve the estimate, the others not
UNIT_NS = 1e9  # the time of an original; a version's number is added in microseconds


def device_program(out):
    """Speaks the device protocol: builds by the program that REAL names, runs nothing."""
    real = subprocess.Popen([os.environ["REAL"]], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    noted = open(os.path.join(out, f"jobs-{os.getpid()}.jsonl"), "w")
    number = 0
    for line in sys.stdin:
        job = json.loads(line)
        if job["job"] == "run":
            answer = {"v": 1, "id": job["id"], "ok": True, "same": True, "buffers": [],
                      "differences": [], "out_of_bounds": [], "time": None}
            if job.get("time"):
                number += 1
                count = len(job["versions"])
                answer["time"] = {
                    "versions": [{"median_ns": UNIT_NS + (1e3 * number if i else 0)}
                                 for i in range(count)],
                    "ratios": [None] + [[1.0] * 20] * (count - 1)}
                noted.write(json.dumps({"number": number, "job": job}) + "\n")
                noted.flush()
        else:
            real.stdin.write(line)
            real.stdin.flush()
            answer = json.loads(real.stdout.readline())
            if job["job"] == "devices":
                answer["devices"] = [{**answer["devices"][0], "type": "gpu",
                                      "name": "Recorder", "vendor_units": None}]
            answer.pop("keeps", None)
        print(json.dumps(answer), flush=True)


def clrewrite(options, name, *words):
    """The report on a kernel of the corpus, which is copied into OUT_DIR."""
    folder = os.path.join(options.out_dir, name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".cl")
    shutil.copy(os.path.join(options.source, name + ".cl"), path)
    done = subprocess.run(
        [os.path.join(options.bin_dir, "clrewrite"), "--no-config", "--no-cache",
         "--verify=off", "--format=json", *words, path],
        capture_output=True, text=True,
        env={**os.environ, "REAL": os.path.join(options.bin_dir, "clrewrite-device")})
    return json.loads(done.stdout), folder, path


def kernels(options):
    return options.kernels or sorted(
        os.path.basename(p)[:-3] for p in glob.glob(os.path.join(options.source, "*.cl")))


def record(options):
    for name in kernels(options):
        out = os.path.join(options.out_dir, name)
        os.makedirs(out, exist_ok=True)
        document, folder, _ = clrewrite(
            options, name, "--target=device," + options.targets, "--objective=time",
            *([f"--budget={options.budget}"] if options.budget else []), *options.more,
            f"--device-command={sys.executable} {os.path.abspath(__file__)} device {out}")
        with open(os.path.join(folder, "report.json"), "w") as file:
            json.dump(document, file)
        print(name, flush=True)


def fix(options):
    for name in kernels(options):
        _, folder, path = clrewrite(options, name, "--target=" + options.target, "--fix",
                                    f"--budget={options.seconds}s")
        os.rename(path, os.path.join(folder, f"fixed-{options.target}.cl"))


def versions(out_dir):
    """What was noted: a job each, with the edit and its estimates, new over old."""
    for path in sorted(glob.glob(os.path.join(out_dir, "*", "report.json"))):
        folder = os.path.dirname(path)
        name = os.path.basename(folder)
        jobs = {}
        for noted in glob.glob(os.path.join(folder, "jobs-*.jsonl")):
            with open(noted) as lines:
                for line in lines:
                    note = json.loads(line)
                    jobs[note["number"]] = note["job"]
        with open(path) as file:
            document = json.load(file)
        for edit in document["files"][0]["rewrites"]:
            timed = [d["time"] for d in edit["deltas"] if d.get("time")]
            job = timed and jobs.pop(round((timed[0]["after_ns"] - UNIT_NS) / 1e3), None)
            if job:
                yield {"kernel": name, "rewrite": edit["rewrite"],
                       "alternative": edit["alternative"], "job": job,
                       "estimates": {
                           d["target"]: d["after"]["est_cycles"] / d["before"]["est_cycles"]
                           for d in edit["deltas"]
                           if d["after"]["est_cycles"] and d["before"]["est_cycles"]},
                       "parts": {
                           d["target"]: (d["before"]["est_parts"], d["after"]["est_parts"])
                           for d in edit["deltas"]
                           if d["before"].get("est_parts") and d["after"].get("est_parts")
                           and d["before"]["est_from"] == d["after"]["est_from"]},
                       "waves": {
                           d["target"]: (d["before"]["occupancy"], d["after"]["occupancy"],
                                         d["after"]["occupancy_max"])
                           for d in edit["deltas"] if d["after"]["occupancy"]}}
                last = job
        given = last["versions"][0]["source"]
        for fixed in sorted(glob.glob(os.path.join(folder, "fixed-*.cl"))):
            with open(fixed) as file:
                text = file.read()
            if text != given:
                old = last["versions"][0]
                yield {"kernel": name, "rewrite": os.path.basename(fixed)[:-3],
                       "alternative": "", "estimates": {}, "parts": {}, "waves": {},
                       "job": {**last, "versions": [old, {**old, "source": text}]}}


def time(options):
    waiting = queue.Queue()
    groups = collections.defaultdict(list)
    for number, version in enumerate(versions(options.out_dir)):
        groups[version["kernel"]].append((number, version))
    for group in groups.values():
        waiting.put(group)
    lock = threading.Lock()

    def ask(program, job):
        program.stdin.write(json.dumps({**job, "v": 1, "id": 1}) + "\n")
        program.stdin.flush()
        return json.loads(program.stdout.readline())

    def work(answers):
        program = None
        while not waiting.empty():
            try:
                group = waiting.get_nowait()
            except queue.Empty:
                break
            for number, version in group:
                try:
                    if not program:
                        program = subprocess.Popen(
                            [options.program], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                        devices = ask(program, {"job": "devices"})["devices"]
                        index = next(d["index"] for d in devices if d["type"] == "gpu")
                    answer = ask(program, {**version["job"], "device": index,
                                           "limit_s": 60})
                except (ValueError, OSError) as problem:
                    answer = {"ok": False, "error": {"message": str(problem),
                                                     "restart": True}}
                if not answer["ok"] and answer["error"].get("restart"):
                    program.kill()
                    program = None
                answer.pop("buffers", None)
                with lock:
                    answers.write(json.dumps({"number": number, "answer": answer}) + "\n")
                    answers.flush()

    # One launch at a time is timed: the others build meanwhile.
    with open(os.path.join(options.out_dir, "answers.jsonl"), "w") as answers:
        threads = [threading.Thread(target=work, args=(answers,))
                   for _ in range(options.processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def answered(options):
    """Each version with the times that the device gave; None where it left other bytes, or
    could not be run."""
    every = list(versions(options.out_dir))
    with open(os.path.join(options.out_dir, "answers.jsonl")) as lines:
        for note in map(json.loads, lines):
            answer = note["answer"]
            useful = answer["ok"] and not answer["differences"]
            yield every[note["number"]], answer["time"] if useful else None


def timed(options):
    """Each version with how many times as fast the original it was; None without times."""
    for version, times in answered(options):
        yield version, times and statistics.median(times["ratios"][1])


def launched(version, job):
    """The text with the launch of the version in its comment, which the estimate goes by, and
    the warps of that launch."""
    sizes, local = version.get("global", job["global"]), version.get("local", job["local"])
    words = " ".join(f"{name}={'x'.join(map(str, each))}"
                     for name, each in (("global", sizes), ("local", local)) if each)
    warps = math.ceil(math.prod(sizes) / LANES)
    if local:
        warps = math.prod(-(-a // b) for a, b in zip(sizes, local)) * -(
            -math.prod(local) // LANES)
    return re.sub(r"(clrewrite: launch) global=\S+( local=\S+)?", rf"\1 {words}",
                  version["source"], count=1), warps


def near(told):
    """Prints how far the estimate of each version is from its time."""
    clear = [change / ratio for _, change, ratio in told if max(ratio, 1 / ratio) >= CLEAR]
    same = [change for _, change, ratio in told if max(ratio, 1 / ratio) < SAME]
    print(f"\n{sum(max(c, 1 / c) < NEAR for c in clear)} of {len(clear)} clear changes are told "
          f"within {NEAR} times what was timed; {sum(max(c, 1 / c) > CLEAR for c in same)} of "
          f"{len(same)} that take less than {SAME} times as long are told {CLEAR} or more")


def falls(told):
    """Prints what becomes of the edits that an estimate may keep, by how far it falls."""
    print("\n| the estimate falls by | edits | faster | slower |\n| --- | ---: | ---: | ---: |")
    for least, most in ((0.05, 0.15), (0.15, 0.3), (0.3, 1)):
        ratios = [ratio for version, change, ratio in told
                  if version["rewrite"] in KEPT and least <= 1 - 1 / change < most]
        print(f"| {least:.0%} to {most:.0%} | {len(ratios)} | "
              f"{sum(r >= CLEAR for r in ratios)} | {sum(r <= 1 / CLEAR for r in ratios)} |")


def again(options):
    every, originals = [], {}
    for version, times in answered(options):
        if times and not version["rewrite"].startswith("fixed-"):
            job = version["job"]
            old, new = (launched(each, job) for each in job["versions"][:2])
            every.append((version, old, new, statistics.median(times["ratios"][1])))
            originals[old] = times["versions"][0]["median_ns"]
    cycles = estimates(options.bin_dir, "sm_90",
                       {text for _, old, new, _ in every for text, _ in (old, new)})
    told = [(version, cycles[old] * before / (cycles[new] * after), ratio)
            for version, (old, before), (new, after), ratio in every
            if cycles.get(old) and cycles.get(new)]
    pairs = collections.defaultdict(list)
    for version, change, ratio in told:
        for name in (version["rewrite"], "all"):
            pairs[name, version["kernel"] <= HALF].append((change, ratio))
    print("| rewrite | kernels | clear changes | right | no change | wrong |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for (name, first), each in sorted(pairs.items()):
        right, even, wrong = agreement(each)
        print(f"| {name} | {'up to ' + HALF if first else 'others'} | {right + even + wrong} | "
              f"{right} | {even} | {wrong} |")
    near(told)
    falls(told)
    far = {old: math.log(cycles[old[0]] * max(old[1], WARPS) / time)
           for old, time in originals.items() if cycles.get(old[0])}
    middle = statistics.median(far.values())
    if options.misses:
        for version, change, ratio in told:
            if max(ratio, 1 / ratio) >= CLEAR and not agreement([(change, ratio)])[0]:
                print(f"{version['kernel']}: {version['rewrite']} {version['alternative']}: "
                      f"{ratio:.2f} times as fast, {change:.3f} by the estimate")
        kernels = {old: version["kernel"] for version, old, _, _ in every}
        for old, one in far.items():
            print(f"{kernels[old]}: {math.exp(one - middle):.2f} times the median")
    print(f"\n{len(far)} originals: the ratio of estimate and time spreads by "
          f"{math.exp(statistics.pstdev(far.values())):.2f}, and is within a factor of two of its "
          f"median for {sum(abs(one - middle) < math.log(2) for one in far.values())}")


def joined(parts, power):
    """The estimate, if its parts are joined by this power; None: by the largest of all."""
    # Records of before 30 November 2026 have no "fma", "doubles" and "dispatch".
    compute = max(parts.get(unit, 0) for unit in ("valu", "salu", "special", "fma", "doubles"))
    others = parts["latency"], parts["bandwidth"], parts.get("dispatch", 0)
    if power is None:
        return max(compute, parts["vmem"], parts["lds"], *others)
    terms = (compute, parts["vmem"] + parts["lds"], *others)
    return sum(term ** power for term in terms) ** (1 / power)


def joins(options):
    every = [(v, r) for v, r in timed(options) if r and v["parts"]]
    print("| target | joined by | clear changes | right | no change | wrong "
          "| slower that pass | faster that pass | others that pass |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for target in sorted({t for v, _ in every for t in v["parts"]}):
        pairs = [(*v["parts"][target], r) for v, r in every if target in v["parts"]]
        for power in (None, 4, 3, 2, 1):
            count, told = collections.Counter(), []
            for before, after, speed_up in pairs:
                change = joined(after, power) / joined(before, power)
                side = ("slower" if speed_up <= 1 / CLEAR else
                        "faster" if speed_up >= CLEAR else "other")
                count[side] += 1
                count[side, "passes"] += change <= NOISE
                told.append((1 / change, speed_up))
            passes = " | ".join(f"{count[side, 'passes']} of {count[side]}"
                                for side in ("slower", "faster", "other"))
            print(f"| {target} | {'maximum' if power is None else f'power {power}'} "
                  f"| {count['slower'] + count['faster']} | "
                  + " | ".join(map(str, agreement(told))) + f" | {passes} |")


def waves(options):
    """Of several OUT_DIRs."""
    ratios = collections.defaultdict(list)
    for out_dir in [options.out_dir, *options.others]:
        for version, ratio in timed(argparse.Namespace(out_dir=out_dir)):
            before, after, most = version["waves"].get("sm_90", (0, 0, 0))
            change = version["estimates"].get("sm_90")
            if ratio and change and after < before:
                told = ("rises" if change > NOISE else
                        "falls" if change < 1 / NOISE else "stays")
                ratios[2 * after >= most, told].append(ratio)
    print("| warps left | the estimate | edits | slower by 5 % | faster by 5 % | median |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for (half, told), each in sorted(ratios.items(), reverse=True):
        print(f"| {'half or more' if half else 'fewer'} | {told} | {len(each)} | "
              f"{sum(r <= 1 / CLEAR for r in each)} | {sum(r >= CLEAR for r in each)} | "
              f"{statistics.median(each):.3f} |")


def table(options):
    ratios = collections.defaultdict(list)
    unlike = 0
    for version, ratio in timed(options):
        if ratio is None:
            unlike += 1
            continue
        estimates = version["estimates"].values()
        told = bool(estimates) and max(estimates) <= NOISE and (
            min(estimates) <= 1 / CLEAR)
        ratios[version["rewrite"]].append((ratio, told, version))

    def counts(pairs):
        slower = sum(r <= 1 / CLEAR for r in pairs)
        return f"{len(pairs)} | {slower} | {sum(r >= CLEAR for r in pairs)}"

    print("| rewrite | versions | slower | faster | told faster | slower | faster |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    for name, each in sorted(ratios.items(), key=lambda item: -len(item[1])):
        if not name.startswith("fixed-"):
            print(f"| {name} | {counts([r for r, _, _ in each])} "
                  f"| {counts([r for r, told, _ in each if told])} |")
    print(f"\n{unlike} left other bytes, or could not be run")
    for name, each in ratios.items():
        if name.startswith("fixed-"):
            mean = math.exp(sum(math.log(r) for r, _, _ in each)
                            / len(glob.glob(os.path.join(options.out_dir, "*", ""))))
            print(f"{name[6:]}: {len(each)} edited, {sum(r >= CLEAR for r, _, _ in each)} "
                  f"faster by 5 %, geometric mean of all {mean:.2f}; slower by 2 %: "
                  + (", ".join(f"{v['kernel']} {r:.2f}" for r, _, v in each if r < 0.98)
                     or "none"))
            print(", ".join(f"{v['kernel']} {r:.2f}" for r, _, v in
                            sorted(each, key=lambda one: -one[0])))


def main():
    if sys.argv[1:2] == ["device"]:
        return device_program(sys.argv[2])
    parser = argparse.ArgumentParser()
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode in ("record", "fix"):
        one = modes.add_parser(mode)
        one.add_argument("bin_dir")
        one.add_argument("out_dir")
        one.add_argument("--kernels", type=lambda value: value.split(","))
        one.add_argument("--source", default=CORPUS)
    modes.choices["record"].add_argument("--targets", default="sm_90,gfx906,gfx1100")
    modes.choices["record"].add_argument("--budget", type=int)
    modes.choices["record"].add_argument("--more", type=str.split, default=[])
    modes.choices["fix"].add_argument("target")
    modes.choices["fix"].add_argument("--seconds", type=int, default=15)
    one = modes.add_parser("time")
    one.add_argument("program")
    one.add_argument("out_dir")
    one.add_argument("--processes", type=int, default=5)
    one = modes.add_parser("again")
    one.add_argument("--misses", action="store_true")
    one.add_argument("bin_dir")
    for mode in ("table", "joins", "waves"):
        modes.add_parser(mode)
    for mode in ("again", "table", "joins", "waves"):
        modes.choices[mode].add_argument("out_dir")
    modes.choices["waves"].add_argument("others", nargs="*")
    options = parser.parse_args()
    return {"record": record, "fix": fix, "time": time, "table": table,
            "joins": joins, "again": again, "waves": waves}[options.mode](options)


if __name__ == "__main__":
    main()
