#!/usr/bin/python3
"""Rewrites the box sum in the ways that are legal without any assumption, runs
each beside the original on an OpenCL device, and prints whether the results are
the same and how fast they are, as the table of README.md. The exit code is 1
where a result differs, and 2 where there is no device."""
import base64
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from on_device import Device, buffer, medians, options, program, scalar

WAYS = ["serialise-vload/comma", "serialise-vload/fence",
        "serialise-vload/roll-last-2", "serialise-vload/roll-last-3",
        "split-vector/halves-kept", "split-vector/quarters-kept",
        "align-access/tested"]
WINDOW = 8


def original():
    with open(os.path.join(HERE, "box_sum.cl")) as file:
        return file.read()


def rewritten(way):
    rewrite, label = way.split("/")
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(os.path.join(HERE, "box_sum.cl"), folder)
        subprocess.run([program("clrewrite"), "--fix", "--no-measure",
                        "--verify=off", "--only=" + rewrite,
                        "--alternative=" + label, path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path) as file:
            text = file.read()
    assert text != original(), way
    return text


def image_size(width, height):
    return {"bytes": base64.b64encode(struct.pack(
        "3i", width, height, width)).decode()}


def run(device, ways, width, height, time):
    """`width` a multiple of eight; the input is one window larger each way."""
    wide, high = width + WINDOW, height + WINDOW
    return device.run(
        [(original(), "box_sum")] + [(ways[w], "box_sum") for w in WAYS],
        [width // 8, height], None,
        [image_size(wide, high),
         buffer("ushort", wide * high // 2, "ints:0:60000", "r"),
         image_size(width, height),
         buffer("ushort", width * height // 2, "zeros"),
         scalar("int", WINDOW), scalar("ushort", 20000)],
        time, guard=not time)


def main():
    parser = options(__doc__)
    parser.add_argument("--size", default=None, help="of the timed image, in "
                        "multiples of 8 (default: 4096x4096, on a CPU 1024x1024)")
    given = parser.parse_args()
    device = Device(given)
    print(f"device: {device.name}")
    ways = {w: rewritten(w) for w in WAYS}
    answer = run(device, ways, 64, 24, False)
    differ = {d["version"] for d in answer["differences"] + answer["out_of_bounds"]}
    for number, way in enumerate(WAYS, 1):
        print(f"{'WRONG' if number in differ else 'ok'}: {way}")
    if differ:
        sys.exit(1)
    if given.check:
        return
    size = given.size or ("1024x1024" if device.is_cpu else "4096x4096")
    width, height = map(int, size.split("x"))
    took = medians(run(device, ways, width, height, True))
    print(f"\n{width} x {height} sums, medians\n\n"
          "| version | time, us | speed-up |\n| --- | --- | --- |")
    for way, us in zip(["original"] + WAYS, took):
        print(f"| {way} | {us:.1f} | {took[0] / us:.2f} |")


if __name__ == "__main__":
    main()
