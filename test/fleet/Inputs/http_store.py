"""http_store.py CLREWRITE: runs of fleet/http.test with servers of all sorts, each with what
it prints of the cache. A server keeps what was put in a dictionary, and has one fault."""
import http.server
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time

CLREWRITE = sys.argv[1]
HERE = os.getcwd()
SECRET = "Bearer of-a-secret-3141"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.puts.append(self.path)
        if not self.may():
            return
        if self.server.fault == "takes nothing":
            return self.reply(403)
        with self.server.lock:
            self.server.entries[self.path] = body
        self.reply(201)

    def may(self):
        login = self.server.login
        if login and self.headers["Authorization"] != login:
            self.reply(401)
            return False
        return True

    def do_GET(self):
        self.server.gets.append(self.path)
        if not self.may():
            return
        fault = self.server.fault
        if fault == "slow":
            time.sleep(1)
        with self.server.lock:
            entry = self.server.entries.get(self.path)
        if fault in FAULTS:
            return FAULTS[fault](self, entry or b"")
        if entry is None:
            return self.reply(404)
        self.reply(200, entry)
        self.close_connection = fault == "closes each time"


def forged(request, entry):
    """Another edit, with all that can be made without the key."""
    head, _, value = entry.partition(b"\n")
    request.reply(200, head + b"\n" + value.replace(b"term", b"evil"))


def others(request, entry):
    request.reply(200, next(e for e in request.server.entries.values() if e != entry))


def cut(request, entry):
    request.send_response(200)
    request.send_header("Content-Length", str(len(entry)))
    request.end_headers()
    request.wfile.write(entry[:-9])
    request.close_connection = True


def no_http(request, _):
    request.wfile.write(b"\x1b[31mhello\r\n" * 9)
    request.close_connection = True


def large(request, _):
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    try:
        for _ in range(200):
            request.wfile.write(chunk)
    except OSError:
        pass
    request.close_connection = True


def redirect(request, _):
    request.reply(302, Location=f"http://127.0.0.1:{decoy.server_port}/other")


def drips(request, entry):
    request.send_response(200)
    request.send_header("Content-Length", str(len(entry) + 1000))
    request.end_headers()
    slowly(request, b"x")


def heads(request, _):
    slowly(request, b"HTTP/1.1 100 Continue\r\n\r\n")


def slowly(request, piece):
    try:
        while not request.server.over.wait(0.05):
            request.wfile.write(piece)
    except OSError:
        pass
    request.close_connection = True


FAULTS = {
    "forged": forged, "others": others, "cut": cut, "no HTTP": no_http, "large": large,
    "500": lambda request, _: request.reply(500), "redirect": redirect, "drips": drips,
    "heads": heads, "hangs": lambda request, _: request.server.over.wait(60),
    "words": lambda request, _: (request.send_response(599, "\x1b[31m::add-mask::"),
                                 request.send_header("Content-Length", "0"),
                                 request.end_headers()),
}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, fault="", entries=None, login="", tls=""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.login = fault, login
        self.entries = {} if entries is None else dict(entries)
        self.gets, self.puts, self.lock, self.over = [], [], threading.Lock(), threading.Event()
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.server_port}/cache"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # a client that has gone

    def __exit__(self, *_):
        self.over.set()
        self.shutdown()
        self.server_close()


