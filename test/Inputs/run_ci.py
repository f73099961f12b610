"""run_ci.py github|gitlab FILE SOURCE [--install]: runs the commands of a CI example here,
as the service would, with this repository's action (SOURCE/action.yml) or component
(SOURCE/templates); what installs clrewrite only with --install. Exits with the code of what
failed first. NUMBER and the like are taken from the environment."""
import os
import re
import subprocess
import sys

import yaml

service, path, source = sys.argv[1:4]
installs = "--install" in sys.argv
OURS = "OWNER/clrewrite"


def documents(*names):
    with open(os.path.join(*names), encoding="utf-8") as file:
        return list(yaml.safe_load_all(file))


def run(script, env):
    """As both services run a script: the first failure ends it."""
    sys.stdout.flush()
    return subprocess.call(["sh", "-e", "-c", script], env={**os.environ, **env})


def given(inputs, values):
    """What the inputs that are declared are, by the values of who uses them."""
    unknown = set(values) - set(inputs)
    missing = {name for name, each in inputs.items()
               if "default" not in each and name not in values}
    assert not unknown and not missing, (unknown, missing)
    return {name: values.get(name, each.get("default")) for name, each in inputs.items()}


def value(text, inputs):
    """`${{ github.token }}` is $GITHUB_TOKEN, and so on."""
    names = re.findall(r"^\$\{\{ ([a-z_.-]+) \}\}$", text)
    assert names, text
    if names[0].startswith("inputs."):
        return inputs[names[0][len("inputs."):]]
    return os.environ[names[0].upper().replace(".", "_")]


def steps_of(job):
    """The steps of a job and of our action, each with what inputs it sees and whether it
    is always run."""
    for step in job["steps"]:
        if step.get("uses", "").startswith(OURS):
            (action,) = documents(source, "action.yml")
            inputs = given(action["inputs"], step.get("with", {}))
            for inner in action["runs"]["steps"]:
                assert inner["shell"] == "sh", "steps of actions need a shell"
                yield inner, inputs, "always()" in step.get("if", "")
        else:
            yield step, {}, "always()" in step.get("if", "")


def github():
    (document,) = documents(path)
    (job,) = document["jobs"].values()
    code = ran = 0
    for step, inputs, always in steps_of(job):
        if "sarif_file" in step.get("with", {}):
            assert os.path.exists(step["with"]["sarif_file"])
        if "run" not in step or (code and not always):
            continue
        install = step["name"].startswith("Install")
        if install and not installs:
            continue
        env = {k: value(v, inputs) for k, v in step.get("env", {}).items()}
        print(f"== {step['name']}")
        ended = run(step["run"], env)
        code = code or ended
        if install:
            with open(os.environ["GITHUB_PATH"], encoding="utf-8") as file:
                for line in file:
                    os.environ["PATH"] = line.strip() + ":" + os.environ["PATH"]
        ran += 1
    assert ran >= 2, ran
    return code


def interpolated(node, inputs):
    """A job of a component, with `$[[ inputs.name ]]` as who includes it says."""
    if isinstance(node, dict):
        return {interpolated(k, inputs): interpolated(v, inputs) for k, v in node.items()}
    if isinstance(node, list):
        return [interpolated(each, inputs) for each in node]
    return re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda m: str(inputs[m[1]]), str(node))


def gitlab():
    (document,) = documents(path)
    (include,) = document["include"]
    name = re.search(rf"/{OURS}/(\w+)@", include["component"])[1]
    spec, jobs = documents(source, "templates", name + ".yml")
    inputs = given(spec["spec"]["inputs"], include["inputs"])
    (job,) = interpolated(jobs, inputs).values()
    script = job["before_script"] * installs + job["script"]
    code = run("\n".join(script), job["variables"])
    for kept in job["artifacts"]["paths"] + [job["artifacts"]["reports"]["junit"]]:
        assert code == 2 or os.path.exists(kept), kept
    return code


sys.exit({"github": github, "gitlab": gitlab}[service]())
