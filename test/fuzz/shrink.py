"""Takes statements out of a find's kernel while the find stays (kernels.py --shrink)."""
import json
import os
import re
import subprocess
import tempfile

import generate

# What keeps a kernel defined stays: the ranges of arguments, and the parts of buffers.
KEEP = re.compile(r"clamp\(w|if \(w\d+ < 1|return;|w\d+ = |own_\w+ = o_|size_t g|int g")


def alone(text, kernel):
    """The kernel with the functions, macros and types that are its own."""
    parts = re.split(r"\n(?=(?:kernel|__kernel|// clrewrite: launch|#define|typedef|"
                     r"constant sampler_t|#ifdef NOT_HERE_|"
                     r"(?:static |inline )*(?:uint|float|double|void)\d* \w+_k\d+_))", text)
    mine = re.compile(rf"\b{kernel}\b|_{kernel}_")
    others = re.compile(r"_(k\d+)_|void (k\d+)\(")

    def is_mine(part):
        found = {a or b for a, b in others.findall(part)}
        return not found - {kernel} and (found or mine.search(part) or
                                         part.startswith("// clrewrite: launch"))
    kept = []
    for at, part in enumerate(parts):
        if part.startswith("// clrewrite: launch") and "void" not in part:
            if at + 1 == len(parts) or not is_mine(parts[at + 1]):
                continue
        if is_mine(part):
            kept.append(part)
    return "\n".join(kept)


def defined(folder):
    """Whether it parses, and reads nothing that was not assigned."""
    return subprocess.run(
        ["clang-22", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
         "-fsyntax-only", "-w", "-Werror=uninitialized",
         "-Werror=sometimes-uninitialized", "--target=amdgcn", "before.cl"], cwd=folder,
        capture_output=True).returncode == 0


class Shrink:
    def __init__(self, tools, find):
        self.tools, self.find = tools, find
        self.after = None

    def stays(self, text):
        """Whether the find is there in the text too."""
        import kernels
        want = self.find["edits"][0]
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "before.cl"), "w", newline="",
                      encoding="utf-8") as file:
                file.write(text)
            if not defined(folder):
                return False
            done, versions, _ = self.tools.edits(folder, self.find["seed"])
            if self.find["kind"] == "each-edit":
                return done.returncode not in (0, 1)
            for version in versions:
                edit = version["edits"][0]
                if (edit["rewrite"], edit["label"].split("-")[0]) != (
                        want["rewrite"], want["label"].split("-")[0]) or (
                        bool(edit["upon"]) and not want["upon"]):
                    continue
                if self.find["kind"] == "does not parse":
                    if version["problem"]:
                        return self.keep(folder, version)
                    continue
                options = kernels.options_for(version)
                if version["problem"] or options is None:
                    continue
                done, told = self.tools.verify(
                    folder, f"after/{version['text']}.cl", "--prove=off",
                    "--witness=witness.json", "--rounds=12",
                    f"--seed={self.find['seed']}", *options,
                    build=self.find.get("build", ()))
                if any(word == "different" for word, _ in told.values()):
                    said = kernels.opinions(self.tools, folder).values()
                    if self.find["kind"] == "the driver's" or "different" in said:
                        return self.keep(folder, version)
        return False

    def keep(self, folder, version):
        with open(os.path.join(folder, f"after/{version['text']}.cl"),
                  encoding="utf-8") as file:
            self.after = version["edits"], file.read()
        return True

    def run(self, text):
        lines = text.split("\n")
        size = max(1, len(lines) // 2)
        while True:
            at, before = 0, len(lines)
            while at < len(lines):
                piece = lines[at:at + size]
                without = lines[:at] + lines[at + size:]
                if not any(KEEP.search(line) for line in piece) and \
                        self.stays("\n".join(without)):
                    lines = without
                else:
                    at += size
            if size == 1 and len(lines) == before:
                return "\n".join(lines)
            size = max(1, size // 2)


def main(tools, path):
    with open(path, encoding="utf-8") as file:
        find = json.load(file)
    text = generate.file(find["seed"], find["kernels"], find["arrays"])
    if find.get("build"):
        with open(path.removesuffix(".json") + "-before.cl", newline="",
                  encoding="utf-8") as file:
            text = file.read()
    text = text.replace("\r\n", "\n")
    shrink = Shrink(tools, find)
    # What the variations of a build stand for may be before any kernel.
    small = alone(text, find["kernel"]) if find["kernel"] and not find.get("build") else text
    if not shrink.stays(small):
        print("the find is not there any more, or needs the other kernels of its file")
        return 1
    small = shrink.run(small)
    shrink.stays(small)
    print(small)
    if shrink.after:
        print(f"// becomes, by {shrink.after[0]}:\n{shrink.after[1]}")
    return 0
