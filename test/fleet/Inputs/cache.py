"""cache.py CLREWRITE: runs of fleet/cache.test, each with what it prints of the cache."""
import os
import subprocess
import sys

clrewrite = sys.argv[1]
here = os.getcwd()


def start(key="key", state="state"):
    env = dict(os.environ, CLREWRITE_CACHE_DIR=here + "/cache", XDG_STATE_HOME=f"{here}/{state}")
    if key:
        env["CLREWRITE_CACHE_KEY"] = f"{here}/{key}"
    return subprocess.Popen(
        [clrewrite, "measure", "--timing", "--target=gfx906", "k.cl"], env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tell(what, **how):
    out, errors = start(**how).communicate(timeout=60)
    for reason in ("others can write to it", "others can read or change its key",
                   "names no file of 32 bytes"):
        if reason in errors:
            print(f"{what}: {reason}")
            return
    words = {" ".join(line.split()) for line in (out + errors).splitlines()}
    print(what + ": " + ", ".join(
        f"{name} 1" for name in ("compilations", "answered by cache") if f"{name} 1" in words))


def key(name, size=32, mode=0o600):
    with open(name, "wb") as out:
        out.write(os.urandom(size))
    os.chmod(name, mode)


def entries():
    return [f"cache/{name}" for name in os.listdir("cache") if name.startswith("llvmcache-")]


os.chmod("cache", 0o777)
key("key", mode=0o640)
tell("cold")
kept = len(entries())
tell("again")
tell("another user's state", state="state2")
tell("no key", key=None)
key("other")
tell("another key", key="other")
tell("the first key")
for path in entries():
    with open(path, "r+b") as entry:
        text = entry.read()
        entry.seek(0)
        entry.write(text.replace(b'"vgprs":', b'"sgprs":'))
tell("forged")
key("loose", mode=0o644)
tell("a key that others can read", key="loose")
key("short", size=31)
tell("a key of 31 bytes", key="short")
for path in entries():
    os.remove(path)
texts = [p.communicate(timeout=120)[0].splitlines()[:2] for p in [start() for _ in range(8)]]
same = sum(text == texts[0] for text in texts)
whole = all(open(path, "rb").read().endswith(b"}") for path in entries())
print(f"eight writers: the same {same} times, "
      f"{'as many' if len(entries()) == kept else 'other'} entries, "
      f"{'nothing' if whole else 'something'} half")
