"""Lets two rewrites take turns on the texts of their tests until neither changes
anything. A text that comes back would be a circle.

usage: ping_pong.py FOLDER

The pairs are those of which one makes what the other takes apart, or that work
on the same places: branches and selects, loads early and late, loops rolled and
written out, statements joined and parted."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from rewrites import Sections

PAIRS = (("branch-to-select", "select-to-branch"),
         ("branch-to-select", "speculate-load"),
         ("select-to-branch", "speculate-load"),
         ("reload", "speculate-load"),
         ("reload", "bump-pointer"),
         ("reroll", "limit-unroll"),
         ("reroll", "roll-terms"),
         ("reroll", "serialise-loads"),
         ("roll-terms", "serialise-loads"),
         ("serialise-vload", "align-access"),
         ("serialise-vload", "split-vector"),
         ("align-access", "split-vector"),
         ("share-window", "align-access"),
         ("share-window", "serialise-vload"),
         ("share-window", "split-vector"),
         ("vectorise-stores", "align-access"),
         ("vectorise-stores", "limit-unroll"),
         ("guard-to-bounds", "opaque-guard"),
         ("guard-to-bounds", "select-to-branch"),
         ("narrow-index", "bump-pointer"),
         ("narrow-index", "scalarise-uniform"),
         ("narrow-index", "share-index"),
         ("bump-pointer", "share-index"),
         ("contract-fma", "native-math"),
         ("schedule-cut", "opaque-guard"))
MOST_TURNS = 12


def before(folder, name):
    stem = "".join(part.capitalize() for part in name.split("-"))
    return Sections(f"{folder}/{name}/{stem}.cl").texts["before.cl"]


def fix(name, text):
    done = subprocess.run(
        ["clrewrite", "--no-config", "--no-measure", "--verify=off", "--fix",
         "--only=" + name, "--unsafe-fixes", "-"], input=text, capture_output=True,
        text=True)
    return done.returncode, done.stdout, done.stderr


def turns(first, second, text):
    """What is wrong, or None."""
    seen, idle = [text], 0
    for turn in range(MOST_TURNS):
        status, after, told = fix((first, second)[turn % 2], text)
        if status:
            return "fails: " + told
        if after == text:
            idle += 1
            if idle == 2:
                return None
            continue
        if after in seen:
            return f"turn {turn + 1} makes a text that was there before"
        idle, text = 0, after
        seen.append(text)
    return f"has not ended after {MOST_TURNS} turns"


def main():
    folder, = sys.argv[1:]
    wrong = 0
    for first, second in PAIRS:
        for source in (first, second):
            problem = turns(first, second, before(folder, source))
            if problem:
                wrong += 1
                print(f"WRONG: {first} and {second} on {source}: {problem}")
    print(f"{len(PAIRS)} pairs, {'each ends' if not wrong else 'not all end'}")


main()
