"""How many cycles the stores of a warp take on an NVIDIA GPU, by how many a lane does and how far
apart the lanes are.

usage: stores.py BIN_DIR [--device NAME]

Each lane stores some elements one by one, which lie side by side, and the next lane's begin some
bytes on; 256 MB are gone through. BIN_DIR's clrewrite times that on --device (default NVIDIA, an
H200's clock and multiprocessors are taken). For each kernel: the bytes that a lane covers, cycles
of a quarter of a multiprocessor for a warp, sectors of 32 bytes that the stores write, counted for
each store and once in all, and cycles for each of the first."""
import argparse

import l1

GIGAHERTZ, QUARTERS = 1.98, 132 * 4  # of an H200
BYTES, SECTOR, LANES = 256 << 20, 32, 32
SIZE = {"uchar": 1, "ushort": 2, "float": 4}
# The type, how many of it a lane stores, and bytes from lane to lane.
TRIED = [(t, n, n * SIZE[t]) for t, n in (
    ("uchar", 4), ("uchar", 5), ("uchar", 6), ("uchar", 8), ("uchar", 16), ("uchar", 48),
    ("ushort", 4), ("ushort", 6), ("ushort", 8), ("ushort", 16),
    ("float", 1), ("float", 2), ("float", 3), ("float", 4), ("float", 5), ("float", 6), ("float", 7),
    ("float", 8), ("float", 16))] + [
    ("float", 1, 32), ("float", 2, 32), ("float", 4, 32), ("float", 1, 128), ("float", 4, 128)]
KERNEL = """// clrewrite: launch global={items} local=256 out=256M v=3
kernel void probe(global {type} *out, {type} v) {{
  global {type} *at = out + get_global_id(0) * {step};
{stores}}}
"""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("--device", default="NVIDIA")
    options = parser.parse_args()
    print("| a lane stores | bytes apart | cycles | sectors, each store | in all | cycles a sector |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind, count, apart in TRIED:
        items = BYTES // apart // 256 * 256
        stores = "".join(f"  at[{i}] = v + ({kind}){i};\n" for i in range(count))
        text = KERNEL.format(type=kind, items=items, step=apart // SIZE[kind], stores=stores)
        time = l1.microseconds(options.bin_dir + "/clrewrite", options.device, text)
        cycles = time * 1e3 * GIGAHERTZ * QUARTERS / (items / LANES)
        written = [{(lane * apart + i * SIZE[kind]) // SECTOR for lane in range(LANES)}
                   for i in range(count)]
        each, once = sum(map(len, written)), len(set().union(*written))
        print(f"| {count} {kind} | {apart} | {cycles:.0f} | {each} | {once} | {cycles / each:.1f} |",
              flush=True)


if __name__ == "__main__":
    main()
