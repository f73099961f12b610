"""run_docs.py [--update] EXAMPLES PAGE...: runs every command of the pages' ```console
blocks, in a copy of the examples folder, and compares what it prints with what
stands there. A line `...` stands for any lines. Lines that say how a kernel was
verified, in which sandbox, and what ran there depend on the machine and are left out
on both sides. With --update what a run prints replaces what stands in the pages but for those
lines, unless the page has `...`."""
import difflib
import re
import shutil
import subprocess
import sys
import tempfile

update = sys.argv[1] == "--update"
examples, *pages = sys.argv[2 if update else 1:]
commands = wrong = 0


def fits(expected, actual):
    pattern = re.escape("\n".join(expected)).replace(r"\.\.\.", r"(?s:.*)")
    return re.fullmatch(pattern, "\n".join(actual)) is not None


VARIES = re.compile(r"  (not )?verified: |(- )?sandbox of the kernels |"
                    r".* on the device without being looked at: ")


def steady(lines):
    return [l for l in lines if not VARIES.match(l)]


def updated(shown, printed):
    """What a run printed, with the page's own lines where these depend on the machine; of
    those that the page does not have only how kernels were verified."""
    own = [l for l in shown if VARIES.match(l)]
    lines = []
    for line in printed:
        kind = VARIES.match(line)
        old = kind and next((l for l in own if VARIES.match(l)[0] == kind[0]), None)
        if old:
            own.remove(old)
            lines.append(old)
        elif not kind or "verified" in kind[0]:
            lines.append(line)
    return lines


def steps(block):
    command = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], []
        elif command:
            output.append(line)
    if command:
        yield command, output


for page in pages:
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(examples, work, dirs_exist_ok=True)
        for block in re.findall(r"```console\n(.*?)```", open(page).read(), re.S):
            for command, expected in steps(block):
                commands += 1
                run = subprocess.run(command, shell=True, cwd=work, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                shown, printed = expected, [l.rstrip() for l in run.stdout.splitlines()]
                expected, actual = steady(shown), steady(printed)
                if fits(expected, actual):
                    continue
                if update and "..." not in shown:
                    text = open(page).read()
                    old, new = ("\n".join([f"$ {command}", *lines]) + "\n"
                                for lines in (shown, updated(shown, printed)))
                    assert old in text, command
                    open(page, "w").write(text.replace(old, new, 1))
                else:
                    wrong += 1
                    print(f"{page}: $ {command}")
                    print("\n".join(difflib.unified_diff(expected, actual, "page", "run", lineterm="")))
print(f"{commands} commands, {wrong} print something else")
sys.exit(1 if wrong or not commands else 0)
