# Cases of scripts, a test each: `drive.py CASE` passes with exit code 0, and 77
# says that something is not to be had here, such as an OpenCL device.
import ast
import os
import subprocess
import sys

import lit.Test
import lit.formats


def functions(script):
    """The cases of a script: what its list CASES names."""
    with open(script, encoding="utf-8") as f:
        for node in ast.parse(f.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "CASES":
                return ast.literal_eval(node.value)
    raise ValueError(f"{script} has no list CASES")


class Cases(lit.formats.TestFormat):
    def __init__(self, commands):
        self.commands = commands

    def getTestsInDirectory(self, suite, path, lit_config, config):
        for name in self.commands:
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


def path(*parts):
    return os.path.join(config.test_source_root, *parts)


def built(*parts):
    return os.path.join(config.build_root, *parts)


config.name = "cases"
config.environment["POCL_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "pocl-cache")
os.makedirs(config.environment["POCL_CACHE_DIR"], exist_ok=True)
for name in ("TMPDIR", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

commands = {
    # Debian's package in a bare system.
    "package/chroot": [
        "sh", path("package", "chroot.sh"), built("test", "chroot"),
        config.cpack, config.build_root, path("Inputs")],
}
for case in functions(path("device", "drive.py")):
    commands["device/" + case] = [
        sys.executable, path("device", "drive.py"), "--program",
        built("bin", "clrewrite-device"), "--docs",
        os.path.join(config.source_root, "docs", "device-protocol.md"), case]
for case in functions(path("layer", "drive.py")):
    commands["layer/" + case] = [
        sys.executable, path("layer", "drive.py"), "--clrewrite",
        built("bin", "clrewrite"), "--host", built("bin", "layer-host"),
        "--layer", built("lib", "libclrewrite-layer.so"), case]
config.test_format = Cases(commands)
