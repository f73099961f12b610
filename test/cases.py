"""What cases.cfg.py is made of: it stands apart since lit's processes import it."""
import ast
import re
import subprocess

import lit.Test
import lit.formats


def functions(script):
    """The cases of a script: what its list CASES names."""
    with open(script, encoding="utf-8") as f:
        for node in ast.parse(f.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "CASES":
                return ast.literal_eval(node.value)
    raise ValueError(f"{script} has no list CASES")


def suites(program):
    """The suites of a program of GoogleTest's."""
    listed = subprocess.run([program, "--gtest_list_tests"], text=True,
                            capture_output=True, check=True).stdout
    return [line.split(".")[0] for line in listed.splitlines()
            if re.match(r"\S+\.", line)]


class Cases(lit.formats.TestFormat):
    def __init__(self, commands):
        self.commands = commands

    def getTestsInDirectory(self, suite, path, lit_config, config):
        # They stand in no folder of lit's.
        for name in self.commands if not path else ():
            yield lit.Test.Test(suite, path + tuple(name.split("/")), config)

    def execute(self, test, lit_config):
        command = self.commands["/".join(test.path_in_suite)]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace",
                timeout=900, env=test.config.environment)
        except subprocess.TimeoutExpired as e:
            return lit.Test.TIMEOUT, str(e)
        code = {0: lit.Test.PASS, 77: lit.Test.UNSUPPORTED}.get(
            done.returncode, lit.Test.FAIL)
        return code, f"{' '.join(command)}\n{done.stdout}"
