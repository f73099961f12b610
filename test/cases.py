"""The formats of lit's for tests that have no RUN lines: they stand apart since lit's
processes import them."""
import ast
import functools
import glob
import os
import re
import resource
import shutil
import subprocess

import lit.Test
import lit.formats

from rewrites import Case, Failed
from shared_device import VARIABLE, DevicePool


def counted(execute):
    """The method `execute` of a format, which adds to the file $CLREWRITE_TEST_SECONDS how
    much processor time the test's processes took. What a shared device program took is
    in the test with which it ended."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def run(self, test, lit_config):
        before = spent()
        result = execute(self, test, lit_config)
        with open(os.environ.get("CLREWRITE_TEST_SECONDS", os.devnull), "a",
                  encoding="utf-8") as f:
            f.write(f"{spent() - before:.2f} {test.getFullName()}\n")
        return result
    return run


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


def give_programs(cache, common):
    """Moves the programs of a PoCL cache that nobody uses any more into another, whole."""
    for program in glob.glob("??/*", root_dir=cache):
        place = os.path.join(common, program)
        if not os.path.exists(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            try:
                os.rename(os.path.join(cache, program), place)
            except OSError:  # Another was quicker.
                pass


class Cases(lit.formats.TestFormat):
    def __init__(self, commands):
        self.commands = commands

    def getTestsInDirectory(self, suite, path, lit_config, config):
        # They stand in no folder of lit's.
        for name in self.commands if not path else ():
            yield lit.Test.Test(suite, path + tuple(name.split("/")), config)

    @counted
    def execute(self, test, lit_config):
        command = self.commands["/".join(test.path_in_suite)]
        # PoCL's cache is not safe where several programs write it at once: each has one
        # of its own, which begins with what others have left.
        caches = test.config.environment["POCL_CACHE_DIR"]
        common = os.path.join(caches, "common")
        cache = os.path.join(caches, *test.path_in_suite)
        os.makedirs(common, exist_ok=True)
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(common, cache)
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace",
                timeout=900, env={**test.config.environment, "POCL_CACHE_DIR": cache})
        except subprocess.TimeoutExpired as e:
            return lit.Test.TIMEOUT, str(e)
        give_programs(cache, common)
        code = {0: lit.Test.PASS, 77: lit.Test.UNSUPPORTED}.get(
            done.returncode, lit.Test.FAIL)
        return code, f"{' '.join(command)}\n{done.stdout}"


@functools.cache
def devices():
    """One pool for each process of lit's, as the stand-in is told of it."""
    return DevicePool().told()


def share_devices(test):
    """Device programs are those of the pool, unless the test's folder wants none of them
    (own_devices)."""
    test.config.environment[VARIABLE] = "" if getattr(
        test.config, "own_devices", False) else devices()


class OwnCache(lit.formats.ShTest):
    """Each test has a cache of its own, as a user has one: what it measures twice is
    compiled once, and no test knows of another."""

    @counted
    def execute(self, test, lit_config):
        cache = test.getExecPath() + ".cache"
        shutil.rmtree(cache, ignore_errors=True)
        test.config.environment["CLREWRITE_CACHE_DIR"] = cache
        share_devices(test)
        return super().execute(test, lit_config)


class Rewrites(lit.formats.ShTest):
    """The tests of rewrites.py, and those that have RUN lines."""

    def getTestsForPath(self, suite, path, lit_config, config):
        for test in super().getTestsForPath(suite, path, lit_config, config):
            if not path[-1].endswith(".cl"):
                yield test
                continue
            case = Case(test.getSourcePath())
            if re.search("^// RUN:", case.head, re.M):
                yield test
            for name in case.tests():
                yield lit.Test.Test(suite, (*path[:-1], name), config)

    @counted
    def execute(self, test, lit_config):
        share_devices(test)
        if os.path.isfile(test.getSourcePath()):
            return super().execute(test, lit_config)
        folder = os.path.dirname(test.getSourcePath())
        source = "".join(p.capitalize() for p in os.path.basename(folder).split("-"))
        case = Case(os.path.join(folder, source + ".cl"))
        what, _, name = test.path_in_suite[-1].partition("-")
        needs = {"verify": ["opencl-device"], "wrong": ["opencl-device"],
                 "races": ["opencl-device", "oclgrind"]}.get(what, [])
        for feature in needs:
            if feature not in test.config.available_features:
                return lit.Test.UNSUPPORTED, f"it requires {feature}"
        section = [] if not name else [name] if what == "wrong" else [name + ".cl"]
        case.start(test.getExecPath(), test.config.environment)
        try:
            getattr(case, "test_" + what)(*section)
        except Failed as problem:
            return lit.Test.FAIL, f"{case.log}{case.path}: {problem}"
        return lit.Test.PASS, case.log
