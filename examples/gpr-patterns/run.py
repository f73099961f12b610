#!/usr/bin/python3
"""Runs the kernels of patterns.cl on an OpenCL device: compares the two ways of
an assignment, in which results are the same, and prints how long each kernel
takes, as the table of README.md. The exit code is 1 where a result differs, and 2
where there is no device."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from on_device import Device, buffer, medians, options


def source(kernel):
    """Its own text alone: NVIDIA's driver does not build an empty kernel."""
    with open(os.path.join(HERE, "patterns.cl")) as file:
        parts = file.read().split("__kernel ")
    return "__kernel " + next(p for p in parts if p.startswith(f"void {kernel}("))


def run(device, kernels, arguments, count, time):
    return device.run([(source(k), k) for k in kernels], [count], None, arguments,
                      time, guard=not time)


def main():
    parser = options(__doc__)
    parser.add_argument("--elements", type=int, default=1 << 24)
    given = parser.parse_args()
    device = Device(given)
    print(f"device: {device.name}")
    larger = ["mark_larger_if", "mark_larger_select"]

    def pair(count):
        return [buffer("int", count, "ints:0:1000"),
                buffer("int", count, "ints:0:1000")]

    for count in (1, 63, 1000):
        answer = run(device, larger, pair(count), count, False)
        wrong = answer["differences"] or answer["out_of_bounds"]
        print(f"{'WRONG' if wrong else 'ok'}: {larger[1]} as {larger[0]}: "
              f"{count} elements")
        if wrong:
            sys.exit(1)
    if given.check:
        return
    count = given.elements
    stored = [buffer("float", count, "zeros"), buffer("float", count, "zeros")]
    rows = [("nothing", []), ("unused_pointer", stored[:1]),
            ("one_store", stored[:1]),
            ("three_stores_char", stored + [buffer("char", count // 4, "zeros")]),
            ("three_stores_int", stored + [buffer("int", count, "zeros")]),
            (larger[0], pair(count)), (larger[1], pair(count))]
    print(f"\n{count} elements, medians\n\n"
          "| kernel | time, us |\n| --- | --- |")
    for kernel, arguments in rows:
        try:
            took = medians(run(device, [kernel] * 2, arguments, count, True))
            print(f"| {kernel} | {min(took):.1f} |")
        except SystemExit:  # says why
            print(f"| {kernel} | does not build |")


if __name__ == "__main__":
    main()
