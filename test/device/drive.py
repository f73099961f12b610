"""Drives clrewrite-device for real: each case is a function of this file
or of images.py.

Ends with status 77 (skipped) where a case needs an OpenCL device and
there is none.
"""
import argparse
import base64
import fcntl
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from images import image_kinds, image_refusals, images, samplers
from program import Device, SCALE, equal, launch, needs_device

CASES = ["protocol", "devices", "build", "build_failure", "run_same",
         "run_different", "run_arguments", "run_changed", "run_alias", "run_part", "part_order", "run_any_nan",
         "run_refusals", "ulps", "no_buffer", "out_of_bounds",
         "far_out_of_bounds", "faults_at_once", "one_compilation", "timing", "enough", "more",
         "hash_timed", "in_place", "spread", "kept", "reuse", "copy",
         "copy_refusals", "images", "image_kinds", "samplers",
         "image_refusals", "examples",
         "repeatable", "links_no_llvm", "margins", "prints", "limit", "orphan",
         "one_at_a_time"]


def protocol(device, options):
    hello = device.done("hello")
    equal(hello["protocol"], 1)
    equal(hello["program"], "clrewrite-device")
    equal(device.refused("nonsense")["name"], "UNKNOWN_JOB")
    for text, name in (("garbage", "BAD_JSON"), ("[1]", "BAD_JSON"),
                       ('{"v":2,"id":9,"job":"hello"}', "UNSUPPORTED_VERSION"),
                       ('{"id":9,"job":"hello"}', "UNSUPPORTED_VERSION"),
                       ('{"v":1,"id":9}', "BAD_REQUEST"),
                       ('{"v":1,"id":9,"job":3}', "BAD_REQUEST")):
        answer = device.line(text)
        equal(answer["ok"], False)
        equal(answer["error"]["name"], name)
    device.done("hello")
    equal(device.close(), 0)


def devices(device, options):
    needs_device(device)
    first = device.done("devices")["devices"][0]
    equal(first["index"], 0)
    for name in ("name", "vendor", "driver", "version", "opencl_c"):
        assert first[name], name
    assert first["max_alloc_bytes"] > 0 and first["compute_units"] > 0
    assert first["readable"] and first["platform"]["name"]
    equal(list(first["native_vector_width"]),
          ["half", "float", "double", "int"])


def build(device, options):
    needs_device(device)
    answer = device.done("build", options="-DN=4 -cl-std=CL1.2", source="""
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(global const float *restrict a, local int *l, float4 v) {
  local int t[N];
  t[get_local_id(0) % N] = v.x;
  l[0] = t[0] + a[0];
}
kernel void a(global int *p) { p[0] = N; }""")
    equal([k["name"] for k in answer["kernels"]], ["a", "k"])
    assert answer["options"].startswith("-DN=4 -cl-std=CL1.2")
    k = answer["kernels"][1]
    equal([(x["name"], x["type"], x["address"], x["qualifiers"])
           for x in k["args"]],
          [("a", "float*", "global", ["const", "restrict"]),
           ("l", "int*", "local", []), ("v", "float4", "private", [])])
    usage = k["usage"]
    equal(usage["compile_work_group_size"], [64, 1, 1])
    equal(answer["kernels"][0]["usage"]["compile_work_group_size"], None)
    assert usage["work_group_size_max"] > 0
    platform = device.done("devices")["devices"][0]["platform"]["name"]
    def code(text, options=""):
        return device.done("build", options=options, source=text)["code"]
    if platform != "NVIDIA CUDA":
        equal(answer["code"], None)
    else:
        text = "kernel void a(global int *p) { p[0] = %s; }"
        equal(code(text % "4"), code(text % "/* as before */ 2 + 2"))
        assert code(text % "4") != code(text % "5")
        assert code(text % "4") != code(text % "4", "-DN=1"), "options are a part of it"
    if platform == "Portable Computing Language":
        # What a CPU driver can't tell is null, not 0.
        for name in ("vgprs", "sgprs", "spill_bytes", "private_bytes"):
            equal(usage[name], None)


def build_failure(device, options):
    needs_device(device)
    error = device.refused("build", source="kernel void f() { undeclared; }")
    equal((error["where"], error["code"], error["name"]),
          ("clBuildProgram", -11, "CL_BUILD_PROGRAM_FAILURE"))
    assert "undeclared" in error["log"], error
    equal(device.refused("build", device=99, source="")["name"],
          "NO_SUCH_DEVICE")
    equal(device.refused("build")["name"], "BAD_REQUEST")
    device.done("build", source="kernel void f() {}")


