"""How many cycles a load of a warp takes that an NVIDIA GPU's L1 answers, by how far apart the
lanes' addresses are.

usage: l1.py BIN_DIR [--device NAME]

Each kernel loads the same few lines again and again, so that all loads hit. BIN_DIR's clrewrite
times them on --device (default NVIDIA). Cycles are told against a distance of 128 bytes, at which
all lanes want words of one bank: that takes 32. Beside them are what the estimate takes: how many
words the busiest of 32 banks gives, and a quarter of the lines."""
import argparse
import collections
import os
import re
import subprocess
import tempfile

LANES, BANKS, WORD, LINE = 32, 32, 4, 128
LINES_A_CYCLE = 4
APART = {  # bytes from lane to lane, by the type that is loaded
    "uchar": (16, 32, 64, 128, 132, 256, 1001),
    "float": (4, 16, 32, 48, 80, 112, 128, 132, 144, 160, 192, 260, 512, 4004, 4096, 4128),
    "float2": (8, 16, 24, 32, 64, 72, 128, 136, 4096),
    "float4": (16, 32, 48, 64, 80, 112, 128, 144, 192, 4016, 4096),
}
SIZE = {"uchar": 1, "float": 4, "float2": 8, "float4": 16}
KERNEL = """// clrewrite: launch global=270336 local=256 apart={apart} turns=1024 mask=1 in=1M out=8M
kernel void probe(global const uchar *in, global {sum} *out, int apart, int turns, int mask) {{
  global const uchar *at = in + (get_local_id(0) & 31) * apart;
  {sum} s = 0;
  for (int t = 0; t < turns; t++)
    s += *(global const {type} *)(at + {size} * (t & mask));
  out[get_global_id(0)] = s;
}}
"""


def microseconds(clrewrite, device, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "probe.cl")
        with open(path, "w") as file:
            file.write(text)
        said = subprocess.run([clrewrite, "measure", "--no-config", "--no-cache",
                               "--target=device:" + device, path],
                              capture_output=True, text=True)
    found = re.search(r"time ([\d.]+) us", said.stdout)
    if not found:
        raise SystemExit(said.stdout + said.stderr)
    return float(found[1])


def expected(apart, size):
    """Words of the busiest bank, and lines by four."""
    words = {(lane * apart + byte) // WORD for lane in range(LANES) for byte in range(size)}
    lines = {(lane * apart + byte) // LINE for lane in range(LANES) for byte in range(size)}
    banks = collections.Counter(word % BANKS for word in words)
    return max(banks.values()), len(lines) / LINES_A_CYCLE


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("--device", default="NVIDIA")
    options = parser.parse_args()
    clrewrite = os.path.join(options.bin_dir, "clrewrite")

    def time(kind, apart):
        return microseconds(clrewrite, options.device, KERNEL.format(
            apart=apart, type=kind, size=SIZE[kind], sum="uint" if kind == "uchar" else kind))

    cycle = time("float", LINE) / BANKS
    print("| loads | bytes apart | cycles | words of the busiest bank | lines / 4 |\n"
          "| --- | --- | --- | --- | --- |")
    for kind, all_apart in APART.items():
        for apart in all_apart:
            banks, lines = expected(apart, SIZE[kind])
            print(f"| {kind} | {apart} | {time(kind, apart) / cycle:.1f} | {banks} | {lines:g} |",
                  flush=True)


if __name__ == "__main__":
    main()
