"""Cases of drive.py about what buffers hold."""
import struct

from watched import Events, capture_of, folder_bytes, host


def ints(data):
    return list(struct.unpack(f"={len(data) // 4}i", data))


def data(folder):
    """The bytes before and after launches, and a program that sees no trace."""
    more = {"env": {"CLREWRITE_CAPTURE_DATA": "1"}}
    done = host("memory", capture=folder / "c", **more)
    assert done.stdout == host("memory").stdout
    assert "run one at a time" in done.stderr
    e = Events(folder / "c")
    assert e.one("note")["text"] in done.stderr

    def of(launch):
        lines = e.all("data", launch=launch["id"])
        for line in lines:
            assert line["sample"] == 0 and not line["unreadable"], line
        return [(l["argument"], e.blob(l["before"]), e.blob(l["after"]))
                for l in lines]

    (blend,) = e.launches("blend")
    whole, part = of(blend)
    assert (whole[0], part[0]) == (0, 1)
    assert ints(whole[1]) == list(range(256))
    assert ints(part[1]) == list(range(128, 192))
    assert ints(part[2]) == list(range(1128, 1192))
    assert ints(whole[2])[128:192] == ints(part[2])
    (shift,) = e.launches("shift")
    image, out = of(shift)
    assert image[1] == image[2] == bytes(range(32))
    assert (out[0], out[2]) == (2, bytes(
        [*range(4), *range(12), *range(16, 20), *range(16, 28)]))
    # In a queue without order, launches that wait for events.
    add, hidden = [l for l in e.all("launch") if l["out_of_order"]]
    ((_, before, after),) = of(add)
    assert ints(before) == [0] * 64 and ints(after) == [7] * 64
    ((_, before, after),) = of(hidden)
    assert ints(before) == [7] * 64 and ints(after) == [14] * 64
    # Memory that the host may not read.
    (hostless,) = [l for l in e.launches("hidden") if not l["out_of_order"]]
    assert "host_no_access" in hostless["arguments"][0]["flags"]
    ((_, before, after),) = of(hostless)
    assert ints(before) == [3] * 64 and ints(after) == [6] * 64
    # Waiting for the program itself would never end.
    (waiting,) = [l for l in e.launches("add") if l["global"] == [1]]
    assert e.one("dropped", what="data")["launch"] == waiting["id"]
    assert not of(waiting) and e.counts(waiting)[0] == 1
    for svm in [l for l in e.launches("add") if l["svm_pointers"]]:
        direct, named = of(svm)
        assert (direct[0], named[0]) == (0, None)
        assert ints(direct[1]) == [2] * 128
        assert ints(direct[2]) == [2] * 64 + [42] * 64
        assert named == (None, *direct[1:])


def data_samples(folder):
    """N launches of each shape; the others are timed as ever."""
    e = capture_of(folder / "c", "many", 100, 64,
                   env={"CLREWRITE_CAPTURE_DATA": "3"})
    (even,) = e.launches("even")
    samples = e.all("data", launch=even["id"])
    assert [s["sample"] for s in samples] == [0, 1, 2]
    for each in samples:
        assert each["before"] != each["after"]
    assert e.counts(even)[:3] == (50, 0, 50)  # timed as any other
    # Launches that differ only in scalars share the number.
    ids = [l["id"] for l in e.launches("decay")]
    assert sum(d["launch"] in ids for d in e.all("data")) == 3
    # Of a bound's room, data leaves some to the rest.
    e = capture_of(folder / "d", "many", 100, 4096,
                   env={"CLREWRITE_CAPTURE_DATA": "1",
                        "CLREWRITE_CAPTURE_MAX_SIZE": "49152"})
    assert any("no room left" in d["why"] for d in e.all("dropped"))
    assert e.all("data")[0]["before"]
    assert folder_bytes(e.folder) < 49152 + 65536 + 8192


def data_threads(folder):
    """Threads at once, and every byte as a program alone leaves it."""
    done = host("threads", capture=folder / "c",
                env={"CLREWRITE_CAPTURE_DATA": "2"})
    assert done.stdout == host("threads").stdout
    e = Events(folder / "c")
    for launch in e.launches("scale"):
        taken = e.all("data", launch=launch["id"])
        assert sorted(d["sample"] for d in taken) == [0, 1]
        for d in taken:
            before, after = ints(e.blob(d["before"])), ints(e.blob(d["after"]))
            assert after == [2 * n for n in before]
            assert set(before) == {launch["global"][0] // 16}
