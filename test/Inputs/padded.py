"""padded.py BEFORE.cl AFTER.cl: runs the kernels of rewrites/pad-buffer/PadBuffer.cl
as they were, and as pad-buffer has left them on buffers that its own kernel has
padded as its note says. Every byte must be the same, and nothing may be touched
outside the buffers, which end where the note says. Exits with 1 where not."""
import base64
import json
import random
import struct
import subprocess
import sys

from kept import DEVICE

before, after = (open(path).read() for path in sys.argv[1:3])
process = subprocess.Popen(DEVICE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           text=True)
launches = wrong = 0


def run(source, kernel, size, arguments):
    """The bytes of every buffer after the launch."""
    process.stdin.write(json.dumps({
        "v": 1, "job": "run", "guard": True, "global": size, "args": arguments,
        "versions": [{"source": source, "options": "", "kernel": kernel}]}) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert answer["ok"], answer
    if answer["out_of_bounds"]:
        return answer["out_of_bounds"]
    return [base64.b64decode(b["contents"][0]) for b in answer["buffers"]]


def buffer(code, values):
    data = struct.pack(f"{len(values)}{code}", *values)
    return {"buffer": {"bytes": len(data), "align": struct.calcsize(code),
                       "return": True,
                       "fill": "base64:" + base64.b64encode(data).decode()}}


def scalar(kind, value):
    return {"scalar": {"type": kind, "value": value}}


def check(kernel, kind, code, values, front, length, size, at, arguments):
    """Argument `at` holds `values`, and where it is padded `length` elements,
    the first `front` of them 0."""
    global launches, wrong
    launches += 1
    given = [*arguments]
    given.insert(at, buffer(code, values))
    old = run(before, kernel, size, given)
    wide = run(after, "pad_" + kind, [length], [
        buffer(code, values), buffer(code, [1] * length),
        scalar("int", len(values)), scalar("int", front)])
    fits = wide[1] == struct.pack(
        f"{length}{code}", *([0] * front + values
                             + [0] * length)[:length])
    given[at] = buffer(code, struct.unpack(f"{length}{code}", wide[1]))
    new = run(after, kernel, size, given)
    # The padded buffer itself is another one.
    same = fits and len(old) == len(new) and all(
        a == b for i, (a, b) in enumerate(zip(old, new)) if i != order(given, at))
    if not same:
        wrong += 1
        print(f"{kernel}, {len(values)} elements, {size}: {str(new)[:200]}")


def order(arguments, at):
    """Which of the buffers argument `at` is."""
    return sum("buffer" in a for a in arguments[:at])


chance = random.Random(7)
for n, count in ((40, 9), (64, 1), (33, 8), (5, 17), (1, 2), (70, 31)):
    ints = [chance.randrange(-1000, 1000) for _ in range(n)]
    taps = [chance.randrange(-9, 9) for _ in range(count)]
    # More work-items than elements read nothing but zeros.
    for items in (n, n + 24):
        check("convolve", "int", "i", ints, count // 2, items - 1 + count,
              [items], 0, [buffer("i", taps), buffer("i", [7] * items),
                           scalar("int", n), scalar("int", count)])
for w, r in ((50, 3), (16, 15), (3, 7), (20, 0)):
    floats = [chance.uniform(-1, 1) for _ in range(w)]
    check("blur", "float", "f", floats, r, w - 1 + 2 * r + 1, [1, w], 0,
          [buffer("f", [7] * w), scalar("int", w), scalar("int", r)])
shorts = [chance.randrange(-30000, 30000) for _ in range(100)]
check("window", "short", "h", shorts, 2, 99 + 5, [100], 2,
      [buffer("q", [7] * 100), scalar("int", 3)])
floats = [chance.uniform(-1, 1) for _ in range(512)]
check("named", "float", "f", floats, 4, 511 + 9, [512], 0,
      [buffer("f", [7] * 512), scalar("float", 0.375)])
process.stdin.close()
print(f"{launches} launches, {wrong} wrong")
sys.exit(1 if wrong else 0)
