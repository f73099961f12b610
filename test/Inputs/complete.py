"""complete.py SHELL SCRIPT: what a real SHELL offers for the beginnings of
command lines once SCRIPT is loaded; the same for bash, zsh and fish. A script
_clrewrite is not read, but left for zsh to find in its folder. Prints a line
for each, and fails where one is wrong."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

shell, script = sys.argv[1], os.path.abspath(sys.argv[2])

# The beginning of a line; what is offered for its last word, all of it, or
# with "..." some of it; "none" is nothing.
CASES = [
    ("--form", "--format"),
    ("--format=js", "json"),
    ("--format=", "csv github html json junit markdown sarif svg text"),
    ("--objective=", "auto estimate occupancy registers time"),
    ("--target=gfx110", "gfx1100 gfx1101 gfx1102 gfx1103"),
    ("--target=sm_9", "sm_90 ..."),
    ("--target=gfx906,haw", "hawaii"),
    ("--only=serialise-v", "serialise-vload"),
    ("--explain=bump", "bump-pointer"),
    ("--verify=o", "off"),
    ("cap", "capture"),
    ("help ver", "verify"),
    ("measure --pres", "--pressure"),
    ("measure --unsa", "none"),
    ("measure --target=gfx90c", "gfx90c"),
    ("replay --rep", "--repeat"),
    ("devices --format=", "json text"),
    ("kern", "kernel.cl"),
    ("--fix ", "bin folder kernel.cl ..."),
    ("measure kern", "kernel.cl"),
    ("verify kernel.cl kern", "kernel.cl"),
    ("--fix --dif", "--diff"),
    ("--fix cap", "none"),
    ("--output=kern", "kernel.cl"),
    ("--capture=fol", "folder"),
    ("kernel.cl -- -cl-fast", "-cl-fast-relaxed-math"),
    ("capture -- clrewrite-tes", "clrewrite-test-program"),
]

BASH = """
_offers() {
  _clrewrite "$@"
  printf '%s\\n' "${COMPREPLY[@]}" > "$OFFERS.new"
  mv "$OFFERS.new" "$OFFERS"
}
complete -F _offers clrewrite
"""

# Those that zsh adds, as they are after matching; the calls with -O, -A or -D
# only compute.
ZSH = """
zle -C offers complete-word _offers
bindkey '^I' offers
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-[a-zA-Z]#[OAD]\\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -O hits "$@"
  print -rl -- $hits >> $OFFERS.new
  builtin compadd "$@"
}
_offers() {
  _main_complete "$@"
  touch $OFFERS.new
  mv $OFFERS.new $OFFERS
}
"""


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvp(command[0], command)

    def write(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, path):
        end = time.time() + 30
        while not os.path.exists(path):
            if time.time() > end:
                sys.exit(f"{shell} did not answer")
            if select.select([self.fd], [], [], 0.02)[0]:
                os.read(self.fd, 65536)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def interactive(folder, lines):
    offers = os.path.join(folder, "offers")
    os.environ["OFFERS"] = offers
    setup = os.path.join(folder, "setup")
    with open(setup, "w") as f:
        if shell == "zsh":
            found = os.path.basename(script) == "_clrewrite"
            f.write((f"fpath=({os.path.dirname(script)} $fpath)\n" * found)
                    + "autoload -Uz compinit && compinit -u -D\n"
                    + (f"source {script}\n" * (not found)) + ZSH)
        else:
            f.write(f"source {script}\n" + BASH)
        f.write(f"touch {offers}\n")
    term = Terminal([shell, "-f", "-i"] if shell == "zsh"
                    else [shell, "--norc", "--noprofile", "-i"])
    term.write(f"source {setup}\n")
    for line in lines:
        term.wait_for(offers)
        os.remove(offers)
        term.write("\x15clrewrite " + line + "\t")
        term.wait_for(offers)
        with open(offers) as f:
            yield f.read().split("\n")
    term.close()


def fish(folder, lines):
    for line in lines:
        text = subprocess.run(
            ["fish", "--no-config", "-c",
             f"source {script}; complete -C 'clrewrite {line}'"],
            capture_output=True, text=True, timeout=60, check=True).stdout
        offers = [each.split("\t")[0] for each in text.split("\n")]
        # Fish 4 also tells what has the word not at its beginning.
        begun = [each for each in offers if each.startswith(line.split(" ")[-1])]
        yield begun or offers


def word(offer):
    """The offer without what stands before it, and what follows it."""
    offer = re.sub(r"^--[a-z-]+=(?=.)", "", offer.strip())
    return offer.split(",")[-1].rstrip("=/ ")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    open("kernel.cl", "w").close()
    os.mkdir("folder")
    os.mkdir("bin")
    with open("bin/clrewrite-test-program", "w") as f:
        os.fchmod(f.fileno(), 0o755)
    os.environ.update(PATH=folder + "/bin:" + os.environ["PATH"], HOME=folder,
                      TERM="dumb", XDG_CONFIG_HOME=folder)
    lines = [line for line, _ in CASES]
    answers = (fish if shell == "fish" else interactive)(folder, lines)
    wrong = 0
    for (line, expected), offers in zip(CASES, answers):
        got = sorted({word(o) for o in offers if o.strip()})
        wanted = [] if expected == "none" else expected.split()
        some = "..." in wanted
        wanted = [w for w in wanted if w != "..."]
        right = set(wanted) <= set(got) if some else wanted == got
        wrong += not right
        print(f"{'ok' if right else 'WRONG'}: {line}: {' '.join(got)}")
sys.exit(wrong != 0)