def run_same(device, options):
    needs_device(device)
    other = SCALE.replace("in[i] * f", "f * in[i]")
    answer = device.done("run", **launch(SCALE, SCALE, other))
    equal(answer["same"], True)
    equal(answer["differences"], [])
    equal([len(set(b["hash"])) for b in answer["buffers"]], [1, 1])
    equal([b["arg"] for b in answer["buffers"]], [0, 1])
    # NaNs, infinities and denormals too.
    job = launch(SCALE, other)
    job["args"][0]["buffer"].update(fill="specials", type="float")
    equal(device.done("run", **job)["same"], True)


def run_different(device, options):
    needs_device(device)
    wrong = SCALE.replace("in[i] * f", "in[i] * f + (i == 77 ? 1 : 0)")
    answer = device.done("run", **launch(SCALE, wrong))
    equal(answer["same"], False)
    witness, = answer["differences"]
    equal((witness["version"], witness["arg"], witness["element"],
           witness["elements"]), (1, 1, 77, 1))
    assert 77 * 4 <= witness["offset"] < 78 * 4
    assert witness["expected"] != witness["actual"]
    lost = SCALE.replace("out[i] =", "if (i != 3) out[i] =")
    witness, = device.done("run", **launch(SCALE, lost))["differences"]
    equal((witness["element"], witness["actual"]), (3, "abababab"))


