#!/usr/bin/python3
"""Runs the blur in every form on an OpenCL device, and prints whether the forms
agree and how fast they are, as the tables of README.md. The exit code is 1 where
two forms disagree, and 2 where there is no device."""
import array
import cmath
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from on_device import (Device, buffer, contents, fill, medians, options, scalar)

RADIUS, SIGMA = 15, 5.0

# How far results between 0 and 1 may be from those of `direct`: sums in another
# order, and for the recursive filter a Gaussian that is only approximated, with
# the tails that `direct` cuts off at 15 pixels.
ROUNDING, APPROXIMATION = 1e-5, 2e-3


SOURCE_OF = {}
for file, names in (("direct", ["copy", "direct"]),
                    ("separable", ["blur_rows", "blur_columns"]),
                    ("recursive", ["recursive_rows", "recursive_columns"]),
                    ("transpose", ["transpose_naive", "transpose_local",
                                   "transpose_padded", "transpose_skewed"])):
    with open(os.path.join(HERE, file + ".cl")) as source:
        SOURCE_OF.update(dict.fromkeys(names, source.read()))

TRANSPOSES = [k for k in SOURCE_OF if k.startswith("transpose")]


def launch(device, kernels, width, height, image, time):
    """Runs `kernels`, versions of one step, on one image."""
    lines = {"recursive_rows": height, "recursive_columns": width}
    count = width * height
    return device.run(
        [(SOURCE_OF[k], k) for k in kernels],
        [lines[kernels[0]]] if kernels[0] in lines else [width, height],
        [32] if kernels[0] in lines else [16, 16],
        [buffer("float", count, image, "r"),
         buffer("float", count, "zeros", **{"return": not time}),
         scalar("int", width), scalar("int", height), *EXTRA[kernels[0]]], time)


def line_weights():
    """The Gaussian at -RADIUS to RADIUS; their sum is 1."""
    w = [math.exp(-(i * i) / (2 * SIGMA * SIGMA))
         for i in range(-RADIUS, RADIUS + 1)]
    return [v / sum(w) for v in w]


def recursive_factors():
    """Deriche's filter of fourth order: two damped cosines, whose constants are
    those of his "Recursively implementing the Gaussian and its derivatives",
    INRIA RR-1893, 1993. Returns the factors of the inputs running forward and
    backward, and those of the results."""
    numerator, denominator = [0.0] * 5, [1.0]
    parts = []
    for cosine, sine, damping, frequency in ((1.6800, 3.7350, 1.7830, 0.6318),
                                             (-0.6803, -0.2598, 1.7230, 1.9970)):
        pole = cmath.exp(complex(-damping, frequency) / SIGMA)
        parts.append(([cosine, sine * pole.imag - cosine * pole.real],
                      [1.0, -2.0 * pole.real, abs(pole) ** 2]))
        denominator = product(denominator, parts[-1][1])
    for part, other in (parts, parts[::-1]):
        for i, v in enumerate(product(part[0], other[1])):
            numerator[i] += v
    # The same line backward, but for the pixel itself, which has been counted.
    backward = [numerator[i] - numerator[0] * denominator[i] for i in range(1, 5)]
    scale = (sum(numerator) + sum(backward)) / sum(denominator)
    return ([v / scale for v in numerator[:4]], [v / scale for v in backward],
            denominator[1:])


def product(a, b):
    out = [0.0] * (len(a) + len(b) - 1)
    for i, v in enumerate(a):
        for j, w in enumerate(b):
            out[i + j] += v * w
    return out


def steps():
    """Each form: its name, its launches as kernel and whether the image lies on
    its side, the accesses of global memory and the floating-point operations
    for a pixel as the sources have them, and the tolerance."""
    rows, columns = "recursive_rows", "recursive_columns"
    tilted = {t: [(columns, False), (t, False), (columns, True), (t, True)]
              for t in TRANSPOSES}
    return [("copy", [("copy", False)], 2, 0, None),
            ("direct", [("direct", False)], 962, 1922, 0.0),
            ("separable", [("blur_rows", False), ("blur_columns", False)], 64,
             124, ROUNDING),
            ("recursive", [(rows, False), (columns, False)], 10, 62,
             APPROXIMATION),
            *[("recursive, columns only, " + t, launches, 14, 62, APPROXIMATION)
              for t, launches in tilted.items()]]


