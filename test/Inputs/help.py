"""help.py: the measure of clrewrite's help: lines, columns, and that the short
one names nothing that there is not."""
import re
import subprocess


def text(*words):
    return subprocess.run(["clrewrite", *words], capture_output=True,
                          text=True, check=True).stdout


def say(right, what):
    print("" if right else "WRONG", what)


def wide(shown):
    return [line for line in shown.split("\n") if len(line) > 80]


short, full = text("--help"), text("--help-all")
say(short.count("\n") <= 24 and not wide(short),
    "--help: at most 24 lines of 80 columns")
options = set(re.findall(r"--[a-z-]+", short))
say(len(options) > 10 and options <= set(re.findall(r"--[a-z-]+", full)),
    "--help names options that there are")
commands = re.findall(r"^  ([a-z]+) ", full.split("\nCommands")[1], re.M)
listed = short.split("Commands:")[1].split("Options:")[0]
say(all(re.search(rf"\b{c}\b", listed) for c in commands),
    "every command is in --help")
pages = [full] + [text(c, "--help") for c in commands]
say(not any(wide(page) for page in pages),
    f"--help-all and the help of {len(commands)} commands fit 80 columns")
