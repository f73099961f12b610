"""Cases of drive.py that need images."""
import base64
import struct
import sys

from program import equal, launch, needs_device


def needs_images(device):
    needs_device(device)
    if not device.done("devices")["devices"][0]["images"]:
        print("SKIPPED: the first device has no images")
        sys.exit(77)


COPY = """kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                      CLK_FILTER_NEAREST;
  write_imagef(out, p, read_imagef(in, s, p));
}"""


def image(fill, access, **members):
    shape = dict(type="2d", width=8, height=4, fill=fill, seed=5)
    return {"image": dict(shape, **members), "access": access}


def image_launch(*sources, **members):
    members.setdefault("args", [image("floats:-1:1", "r"),
                                image("byte:171", "w", **{"return": True})])
    members.setdefault("global", [8, 4])
    return launch(*sources, kernel="copy", **members)


def images(device, options):
    needs_images(device)
    job = image_launch(COPY, COPY, guard=True)
    answer = device.done("run", **job)
    equal((answer["same"], answer["out_of_bounds"]), (True, []))
    equal([b["changed"] for b in answer["buffers"]], [False, True])
    equal([b["bytes"] for b in answer["buffers"]], [512, 512])
    # What was copied is what was written.
    equal(len({h for b in answer["buffers"] for h in b["hash"]}), 1)
    equal(len(base64.b64decode(answer["buffers"][1]["contents"][0])), 512)
    # A swapped channel; the element is the pixel, with its ulps.
    swap = COPY.replace("in, s, p)", "in, s, p) + (float4)(0, 0, "
                        "p.x == 3 && p.y == 2 ? 1e-7f : 0, 0)")
    witness, = device.done("run", **image_launch(COPY, swap))["differences"]
    equal((witness["version"], witness["arg"], witness["element"],
           witness["elements"]), (1, 1, 2 * 8 + 3, 1))
    equal(len(witness["expected"]), 32)
    equal(witness["offset"] // 16, 19)
    assert 0 < witness["max_ulps"] < 100, witness
    # A lost write_image finds what was there before the launch.
    lost = COPY.replace("write_imagef(", "if (p.x != 6) write_imagef(")
    witness, = device.done("run", **image_launch(COPY, lost))["differences"]
    equal((witness["element"], witness["elements"], witness["actual"]),
          (6, 4, "ab" * 16))
    # Timed launches too find the initial contents, also in the formats whose
    # channels are not floats.
    for kind in ("UNORM_INT8", "HALF_FLOAT", "UNORM_INT16"):
        answer = device.done("run", time=True, repeat=2, warmup=0, **image_launch(
            COPY, COPY, args=[image("zeros", "r", channel_type=kind),
                              image("random", "w", channel_type=kind)]))
        equal((answer["same"], len(answer["time"]["versions"])), (True, 2))


KINDS = (
    ("1d", "width", "x"),
    ("1d_buffer", "width", "x"),
    ("1d_array", "width layers", "(int2)(x, y)"),
    ("2d", "width height", "(int2)(x, y)"),
    ("2d_array", "width height layers", "(int4)(x, y, z, 0)"),
    ("3d", "width height depth", "(int4)(x, y, z, 0)"))


def image_kinds(device, options):
    needs_images(device)
    for kind, sizes, at in KINDS:
        source = f"""#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void k(read_only image{kind}_t in, write_only image{kind}_t out) {{
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  write_imageui(out, {at}, read_imageui(in, {at}) + 1);
}}"""
        shape = {"type": kind, "channel_type": "UNSIGNED_INT32",
                 "fill": "iota", **dict(zip(sizes.split(), (5, 3, 2)))}
        count = 4 * 5 * (3 if " " in sizes else 1) * (2 if sizes.count(" ") == 2 else 1)
        members = {"global": [5, 3, 2][:len(sizes.split())], "args": [
            {"image": shape, "access": "r"},
            {"image": dict(shape, fill="zeros", **{"return": True}), "access": "w"}]}
        answer = device.ask("run", time=True, repeat=2,
                            **launch(source, kernel="k", **members))
        if not answer["ok"] and answer["error"]["name"] in ("UNSUPPORTED", "CL_BUILD_PROGRAM_FAILURE"):
            continue  # a device may lack a kind of image
        assert answer["ok"], answer
        got = base64.b64decode(answer["buffers"][1]["contents"][0])
        equal(list(struct.unpack(f"<{count}I", got)), list(range(1, count + 1)))


def samplers(device, options):
    needs_images(device)
    source = """kernel void k(read_only image1d_t in, sampler_t s, global float *out, float at) {
  out[0] = read_imagef(in, s, at).x;
}"""

    def sample(at, **sampler):
        answer = device.done("run", **launch(source, kernel="k", args=[
            {"image": dict(type="1d", width=4, channel_order="RGBA",
                           channel_type="FLOAT", fill="iota"), "access": "r"},
            {"sampler": sampler},
            {"buffer": {"bytes": 4, "type": "float", "return": True}},
            {"scalar": {"type": "float", "value": at}}], **{"global": [1]}))
        image, out = answer["buffers"]
        return struct.unpack("<f", base64.b64decode(out["contents"][0]))[0]
    # Pixels hold 0, 4, 8, 12 in their first channel.
    edge = dict(address="clamp_to_edge")
    equal(sample(1.25), 4)
    equal(sample(9.0, **edge), 12)
    equal(sample(9.0, address="clamp"), 0)
    equal(sample(1.0, filter="linear", **edge), 2)
    equal(sample(0.3, normalized=True), 4)
    equal(sample(1.3, normalized=True, address="repeat"), 4)
    equal(sample(1.3, normalized=True, address="mirrored_repeat"), 8)
    error = device.refused("run", **launch(source, kernel="k", args=[
        {"image": dict(type="1d", width=4)}, {"sampler": {"address": "repeat"}},
        {"buffer": {"bytes": 4}}, {"scalar": {"type": "float", "value": 0}}]))
    equal(error["message"],
          "args[1].sampler.address: repeat needs normalized coordinates")


def image_refusals(device, options):
    needs_images(device)

    def error(*args, source=COPY):
        found = device.refused("run", **image_launch(source, args=list(args)))
        return found["name"], found["message"]
    fine = image("zeros", "w")
    equal(error({"buffer": None}, fine), (
        "BAD_REQUEST", "version 0: argument 0 needs an image2d_t"))
    equal(error({"image": {"type": "1d", "width": 3}}, fine), (
        "BAD_REQUEST",
        "version 0: argument 0 needs an image2d_t, not a 1d image"))
    equal(error({"sampler": {}}, fine), (
        "BAD_REQUEST", "version 0: argument 0 is no sampler"))
    equal(error(image("zeros", "r"), fine, source="kernel void copy("
                "global int *a, write_only image2d_t b) {}"), (
        "BAD_REQUEST", "version 0: argument 0 is no image"))
    equal(error({"scalar": {"type": "int", "value": 1}}, fine, source=
                "kernel void copy(sampler_t a, write_only image2d_t b) {}"), (
        "BAD_REQUEST", "version 0: argument 0 needs a sampler"))
    # No device has this one: only normalised types go with INTENSITY.
    equal(error(image("zeros", "r", channel_order="INTENSITY",
                      channel_type="SIGNED_INT32"), fine), (
        "UNSUPPORTED", "args[0]: the device has no 2d image of INTENSITY "
        "SIGNED_INT32 with access r"))
    name, message = error(image("zeros", "r", width=1 << 24), fine)
    equal(name, "TOO_LARGE")
    assert "pixels a side on this device, not 16777216" in message, message
    equal(device.done("run", **image_launch(COPY, COPY))["same"], True)
