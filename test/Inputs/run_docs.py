"""run_docs.py EXAMPLES PAGE...: runs every command of the pages' ```console
blocks, in a copy of the examples folder, and compares what it prints with what
stands there. A line `...` stands for any lines. Lines that say how a kernel was
verified depend on the machine's OpenCL device and are left out on both sides."""
import difflib
import re
import shutil
import subprocess
import sys
import tempfile

examples, pages = sys.argv[1], sys.argv[2:]
commands = wrong = 0


def fits(expected, actual):
    pattern = re.escape("\n".join(expected)).replace(r"\.\.\.", r"(?s:.*)")
    return re.fullmatch(pattern, "\n".join(actual)) is not None


def steady(lines):
    return [l for l in lines if not re.match(r"  (not )?verified: ", l)]


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
                expected = steady(expected)
                actual = steady(l.rstrip() for l in run.stdout.splitlines())
                if not fits(expected, actual):
                    wrong += 1
                    print(f"{page}: $ {command}")
                    print("\n".join(difflib.unified_diff(expected, actual, "page", "run", lineterm="")))
print(f"{commands} commands, {wrong} print something else")
sys.exit(1 if wrong or not commands else 0)