def extra_arguments():
    """What kernels take beside the images and their size."""
    w = line_weights()
    square = [a * b for a in w for b in w]
    factors = [scalar("float4", v) for v in recursive_factors()]
    line = [buffer("float", len(w), fill("f", w), "r")]
    return {**dict.fromkeys(SOURCE_OF, []), "blur_rows": line,
            "blur_columns": line, "recursive_rows": factors,
            "recursive_columns": factors,
            "direct": [buffer("float", len(square), fill("f", square), "r")]}


EXTRA = extra_arguments()


def blurred(device, launches, width, height, values):
    for kernel, tilted in launches:
        size = (height, width) if tilted else (width, height)
        values = contents(launch(device, [kernel], *size, fill("f", values), False),
                          1, "f")
    return values


def expected(image, width, height, x, y):
    w = line_weights()
    return sum(w[j] * w[i] * image[(y + j - RADIUS) * width + x + i - RADIUS]
               for j in range(2 * RADIUS + 1) for i in range(2 * RADIUS + 1)
               if 0 <= y + j - RADIUS < height and 0 <= x + i - RADIUS < width)


def check(device):
    """True where all forms agree on one small image, which is no square."""
    width, height = 256, 128
    chance = random.Random(1)
    image = array.array("f", (chance.random() for _ in range(width * height)))
    direct = blurred(device, steps()[1][1], width, height, image)
    places = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    places += [(chance.randrange(width), chance.randrange(height))
               for _ in range(60)]
    apart = max(abs(direct[y * width + x] - expected(image, width, height, x, y))
                for x, y in places)
    good = apart <= ROUNDING
    print(f"{'ok' if good else 'WRONG'}: direct is within {ROUNDING:g} of the sums "
          f"that the host makes, at {len(places)} pixels")
    for name, launches, _, _, tolerance in steps()[2:]:
        out = blurred(device, launches, width, height, image)
        apart = max(abs(a - b) for a, b in zip(out, direct))
        fine = apart <= tolerance
        print(f"{'ok' if fine else 'WRONG'}: {name} is within {tolerance:g} of "
              f"direct: {apart:.1e} at most")
        good &= fine
    return good


def timed(device, width, height):
    """Microseconds a launch, by kernel and whether the image is on its side."""
    took = {}
    for group in [[k] for k in SOURCE_OF if k not in TRANSPOSES] + [TRANSPOSES]:
        for tilted in (False, True):
            if tilted and group[0] not in ("recursive_columns", TRANSPOSES[0]):
                continue
            size = (height, width) if tilted else (width, height)
            answer = launch(device, group, *size, "floats:0:1", True)
            for kernel, us in zip(group, medians(answer)):
                took[kernel, tilted] = us
    return took


def rate(megapixels):
    return f"{megapixels:.{0 if megapixels >= 10 else 1}f}"


def tables(took, width, height):
    pixels = width * height
    copy = pixels / took["copy", False]
    print("\n| form | accesses | operations | ratio | estimate, MP/s | "
          "measured, MP/s |\n| --- | --- | --- | --- | --- | --- |")
    for name, launches, accesses, operations, _ in steps():
        measured = pixels / sum(took[each] for each in launches)
        print(f"| {name} | {accesses} | {operations} | {operations / accesses:.1f} "
              f"| {rate(copy * 2 / accesses)} | {rate(measured)} |")
    print("\n| kernel | accesses | time, us | MP/s | GB/s of accesses |\n"
          "| --- | --- | --- | --- | --- |")
    each = {"direct": 962, "blur_rows": 32, "blur_columns": 32,
            "recursive_rows": 5, "recursive_columns": 5}
    for (kernel, tilted), us in took.items():
        if not tilted:
            count = each.get(kernel, 2)
            print(f"| {kernel} | {count} | {us:.0f} | {rate(pixels / us)} "
                  f"| {pixels * 4 * count / us / 1e3:.0f} |")


def main():
    parser = options(__doc__)
    parser.add_argument("--size", default=None, help="of the timed image, in "
                        "multiples of 32 (default: 4096x4096, on a CPU 512x512)")
    given = parser.parse_args()
    device = Device(given)
    print(f"device: {device.name}")
    good = check(device)
    if good and not given.check:
        size = given.size or ("512x512" if device.is_cpu else "4096x4096")
        width, height = map(int, size.split("x"))
        took = timed(device, width, height)
        print(f"\n{width} x {height} pixels, medians")
        tables(took, width, height)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
