"""Has a library of this system's ask for older symbol versions of glibc."""
import struct

# sizes and places in ELF files of 64 bits: Elf64_Ehdr, Elf64_Shdr, Elf64_Verneed,
# Elf64_Vernaux of the System V ABI and of its Linux extensions.
SHT_GNU_VERNEED = 0x6FFFFFFE
SHT_GNU_VERSYM = 0x6FFFFFFF
VER_NDX_GLOBAL = 1


def sections(data):
    """Type, offset, size and linked section of each section."""
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for n in range(count):
        _, kind, _, _, offset, length, link = struct.unpack_from(
            "<IIQQQQI", data, table + n * size)
        yield kind, offset, length, link


def asked(data):
    """The place of each Elf64_Vernaux, and the version that it names."""
    every = list(sections(data))
    for kind, at, _, link in every:
        if kind != SHT_GNU_VERNEED:
            continue
        strings = every[link][1]
        more = True
        while more:
            _, count, _, first, following = struct.unpack_from("<HHIII", data, at)
            entry = at + first
            for _ in range(count):
                name, step = struct.unpack_from("<II", data, entry + 8)
                start = strings + name
                yield entry, data[start:data.index(b"\0", start)].decode()
                entry += step
            more, at = following != 0, at + following


def number(version):
    return tuple(int(n) for n in version.removeprefix("GLIBC_").split("."))


def lower(path, limit):
    """Has a library ask for no symbol version above the limit, such as (2, 28). A symbol
    of a newer one it asks for without a version, in any library, as the loader finds it in
    old ones and new ones; that is right for what has one meaning in all. glibc moved the
    functions for threads and dlopen to another of its libraries in 2.34."""
    data = bytearray(path.read_bytes())
    entries = [(entry, version) for entry, version in asked(data)
               if version.startswith("GLIBC_2.")]
    oldest = min(entries, key=lambda pair: number(pair[1]))[0]
    new = [entry for entry, version in entries if number(version) > limit]
    indices = {struct.unpack_from("<H", data, entry + 6)[0] for entry in new}
    for entry in new:
        data[entry:entry + 4] = data[oldest:oldest + 4]  # vna_hash
        data[entry + 8:entry + 12] = data[oldest + 8:oldest + 12]  # vna_name
    for kind, at, length, _ in list(sections(data)):
        for each in range(at, at + length, 2) if kind == SHT_GNU_VERSYM else ():
            if struct.unpack_from("<H", data, each)[0] in indices:
                struct.pack_into("<H", data, each, VER_NDX_GLOBAL)
    path.write_bytes(data)