def run_changed(device, options):
    needs_device(device)
    # Every fourth element, and none of those bytes that are too few for one.
    text = "kernel void k(global TYPE *p) { p[4 * get_global_id(0)] ^= 1; }"
    for kind, size, count in ("uchar", 1, 5), ("ushort", 2, 10), ("uint", 4, 2), ("ulong", 8, 3):
        filled = {"bytes": 4 * count * size + size // 2, "fill": "random", "type": kind}
        text_of = text.replace("TYPE", kind)
        answer = device.done("run", **launch(text_of, text_of, kernel="k",
                                             args=[{"buffer": filled}], **{"global": [count]}))
        equal([b["changed_elements"] for b in answer["buffers"]], [count])


def run_alias(device, options):
    needs_device(device)
    # Two arguments that are one buffer, and a pair that only then differs.
    one = "kernel void k(global int *a, global int *b) { a[0] = 1; b[1] = a[0] + b[0]; }"
    two = "kernel void k(global int *a, global int *b) { int v = b[0]; a[0] = 1; b[1] = 1 + v; }"
    buffer = {"buffer": {"bytes": 8, "fill": "ints:7:7"}}
    members = {"kernel": "k", "global": [1]}
    equal(device.done("run", **launch(one, two, args=[buffer, buffer], **members))["same"], True)
    answer = device.done("run", **launch(one, two, args=[buffer, {"alias": 0}], **members))
    witness, = answer["differences"]
    equal((witness["arg"], witness["expected"], witness["actual"]),
          (0, "02000000", "08000000"))
    equal([b["changed"] for b in answer["buffers"]], [True])
    for wrong in (1, 2):
        equal(device.refused("run", **launch(one, args=[buffer, {"alias": wrong}], **members))["name"],
              "BAD_REQUEST")


def run_part(device, options):
    needs_device(device)
    # One begins within the other: each element is the one before it and 1.
    source = """kernel void k(global int *a, global int *b) {
  for (int i = 0; i < 40; ++i)
    b[i] = a[i] + 1;
}"""
    filled = {"buffer": {"bytes": 512, "fill": "ints:7:7", "return": True}}

    def contents(part, back=False, **members):
        args = [filled, dict(alias=0, offset=part)]
        # Back to front the kernel's last argument has the buffer.
        text = source.replace("b[i] = a[i]", "a[i] = b[i]") if back else source
        if back:
            args = [dict(alias=1, offset=part), filled]
        answer = device.done("run", **launch(text, kernel="k", args=args, **members,
                                             **{"global": [1]}))
        entry, = answer["buffers"]
        return struct.unpack("<128i", base64.b64decode(entry["contents"][0])), answer

    def expected(elements):
        values = [7] * 128
        for i in range(40):
            values[i + elements] = values[i] + 1
        return tuple(values)

    align = device.done("devices")["devices"][0]["part_align_bytes"]
    base = device.done("devices")["devices"][0]["mem_base_align_bytes"]
    for guard in "start", "end":
        for elements in 1, 3, 32, 64:
            if 4 * elements % align:
                continue
            for back in False, True:
                values, answer = contents(4 * elements, back, guard=guard)
                equal(values, expected(elements))
                equal(answer["out_of_bounds"], [])
    # What lies outside the part lies outside the buffer.
    _, answer = contents(4 * 96, guard="end")
    equal([(t["arg"], t["offset"]) for t in answer["out_of_bounds"]], [(0, 512)])
    # Without fences a part is a sub-buffer.
    for guard in False, "margins":
        if base == 128:
            equal(contents(128, guard=guard)[0], expected(32))
        args = [filled, {"alias": 0, "offset": 4}]
        error = device.refused("run", **launch(source, kernel="k", args=args, guard=guard,
                                               **{"global": [1]}))
        equal((error["name"], error["message"]),
              ("UNSUPPORTED", "args[1]: here a part of a buffer begins at a multiple of "
                              f"{base} bytes, not at 4"))
    error = device.refused("run", **launch(source, kernel="k", args=[
        filled, {"alias": 0, "offset": 512}], **{"global": [1]}))
    equal((error["name"], error["message"]),
          ("BAD_REQUEST", "args[1].offset: the buffer has 512 bytes"))


def part_order(device, options):
    needs_device(device)
    base = device.done("devices")["devices"][0]["mem_base_align_bytes"]
    # A part is released before the buffer in which it begins.
    strict = Device(options.program, LD_PRELOAD=options.strict_sub_buffers)
    source = "kernel void k(global int *a, global int *b, global int *c) { c[0] = b[0] = a[0] + 1; }"
    args = [{"buffer": {"bytes": 4 * base, "fill": "ints:7:7"}}, {"alias": 0, "offset": base},
            {"alias": 0, "offset": 2 * base}]
    for guard in False, "margins":
        answer = strict.done("run", **launch(source, kernel="k", args=args, guard=guard,
                                             **{"global": [1]}))
        equal([b["changed"] for b in answer["buffers"]], [True])
    equal(strict.close(), 0)


def run_any_nan(device, options):
    needs_device(device)
    one = "kernel void k(global float *a) { a[0] = as_float(0x7fc00000); }"
    two = one.replace("0x7f", "0xff")
    members = dict(kernel="k", args=[{"buffer": {"bytes": 8, "type": "float"}}])
    equal(device.done("run", **launch(one, two, **members))["same"], False)
    equal(device.done("run", any_nan=True, **launch(one, two, **members))["same"], True)


def run_arguments(device, options):
    needs_device(device)
    source = """typedef struct { int a; char b; } pair;
kernel void k(global int *out, local int *l, global int *none, char3 v,
              pair p, ulong u, constant int *c) {
  l[get_local_id(0)] = v.z;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) - 8] = l[get_local_size(0) - 1] + p.a + p.b + c[1] +
                              (none == 0) + (u == 0xffffffffffffffffUL);
}"""
    answer = device.done("run", **launch(
        source, kernel="k", local=[4], offset=[8], **{"global": [8]}, args=[
            {"buffer": {"bytes": 32, "type": "int", "return": True}},
            {"local": 16}, {"buffer": None},
            {"scalar": {"type": "char3", "value": [1, 2, 3]}},
            {"bytes": "CgAAABQAAAA="},
            {"scalar": {"type": "ulong", "value": 2**64 - 1}},
            {"buffer": {"bytes": 8, "fill": "iota", "type": "int"},
             "access": "r"}]))
    equal(answer["buffers"][0]["contents"],
          ["JAAAACQAAAAkAAAAJAAAACQAAAAkAAAAJAAAACQAAAA="])  # 3+10+20+1+1+1


def run_refusals(device, options):
    needs_device(device)

    def name(**members):
        return device.refused("run", **members)["name"]
    equal(name(**launch(SCALE, args=[])), "BAD_REQUEST")
    equal(name(**launch(SCALE, args=[{"local": 4}] * 3)), "BAD_REQUEST")
    equal(name(**launch(SCALE, kernel="nobody")), "CL_INVALID_KERNEL_NAME")
    equal(name(**launch(SCALE, local=[7])), "CL_INVALID_WORK_GROUP_SIZE")
    large = launch(SCALE)
    large["args"][1]["buffer"]["bytes"] = 1 << 45
    error = device.refused("run", **large)
    equal(error["name"], "TOO_LARGE")
    assert "35184372088832 bytes are more than" in error["message"], error
    error = device.refused("run", **launch(SCALE, "kernel void scale( {"))
    assert error["message"].startswith("version 1: "), error
    equal(device.done("run", **launch(SCALE, SCALE))["same"], True)


def ulps(device, options):
    needs_device(device)
    next_up = SCALE.replace("in[i] * f", "as_float(as_int(in[i] * f) + 2)")
    witness, = device.done("run", **launch(SCALE, next_up))["differences"]
    equal((witness["elements"], witness["max_ulps"]), (256, 2))
    assert 0 < witness["max_relative"] < 1e-6, witness


def no_buffer(device, options):
    """A host passes no buffer as local memory of a handle's size, or as a handle
    of zeros."""
    needs_device(device)
    text = ("kernel void k(global int *out, global const int *none) "
            "{ out[get_global_id(0)] = none ? 1 : 2; }")
    for none in ({"local": 8}, {"bytes": "AAAAAAAAAAA="}, {"buffer": None}):
        answer = device.done("run", **launch(text, text, kernel="k", guard=True, args=[
            {"buffer": {"bytes": 1024, "fill": "zeros", "return": True}}, none]))
        two = base64.b64encode(256 * (2).to_bytes(4, "little")).decode()
        equal((answer["same"], answer["buffers"][0]["contents"][0]), (True, two))
    answer = device.refused("run", **launch(text, kernel="k", args=[
        {"buffer": {"bytes": 1024, "fill": "zeros"}}, {"local": 16}]))
    equal(answer["message"], "version 0: argument 1 needs a buffer")
    answer = device.refused("run", **launch(text, kernel="k", args=[
        {"buffer": {"bytes": 1024, "fill": "zeros"}}, {"bytes": "AAAAAAAAAAE="}]))
    equal(answer["message"], "version 0: argument 1 needs a buffer")


def out_of_bounds(device, options):
    needs_device(device)
    # After the end, in a buffer whose size leaves slack in its alignment.
    past = SCALE.replace("out[i] =", "if (i == 0) out[250] = 1; out[i] =")
    job = launch(past, guard=True, **{"global": [250]})
    job["args"][1]["buffer"]["bytes"] = 1000
    found = device.done("run", **job)["out_of_bounds"]
    equal(found[0]["arg"], 1)
    equal((found[0]["offset"], found[0]["kind"]), (1000, "write"))
    # Before the start.
    before = SCALE.replace("out[i] =", "if (i == 0) out[-1] = 1; out[i] =")
    for guard in ("start", "end"):
        found = device.done("run", **launch(before, guard=guard))
        entry = found["out_of_bounds"][0]
        equal((entry["arg"], entry["kind"]), (1, "write"))
        assert entry["offset"] in (-4, -3, -2, -1), entry
    # A correct kernel has none, and the process lives on.
    answer = device.done("run", **launch(SCALE, SCALE, guard=True))
    equal((answer["out_of_bounds"], answer["same"]), ([], True))
    if answer["guard"] != "pages":
        return
    # A smaller alignment brings the fence to the last byte.
    job = launch(SCALE.replace("in[i] * f", "in[i + 1] * f"), guard=True,
                 **{"global": [251]})
    job["args"][0]["buffer"].update(bytes=1004, align=4)
    found, = device.done("run", **job)["out_of_bounds"]
    equal((found["arg"], found["offset"], found["kind"]), (0, 1004, "read"))
    # Reads are seen where the device works in host memory.
    read = SCALE.replace("in[i] * f", "in[i + 1] * f")
    found, = device.done("run", **launch(read, guard=True))["out_of_bounds"]
    equal((found["arg"], found["offset"], found["kind"]), (0, 1024, "read"))


def faults_at_once(device, options):
    """Every work-group leaves its buffer, on several threads, in a kernel that
    was compiled a moment ago: all must get to the fault handler. Without it in
    place about one process in twenty dies, so there are several."""
    needs_device(device)
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "8"
    read = SCALE.replace("in[i] * f", "in[i + 64] * f")
    job = launch(read, guard=True, local=[1], **{"global": [4096]})
    job["args"][0]["buffer"]["bytes"] = 256
    job["args"][1]["buffer"]["bytes"] = 16384
    for _ in range(8):
        fresh = Device(options.program)
        answer = fresh.done("run", **job)
        if answer["guard"] == "pages":
            found, = answer["out_of_bounds"]
            equal((found["arg"], found["kind"]), (0, "read"))
        equal(fresh.close(), 0)


def one_compilation(device, options):
    """PoCL compiles a version once for all launches of a program that times
    nothing. Elsewhere it is compiled for its work-group size, as for other
    programs."""
    needs_device(device)
    comparing = Device(options.program, "--compare")
    equal(comparing.done("run", **launch(SCALE, SCALE))["same"], True)
    error = comparing.refused("run", **launch(SCALE, time=True))
    equal(error["name"], "UNSUPPORTED")
    assert "--compare" in error["message"], error
    equal(comparing.close(), 0)
    platform = device.done("devices")["devices"][0]["platform"]["name"]
    if platform != "Portable Computing Language":
        return
    sizes = dict(local=[1]), dict(local=[4]), dict(local=[8], offset=[4])

    def compiled(*words, **environment):
        with tempfile.TemporaryDirectory() as folder:
            own = Device(options.program, f"--private={folder}", "--keep", *words, **environment)
            for size in sizes:
                own.done("run", **launch(SCALE, guard=True, **size, **{"global": [64]}))
            equal(own.close(), 0)
            return len(list(pathlib.Path(folder).rglob("scale.so")))

    equal((compiled("--compare"), compiled()), (1, 3))
    # What the user has set stays.
    equal(compiled("--compare", POCL_WORK_GROUP_SPECIALIZATION="1"), 3)


def margins(device, options):
    """What GPUs get, on any device: writes close by are seen."""
    needs_device(device)
    wrong = SCALE.replace("out[i] =", "if (i == 0) { out[-2] = 1; "
                          "out[258] = 1; } out[i] =")
    answer = device.done("run", **launch(SCALE, wrong, guard="margins"))
    equal((answer["guard"], answer["same"]), ("margins", True))
    equal([(t["version"], t["arg"], t["kind"])
           for t in answer["out_of_bounds"]], [(1, 1, "write")] * 2)
    before, after = (t["offset"] for t in answer["out_of_bounds"])
    assert -8 <= before < -4 and 1032 <= after < 1036, answer
    # So are those farther off, the first and the last on each side.
    far = SCALE.replace("out[i] =", "if (i == 0) { out[-500000] = 1; out[-3000] = 1; "
                        "out[3000] = 1; out[700001] = 1; } out[i] =")
    answer = device.done("run", **launch(SCALE, far, guard="margins"))
    equal([(t["version"], t["arg"], t["offset"] // 8 * 8, t["reach"] // 8 * 8 + 7)
           for t in answer["out_of_bounds"]],
          [(1, 1, -2000000, -11993), (1, 1, 12000, 2800007)])
    # Whatever the type, and where the buffer ends.
    for kind, size in ("uchar", 1), ("short", 2), ("int", 4), ("double", 8):
        text = f"kernel void k(global {kind} *p) {{ p[0] = 5; p[-20000] = 3; p[20000] = 3; }}"
        job = launch(text, kernel="k", guard="margins", **{"global": [1]}, args=[
            {"buffer": {"bytes": 129 * size, "fill": "zeros", "type": kind}}])
        equal([t["offset"] // 8 for t in device.done("run", **job)["out_of_bounds"]],
              [-20000 * size // 8, 20000 * size // 8])
    # What is read outside is another number in each run.
    for far in (-1000000, -2000, -2, 258, 1000, 1000000):
        reads = SCALE.replace("out[i] =", f"out[i] = in[{far}] +")
        answer = device.done("run", **launch(reads, reads, guard="margins"))
        equal((answer["same"], answer["out_of_bounds"]), (False, []))


def prints(device, options):
    """What a kernel prints does not get between the answers."""
    needs_device(device)
    text = SCALE.replace("out[i] =", 'printf("{}\\n"); out[i] =')
    equal(device.done("run", **launch(text, text))["same"], True)


def start_endless(device, **members):
    endless = """kernel void k(global volatile int *p) { while (p[0] == 0) ; }"""
    job = launch(endless, kernel="k", args=[
        {"buffer": {"bytes": 4, "fill": "zeros"}}], **{"global": [1]})
    text = json.dumps(dict(v=1, id=9, job="run", **job, **members))
    device.process.stdin.write(text.encode() + b"\n")
    device.process.stdin.flush()


def limit(device, options):
    needs_device(device)
    start_endless(device, limit_s=2)
    equal(device.process.stdout.readline(), b"")
    equal(device.process.wait(30), -14)  # SIGALRM


def orphan(device, options):
    """A process whose caller is gone ends even while a kernel hangs."""
    needs_device(device)
    start_endless(device)
    try:
        device.process.wait(3)
        assert False, "the kernel was to hang"
    except subprocess.TimeoutExpired:
        device.process.stdout.close()
    equal(device.process.wait(30), 3)


def one_at_a_time(device, options):
    """A launch waits for another process that keeps the device; oclgrind
    stands in for a GPU, since kernels of a CPU device wait for nobody."""
    device.close()
    if not shutil.which("oclgrind"):
        print("SKIPPED: oclgrind is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        device = Device(options.program, "--interpret", XDG_RUNTIME_DIR=folder)
        device.done("run", **launch(SCALE))
        with open(os.path.join(folder, "clrewrite-device.lock"), "r+b") as lock:
            held = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
            fcntl.fcntl(lock, fcntl.F_OFD_SETLK, held)
            device.send("build", source=SCALE)
            assert device.waits_for_answer(30)["ok"]
            device.send("run", **launch(SCALE))
            assert device.waits_for_answer(2) is None, "it did not wait"
            free = struct.pack("hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 1, 0)
            fcntl.fcntl(lock, fcntl.F_OFD_SETLK, free)
            assert device.waits_for_answer(30)["ok"]
        equal(device.close(), 0)


def far_out_of_bounds(device, options):
    needs_device(device)
    if device.done("run", **launch(SCALE, guard=True))["guard"] != "pages":
        print("SKIPPED: what a far access does here is the driver's business")
        sys.exit(77)
    far = SCALE.replace("out[i] =", "out[i + (1UL << 44)] =")
    text = json.dumps(dict(v=1, id=9, job="run", **launch(far, guard=True)))
    device.process.stdin.write(text.encode() + b"\n")
    device.process.stdin.flush()
    equal(device.process.stdout.readline(), b"")
    equal(device.process.wait(30), -11)  # SIGSEGV: for the caller to report


def timing(device, options):
    needs_device(device)
    slow = SCALE.replace("out[i] =", "float s = 0; for (int k = 0; k < 4000; "
                         "++k) s += sin(in[i] + k); out[i] = s > 1e9f ? s :")
    answer = device.done("run", **launch(SCALE, slow, time=True, repeat=7,
                                         warmup=2))
    time = answer["time"]
    equal([len(v["samples_ns"]) for v in time["versions"]], [7, 7])
    equal(time["ratios"][0], None)
    equal(len(time["ratios"][1]), 7)
    for version in time["versions"]:
        assert version["min_ns"] == min(version["samples_ns"])
        assert version["median_ns"] == sorted(version["samples_ns"])[3]
    assert all(r < 1 for r in time["ratios"][1]), time
    # A kernel that updates in place gets its inputs anew for each launch.
    step = "kernel void k(global int *p) { p[get_global_id(0)] += 1; }"
    equal(device.done("run", **launch(
        step, step, kernel="k", time=True, repeat=3,
        args=[{"buffer": {"bytes": 1024, "type": "int"}}]))["same"], True)
    only = device.done("run", **launch(SCALE, time=True, compare=False))
    equal((only["same"], len(only["time"]["versions"][0]["samples_ns"])),
          (None, 20))


def enough(device, options):
    """Rounds end early where they take long, but not before the eighth."""
    needs_device(device)
    slow = """kernel void k(volatile global int *p) {
  int i = (int)get_global_id(0);
  for (int j = 0; j < 400000000; ++j)
    p[i] = p[i] * 3 + j;
}"""
    sizes = dict(kernel="k", **{"global": [1]}, time=True, warmup=0,
                 args=[{"buffer": {"bytes": 4, "type": "int"}}])
    early, all_of_them = (
        len(device.done("run", **launch(slow, repeat=12, **sizes, **more))
            ["time"]["versions"][0]["samples_ns"])
        for more in (dict(enough_s=1), {}))
    assert 8 <= early < 12, early
    equal(all_of_them, 12)
    fast = device.done("run", **launch(SCALE, time=True, enough_s=60))
    equal(len(fast["time"]["versions"][0]["samples_ns"]), 20)


def more(device, options):
    """Short launches are timed more often, up to a bound."""
    needs_device(device)
    for most, given in (20, {}), (20, dict(more_ms=0)), (100, dict(more_ms=60000)):
        done = device.done("run", **launch(SCALE, SCALE, time=True, **given))
        equal([len(v["samples_ns"]) for v in done["time"]["versions"]], [most] * 2)
        equal(len(done["time"]["ratios"][1]), most)


def kept(device, options):
    """Contents that one job keeps are those of later ones."""
    needs_device(device)
    def hash_of(fill):
        return device.done("run", **launch(SCALE, args=[
            {"buffer": {"bytes": 1024, "fill": fill}, "access": "r"},
            {"buffer": {"bytes": 1024, "fill": "zeros"}},
            {"scalar": {"type": "float", "value": 2.5}}]))["buffers"][1]["hash"]

    text = "base64:" + base64.b64encode(bytes(range(64)) * 16).decode()
    plain = hash_of(text)
    assert plain != hash_of("zeros")
    job = launch(SCALE, args=[
        {"buffer": {"bytes": 1024, "fill": "kept:a"}, "access": "r"},
        {"buffer": {"bytes": 1024, "fill": "zeros"}},
        {"scalar": {"type": "float", "value": 2.5}}])
    equal(device.refused("run", **job)["name"], "NOT_KEPT")
    equal(hash_of("keep:a:" + text), plain)
    equal(hash_of("kept:a"), plain)
    # The name stands for what it was given first.
    hash_of("keep:a:base64:" + base64.b64encode(bytes(1024)).decode())
    equal(hash_of("kept:a"), plain)
    for bad in ("keep:a", "keep::", "keep:a:zeros", "keep:a:base64:?"):
        job["args"][0]["buffer"]["fill"] = bad
        equal(device.refused("run", **job)["name"], "BAD_REQUEST")


def hash_timed(device, options):
    """What the last timed launches left, beside what the first ones did."""
    needs_device(device)
    buffers = device.done("run", **launch(SCALE, time=True, repeat=2,
                                          hash_timed=True))["buffers"]
    for each in buffers:
        equal(each["timed_hash"], each["hash"])
    assert "timed_hash" not in device.done(
        "run", **launch(SCALE, time=True, repeat=2))["buffers"][0]
    # A kernel that does its work in its first launches only is found out.
    forgets = """global int count;
kernel void k(global int *p) { p[0] = ++count > 2 ? 0 : 7; }"""
    job = launch(forgets, kernel="k", **{"global": [1]}, time=True, repeat=3,
                 warmup=0, hash_timed=True, args=[{"buffer": {"bytes": 4}}])
    job["versions"][0]["options"] = "-cl-std=CL2.0"
    buffer, = device.done("run", **job)["buffers"]
    assert buffer["timed_hash"] != buffer["hash"], buffer


def in_place(device, options):
    """A kernel that works on its own output finds what it found at first in
    each timed launch, also where its buffer is said to be read only."""
    needs_device(device)
    # The index that it keeps leads out of the buffer in the second launch that
    # finds it as the first one left it.
    walk = """kernel void k(global int *at, global int *seen) {
  seen[*at] += 1;
  *at += 64 << 20;
}"""
    for access in ("rw", "r"):
        for compare in (True, False):
            answer = device.done("run", **launch(
                walk, kernel="k", **{"global": [1]}, time=True, repeat=3,
                warmup=1, compare=compare, hash_timed=True, args=[
                    {"buffer": {"bytes": 4, "fill": "zeros", "type": "int"},
                     "access": access},
                    {"buffer": {"bytes": 64, "fill": "zeros"}}]))
            equal(len(answer["time"]["versions"][0]["samples_ns"]), 3)
            for each in answer["buffers"] if compare else []:
                equal(each["timed_hash"], each["hash"])


def spread(device, options):
    """How far results vary, and another version lies outside of that."""
    needs_device(device)
    counts = """global int launches;
kernel void k(global int *p, global const int *q) {
  p[0] = 10 + (launches++ %% 3) + %s; p[1] = q[1];
}"""
    def run(more):
        job = launch(counts % "0", counts % more, kernel="k", spread=9,
                     **{"global": [1]}, args=[
                         {"buffer": {"bytes": 8, "type": "int"}},
                         {"buffer": {"bytes": 8}, "access": "r"}])
        for version in job["versions"]:
            version["options"] = "-cl-std=CL2.0"
        answer = device.done("run", **job)
        equal(answer["spread"]["runs"], 9)
        only, = answer["spread"]["buffers"]
        return only
    same = run("0 * 1")
    equal([same[k] for k in ("arg", "elements", "varying", "new_varying",
                             "outside", "apart")], [0, 2, 1, 1, 0, 0])
    equal([same["max_absolute"], same["max_relative"]], [2, 2 / 12])
    equal(same["element"], None)
    other = run("3")
    equal([other[k] for k in ("outside", "apart", "excess", "apart_excess")],
          [1, 1, 1.5, 0.5])
    equal(other["element"], {"index": 0, "old": ["10", "12"], "new": ["13", "15"]})
    device.refused("run", **launch(SCALE, spread=9))


def reuse(device, options):
    """Memory that a job finds from the one before gives what new memory gives."""
    needs_device(device)
    bytes = (1 << 21) + 3  # large enough to be compared on the device
    count = """kernel void k(global uchar *p, global const uchar *q, int n) {
  size_t i = get_global_id(0);
  if (i < n) p[i] += q[i & 1023] + %s;
}"""
    def run(*sources, n=bytes, guard="margins", seed=1, **members):
        answer = device.done("run", **launch(
            *sources, kernel="k", **{"global": [1 << 22]}, guard=guard, args=[
                {"buffer": {"bytes": bytes, "seed": seed}},
                {"buffer": {"bytes": 1024}, "access": "r"},
                {"scalar": {"type": "int", "value": n}}], **members))
        return {k: answer[k] for k in ("same", "buffers", "differences", "out_of_bounds")}

    def reused():
        return device.done("run", **launch(
            plain, kernel="k", guard="margins", reuse=True, args=[
                {"buffer": {"bytes": bytes, "seed": 1}},
                {"buffer": {"bytes": 1024}, "access": "r"},
                {"scalar": {"type": "int", "value": 99}}]))["reused"]

    plain, last = count % "0", count % "(i == n - 1)"
    middle = count % "(i == 1234567)"
    equal_again = count % "i * 0"
    for guard in ("margins", "end"):
        expected = {source: run(plain, source, guard=guard)
                    for source in (plain, last, middle, equal_again)}
        equal([e["same"] for e in expected.values()], [True, False, False, True])
        # In any order, with times or without; after a difference memory is new.
        for source in (equal_again, plain, last, plain, equal_again, middle, plain):
            for time in (False, True):
                equal(run(plain, source, guard=guard, reuse=True, time=time, repeat=2,
                          warmup=1), expected[source])
        # What version 0 leaves is found out again where it is another one.
        equal(run(last, plain, guard=guard, reuse=True),
              run(last, plain, guard=guard))
        equal(run(last, last, guard=guard, reuse=True), run(last, last, guard=guard))
        # Other arguments, other memory.
        for other in ({"seed": 2}, {"n": 77}):
            equal(run(plain, plain, guard=guard, reuse=True, **other),
                  run(plain, plain, guard=guard, **other))
    # A job between gives the memory up, or leaves it, unless it goes astray.
    small = launch("kernel void k(global int *p) { p[get_global_id(0)] = 1; }",
                   kernel="k", guard="margins", args=[{"buffer": {"bytes": 256}}], **{"global": [64]})
    for between, kept in ([], True), ([{}], False), ([{"leaves_memory": True}] * 2, True), (
            [{"leaves_memory": True, "global": [65]}], False):
        reused()
        for members in between:
            device.done("run", **{**small, **members})
        equal((between, reused()), (between, kept))
    # A write outside is told, though the buffer holds what it should.
    beyond = count % "0; if (i == n) p[i] = 1"
    for again in range(2):
        equal(run(plain, plain, reuse=True)["out_of_bounds"], [])
        answer = run(plain, beyond, reuse=True)
        equal(answer["same"], True)
        equal([(o["version"], o["offset"]) for o in answer["out_of_bounds"]],
              [(1, bytes)])


COPY = """kernel void k(global const float *in, global float *out) {
  size_t i = get_global_id(0); out[i] = in[i];
}"""


def copy(device, options):
    needs_device(device)
    way = {"source": COPY, "kernel": "k", "global": [4096]}
    answer = device.done("copy", bytes=16384, repeat=3, warmup=1, ways=[
        way, None, dict(way, **{"global": [4095]}), dict(way, local=[64])])
    # The last float of one is not copied.
    equal([w["same"] for w in answer["ways"]], [True, True, False, True])
    for each in answer["ways"]:
        equal(len(each["samples_ns"]), 3)
        equal(each["min_ns"], min(each["samples_ns"]))
    # The time is up at once: one round, which counts.
    short = device.done("copy", bytes=16384, repeat=1000, seconds=0,
                        ways=[way])
    equal(len(short["ways"][0]["samples_ns"]), 1)


def copy_refusals(device, options):
    needs_device(device)
    way = {"source": COPY, "kernel": "k", "global": [16]}
    for job, part in (({"bytes": 0, "ways": [way]}, "bytes"),
                      ({"bytes": 64, "ways": []}, "ways"),
                      ({"bytes": 64, "ways": [3]}, "ways[0]"),
                      ({"bytes": 64, "ways": [way], "repeat": 0}, "repeat"),
                      ({"bytes": 64, "ways": [dict(way, local=[1, 1])]},
                       "ways[0].local")):
        error = device.refused("copy", **job)
        equal(error["name"], "BAD_REQUEST")
        assert part in error["message"], error
    equal(device.refused("copy", bytes=1 << 45, ways=[way])["name"],
          "TOO_LARGE")
    equal(device.refused("copy", bytes=64, ways=[dict(way, kernel="none")])
          ["where"], "clCreateKernel")


def examples(device, options):
    """The requests of the protocol's page get the answers that it shows."""
    needs_device(device)
    with open(options.docs) as page:
        pairs = re.findall(r"```request\n(.*?)```\s*```answer\n(.*?)```",
                           page.read(), re.S)
    assert len(pairs) >= 5, "the page has lost its examples"
    for request, shown in pairs:
        answer = device.line(json.dumps(json.loads(request)))
        shown = json.loads(shown)
        equal(list(answer), list(shown))
        if "differences" in shown:
            equal(answer["differences"], shown["differences"])
            equal(answer["out_of_bounds"], shown["out_of_bounds"])


def repeatable(device, options):
    needs_device(device)
    job = launch(SCALE)
    job["args"][0]["buffer"].update(fill="random", seed=42)
    once, again = (device.done("run", **job)["buffers"] for _ in range(2))
    equal(once, again)
    job["args"][0]["buffer"]["seed"] = 43
    assert device.done("run", **job)["buffers"] != once


def links_no_llvm(device, options):
    text = subprocess.run(["ldd", options.program], capture_output=True,
                          text=True).stdout
    assert "libOpenCL" in text, text
    for name in ("LLVM", "clang", "stdc++"):
        assert name not in text, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--docs")
    parser.add_argument("--strict-sub-buffers")
    parser.add_argument("case")
    options = parser.parse_args()
    globals()[options.case](Device(options.program), options)


main()