def start(url, folder="", key="key", words=(), **more):
    """A run of a host whose folder is empty, unless it has a name."""
    if not folder:
        folder = "folder"
        shutil.rmtree(folder, ignore_errors=True)
    env = dict(os.environ, CLREWRITE_CACHE_DIR=f"{HERE}/{folder}", CLREWRITE_CACHE_URL=url,
               PATH="/usr/bin:" + os.environ["PATH"], XDG_STATE_HOME=HERE + "/state")
    env.update(more)
    if key:
        env["CLREWRITE_CACHE_KEY"] = f"{HERE}/{key}"
    words = words or ("measure", "--target=gfx906,gfx1030,gfx1100", "k.cl")
    return subprocess.Popen([CLREWRITE, words[0], "--timing", *words[1:]], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def told(what, url, seconds=30, **how):
    begun = time.monotonic()
    out, errors = start(url, **how).communicate(timeout=120)
    took = time.monotonic() - begun
    lines = errors.splitlines()
    counts = {" ".join(line.split()[:-1]): line.split()[-1] for line in lines if line}
    said = [line for line in lines if "warning" in line]
    parts = [f"{name} {counts[name]}" for name in ("compilations", "answered by cache")
             if counts.get(name, "0") != "0"]
    parts.append("no store" if "entries of the store" not in counts
                 else "entries of the store " + counts["entries of the store"])
    print(what + ": " + ", ".join(parts) + "".join(
        "; " + line.partition("CLREWRITE_CACHE_URL, ")[2] for line in said), flush=True)
    if len(said) > 1 or took > seconds or "secret" in out + errors or "\x1b" in out + errors:
        print(f"WRONG: {len(said)} warnings, {took:.1f} s", out, errors)
    if not how.get("words") and figures and figures(out) != right:
        print("WRONG: other figures", out)
    return out


def key(name, mode=0o600):
    write(name, os.urandom(32), mode)


def write(name, data, mode):
    with open(name, "wb") as out:
        out.write(data)
    os.chmod(name, mode)


def figures(out):
    return [line for line in out.splitlines() if "VGPRs" in line]


key("key")
key("key2")
decoy = Server()
right = None
store = Server()
figures, kept = None, figures
out = told("no key", store.url, key=None)
figures, right = kept, kept(out)
assert len(right) == 3 and not store.gets
told("cold", store.url)
assert store.puts and all(len(path) == len("/cache/") + 64 for path in store.puts)
told("another host", store.url)
told("its folder", store.url, folder="folder")
told("another key", store.url, key="key2")
told("a folder that can't be made", store.url, folder="k.cl/none")
entries = dict(store.entries)

fresh = Server()
texts = [p.communicate(timeout=120) for p in
         [start(fresh.url, folder=f"host{i}") for i in range(8)]]
print(f"eight hosts: the same {sum(figures(out) == right for out, _ in texts)} times,",
      "something wrong" if any("warning" in err for _, err in texts) else "nothing wrong")

source = open("k.cl").read()


def fixed(url):
    write("run.cl", b"""kernel void f(global const float *in, global float *out, int w) {
  int i = get_global_id(0) + w;
  float s = 0, t = 0;
  s += 2 * in[i - 1];
  t -= in[i - 1];
  s += 3 * in[i];
  t -= in[i];
  s += 4 * in[i + 1];
  t -= in[i + 1];
  out[2 * get_global_id(0)] = s;
  out[2 * get_global_id(0) + 1] = t;
}
""", 0o644)
    words = ("--only=reroll", "--no-measure", "--verify=off", "--fix", "run.cl")
    run = start(url, words=words)
    errors = run.communicate(timeout=60)[1]
    return open("run.cl").read(), errors


edits = Server()
text, _ = fixed(edits.url)
assert "term" in text and any(b"term" in e for e in edits.entries.values())
again, errors = fixed(edits.url)
assert "entries of the store        2" in errors, errors
print("edits: 2 entries,", "the same text" if again == text else "WRONG")
edits.fault = "forged"
again, errors = fixed(edits.url)
print("edits that are forged:", "the same text;" if again == text else "WRONG",
      errors.partition("CLREWRITE_CACHE_URL, ")[2].partition("\n")[0])

told("of another entry", Server("others", entries).url)
swapped = Server()
start(swapped.url, key="key2").communicate(timeout=60)
# Whoever has no key does not know the names either, but sees which are asked for.
with Server(entries=entries) as liar:
    liar.entries = {path: next(iter(swapped.entries.values())) for path in entries}
    told("of another key", liar.url)
for fault in ("cut", "no HTTP", "large", "500", "redirect"):
    told(fault, Server(fault, entries).url)
assert not decoy.gets
told("words for a terminal", Server("words").url)
with Server("takes nothing") as closed:
    told("takes nothing", closed.url)
    print("puts that were tried:", len(closed.puts))
told("closes each time", Server("closes each time", entries).url)
for fault, name in (("drips", "drips"), ("heads", "endless heads")):
    with Server(fault, entries) as bad:
        told(name, bad.url)
with Server("hangs", entries) as bad:
    told("hangs", bad.url)
    print("asked once:", len(bad.gets))
with Server("slow") as bad:
    names = [f"k{i}.cl" for i in range(20)]
    for name in names:
        shutil.copy("k.cl", name)
    # It is asked 100 times and more otherwise.
    told("slow", bad.url, seconds=60,
         words=("measure", "--target=gfx906,gfx1030,gfx1100", *names))
with socket.socket() as unused:
    unused.bind(("127.0.0.1", 0))
    told("dead", f"http://127.0.0.1:{unused.getsockname()[1]}")
told("no such host", "http://no-such-host.invalid/")
told("a URL with a blank", "http://127.0.0.1/a b")
os.mkdir("bin")
told("no Python", "http://127.0.0.1/", PATH=HERE + "/bin")
write("bin/python3", b"#!/bin/sh\nexec /bin/sleep 1000\n", 0o755)
told("a Python that hangs", "http://127.0.0.1/", PATH=HERE + "/bin")
told("no URL", "ftp://127.0.0.1/")
told("a login in the URL", "http://me:secret@127.0.0.1/")

locked = Server(entries=entries, login=SECRET)
write("login", SECRET.encode() + b"\n", 0o600)
write("loose", SECRET.encode(), 0o644)
write("lines", SECRET.encode() + b"\r\nX: y\r\n", 0o600)
told("without a login", locked.url)
for what, name in (("with a login", "login"), ("a login that others can read", "loose"),
                   ("a login of two lines", "lines")):
    told(what, locked.url, CLREWRITE_CACHE_AUTHORIZATION=f"{HERE}/{name}")

if shutil.which("openssl"):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", "key.pem", "-out", "cert.pem"], check=True, capture_output=True)
    with open("both.pem", "w") as both:
        both.write(open("key.pem").read() + open("cert.pem").read())
    with Server(entries=entries, tls="both.pem") as safe:
        told("TLS", safe.url, SSL_CERT_FILE=HERE + "/cert.pem")
        told("TLS of a stranger", safe.url)
else:
    for what in ("TLS", "TLS of a stranger"):
        print(what + ": not run: no openssl")
