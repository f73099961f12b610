"""Holds the estimate for NVIDIA's GPUs against every version that searches with
--objective=time timed on a device, from what was said to the device program.

usage: trials.py BIN_DIR LOG_DIR [--target sm_90] [--tuned NAME,...] [--misses]
                 [--grace PERCENT]

LOG_DIR has a folder a kernel with the program's jobs in X.in and its answers in
X.out, as a device command leaves them that is a script of one line:

    tee $LOGS/$$.in | clrewrite-device | tee $LOGS/$$.out

Of the versions whose time changed by 5 % or more: how many the estimate has on
the right side, sees no change in, and has on the wrong side; apart for the
kernels that it was tuned on. With --grace: how many versions pass whose estimate may
rise by so much, of those that were slower, faster, or neither. Needs no device."""
import argparse
import glob
import json
import os
import statistics

from device import CLEAR, agreement, estimates


def answered(path):
    """Jobs and their answers; lines that were cut off are left out."""
    def lines(name):
        for line in open(name):
            try:
                yield json.loads(line)
            except ValueError:
                pass

    answers = {a.get("id"): a for a in lines(path[:-2] + "out")}
    for job in lines(path):
        answer = answers.get(job["id"])
        if answer and answer.get("ok"):
            yield job, answer


def timed(folder):
    """The median speed-up of each pair of versions that was timed."""
    ratios = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.in"))):
        for job, answer in answered(path):
            if job["job"] != "run" or not job.get("time") or not answer["time"]:
                continue
            before, after = (v["source"] for v in job["versions"][:2])
            if before != after:
                ratios.setdefault((before, after), []).append(
                    statistics.median(answer["time"]["ratios"][1]))
    return {pair: statistics.geometric_mean(r) for pair, r in ratios.items()}


def passes(every, cycles, most):
    """Prints how many versions pass whose estimate may rise by the factor `most`."""
    counts = {"slower": [0, 0], "faster": [0, 0], "neither": [0, 0]}
    for pairs in every.values():
        for (before, after), ratio in pairs.items():
            if cycles.get(before) and cycles.get(after):
                count = counts["slower" if ratio < 1 / CLEAR else
                               "faster" if ratio > CLEAR else "neither"]
                count[0] += cycles[after] <= cycles[before] * most
                count[1] += 1
    print(", ".join(f"{sort}: {some} of {all_of_them} pass"
                    for sort, (some, all_of_them) in counts.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("log_dir")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--tuned", type=lambda v: v.split(","), default=[])
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--grace", type=float)
    options = parser.parse_args()

    every = {name: timed(os.path.join(options.log_dir, name))
             for name in sorted(os.listdir(options.log_dir))}
    clear = {name: {pair: ratio for pair, ratio in pairs.items()
                    if not 1 / CLEAR < ratio < CLEAR}
             for name, pairs in every.items()}
    wanted = clear if options.grace is None else every
    cycles = estimates(options.bin_dir, options.target,
                       {s for pairs in wanted.values() for p in pairs for s in p})
    sums = {True: [0, 0, 0], False: [0, 0, 0]}
    for name, pairs in clear.items():
        ratios = [(cycles[a] / cycles[b], ratio)
                  for (a, b), ratio in pairs.items() if cycles.get(a) and cycles.get(b)]
        counts = agreement(ratios)
        if options.misses and sum(counts):
            print(f"{name:16}", *counts,
                  " ".join(f"{t:.2f}:{e:.3f}" for e, t in ratios
                           if agreement([(e, t)])[0] == 0))
        for i, count in enumerate(counts):
            sums[name in options.tuned][i] += count
    for tuned, (right, even, wrong) in sums.items():
        total = right + even + wrong
        if total:
            print(f"{'tuned on' if tuned else 'others'}: of {total} clear "
                  f"changes {right} right ({100 * right / total:.0f} %), "
                  f"{even} no change, {wrong} wrong")
    if options.grace is not None:
        passes(every, cycles, 1 + options.grace / 100)


main()
