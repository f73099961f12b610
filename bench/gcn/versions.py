"""Rewritten versions of a kernel, made by clrewrite for gfx906 without a device. Nothing
is verified by running it: whether a version leaves the same is what the interpreter is
to say."""
import os
import re
import shutil
import subprocess
import zlib


class Maker:
    """Makes the versions of a kernel's file, as files of a folder."""

    def __init__(self, bin_dir, folder):
        self.program = os.path.join(bin_dir, "clrewrite")
        self.folder = folder
        said = subprocess.run([self.program, "--list-rewrites"], capture_output=True,
                              text=True, check=True).stdout
        self.exact = re.findall(r"^(\S+) +exact ", said, re.M)

    def clrewrite(self, path, *words):
        return subprocess.run(
            [self.program, "--no-config", "--no-cache", "--verify=off",
             "--target=gfx906", *words, path], capture_output=True, text=True)

    def fixed(self, path, label, *words):
        """LABEL and the file that `--fix` with WORDS makes of the one at PATH, as a list
        of one; empty where it changes nothing."""
        name = os.path.basename(path)
        copy = os.path.join(self.folder, label.replace(" ", "-"), name)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(path, copy)
        done = self.clrewrite(copy, "--fix", *words)
        if done.returncode not in (0, 1):
            raise SystemExit(f"gcn: {label} of {name}: {done.stderr.strip()}")
        with open(path) as old, open(copy) as new:
            return [(label, copy)] if old.read() != new.read() else []

    def kept(self, path):
        """What clrewrite keeps by default."""
        return self.fixed(path, "kept")

    def singles(self, path, each):
        """Each exact rewrite alone, wherever it is legal, whether it pays or not: up to
        EACH of its alternatives. Which they are goes by the names of the kernel and the
        rewrite, so that kernels try different ones."""
        out = []
        for rewrite in self.exact:
            labels = self.labels(path, rewrite)
            first = zlib.crc32(f"{os.path.basename(path)} {rewrite}".encode())
            for n in range(min(each, len(labels))):
                label = labels[(first + n) % len(labels)]
                out += self.fixed(path, f"{rewrite} {label}", "--no-measure",
                                  "--only=" + rewrite, "--alternative=" + label)
        return out

    def labels(self, path, rewrite):
        """The names of a rewrite's alternatives in a file: clrewrite tells them where it
        is asked for one that there is not."""
        said = self.clrewrite(path, "--no-measure", "--only=" + rewrite,
                              "--alternative=?").stderr
        told = re.search(r"\(there are: (.*)\)", said)
        return told.group(1).split() if told else []
