#!/usr/bin/python3
"""Makes the bounded and the padded convolution of the guarded one, runs all four
on an OpenCL device, and prints whether they agree and how fast they are, as the
table of README.md. The exit code is 1 where two disagree, and 2 where there is
no device."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from on_device import (Device, buffer, contents, fill, hash_of, medians, options,
                       program, scalar)

TAPS = 257


def rewritten(*arguments):
    """guarded.cl after an edit, which is legal, whether or not it pays."""
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(os.path.join(HERE, "guarded.cl"), folder)
        subprocess.run([program("clrewrite"), "--fix", "--no-measure",
                        "--verify=off", *arguments, path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path) as file:
            return file.read()


def given(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


FORMS = {"cases": (given("cases.cl"), "convolve_cases"),
         "guarded": (given("guarded.cl"), "convolve_guarded"),
         "bounds": (rewritten("--only=guard-to-bounds"), "convolve_guarded"),
         "padded": (rewritten("--only=pad-buffer", "--grant=pad-buffer"),
                    "convolve_guarded")}


def run(device, form, values, taps, time):
    """One launch, or some that are timed; a work-item an element."""
    n, count = len(values), len(taps)
    given = fill("i", values)
    length = n
    if form == "padded":
        length = n - 1 + count
        given = fill("i", [0] * (count // 2) + values
                     + [0] * (length - n - count // 2))
    return device.run(
        [FORMS[form]], [n], [256],
        [buffer("int", length, given, "r"),
         buffer("int", count, fill("i", taps), "r"),
         buffer("int", n, "zeros"), scalar("int", n), scalar("int", count)], time)


def pad(device, values, count, time):
    """The kernel that pad-buffer has added."""
    length = len(values) - 1 + count
    return device.run(
        [(FORMS["padded"][0], "pad_int")], [length], None,
        [buffer("int", len(values), fill("i", values), "r"),
         buffer("int", length, "zeros", **{"return": not time}),
         scalar("int", len(values)), scalar("int", count // 2)], time)


def check(device, chance):
    """True where all forms agree with the definition."""
    good = True
    for n, count in ((512, 257), (1024, 1), (768, 64), (1024, 511)):
        values = [chance.randrange(-1000, 1000) for _ in range(n)]
        taps = [chance.randrange(-1000, 1000) for _ in range(count)]
        half = count // 2
        sums = [sum(values[i + j - half] * taps[j] for j in range(count)
                    if 0 <= i + j - half < n) for i in range(n)]
        truth = device.run(
            [("kernel void k(global int *p) {}", "k")], [n], None,
            [buffer("int", n, fill("i", sums))])
        agree = {form: hash_of(run(device, form, values, taps, False), 2)
                 == hash_of(truth, 0) for form in FORMS}
        padded = contents(pad(device, values, count, False), 1, "i")
        agree["the kernel that pads"] = padded.tolist() == (
            [0] * half + values + [0] * (count - 1 - half))
        wrong = [form for form, same in agree.items() if not same]
        print(f"{'WRONG: ' + ', '.join(wrong) if wrong else 'ok'}: "
              f"{n} elements, {count} taps")
        good &= not wrong
    return good


def main():
    parser = options(__doc__)
    parser.add_argument("--elements", type=int, default=None, help="of the timed "
                        "input (default: 4194304, on a CPU 65536)")
    asked = parser.parse_args()
    device = Device(asked)
    print(f"device: {device.name}")
    chance = random.Random(3)
    if not check(device, chance):
        sys.exit(1)
    if asked.check:
        return
    n = asked.elements or (1 << 16 if device.is_cpu else 1 << 22)
    values = [chance.randrange(-1000, 1000) for _ in range(n)]
    taps = [chance.randrange(-1000, 1000) for _ in range(TAPS)]
    took = {form: medians(run(device, form, values, taps, True))[0]
            for form in FORMS}
    took["the kernel that pads"] = medians(pad(device, values, TAPS, True))[0]
    print(f"\n{n} elements, {TAPS} taps, medians\n\n"
          "| form | time, us | speed-up |\n| --- | --- | --- |")
    for form, us in took.items():
        gain = "" if form not in FORMS else f"{took['cases'] / us:.2f}"
        print(f"| {form} | {us:.1f} | {gain} |")


if __name__ == "__main__":
    main()
