"""run_ci.py github|gitlab FILE: runs the commands of a CI example here, as the
service would, but for those that install something. Exits with 1 where the job
fails. NUMBER and the like are taken from the environment."""
import os
import re
import subprocess
import sys

import yaml

service, path = sys.argv[1:]
document = yaml.safe_load(open(path))


def run(script, env={}):
    """As both services run a script: the first failure ends it."""
    sys.stdout.flush()
    return subprocess.call(["sh", "-e", "-c", script], env={**os.environ, **env})


def value(text):
    """`${{ github.token }}` is $GITHUB_TOKEN, and so on."""
    names = re.findall(r"^\$\{\{ ([a-z_.]+) \}\}$", text)
    assert names, text
    return os.environ[names[0].upper().replace(".", "_")]


def github():
    failed = False
    (job,) = document["jobs"].values()
    ran = 0
    for step in job["steps"]:
        if "run" not in step or step["name"].startswith("Install"):
            continue
        if failed and "always()" not in step.get("if", ""):
            continue
        env = {k: value(v) for k, v in step.get("env", {}).items()}
        print(f"== {step['name']}")
        failed |= run(step["run"], env) != 0
        ran += 1
    assert ran == 3, ran
    for step in job["steps"]:
        if "sarif_file" in step.get("with", {}):
            assert os.path.exists(step["with"]["sarif_file"])
    return failed


def gitlab():
    (job,) = document.values()
    failed = run("\n".join(job["script"])) != 0
    for kept in job["artifacts"]["paths"] + [job["artifacts"]["reports"]["junit"]]:
        assert os.path.exists(kept), kept
    return failed


sys.exit(1 if {"github": github, "gitlab": gitlab}[service]() else 0)
