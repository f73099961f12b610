# Suites of unit tests, and cases of scripts: `drive.py CASE` passes with exit code 0, and 77
# says that something is not to be had here, such as an OpenCL device.
import os
import sys

sys.path.insert(0, config.test_source_root)
from cases import Cases, functions, suites


def path(*parts):
    return os.path.join(config.test_source_root, *parts)


def built(*parts):
    return os.path.join(config.build_root, *parts)


config.name = "cases"
# They install packages, and know from the environment how.
config.environment = dict(os.environ)
config.environment["POCL_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "pocl-cache")
config.environment["XDG_STATE_HOME"] = os.path.join(
    config.test_exec_root, "state")

commands = {
    # Debian's packages and the tarball in a bare system.
    "package/chroot": [
        "sh", path("package", "chroot.sh"), built("test", "chroot"),
        config.build_root, path("Inputs")],
}
# The extension for VS Code with its unit tests; and in a real editor.
extension = path("editors", "vscode", "extension.sh")
commands["vscode/extension"] = ["sh", extension, built("vscode")]
commands["editors/vscode"] = [
    "sh", "-c", 'sh "$0" "$2" && sh "$1" "$2" "$3"', extension,
    path("editors", "vscode", "editor.sh"), built("vscode-editor"), built("bin")]
for case in functions(path("device", "drive.py")):
    commands["device/" + case] = [
        sys.executable, path("device", "drive.py"), "--program",
        built("bin", "clrewrite-device"), "--docs",
        os.path.join(config.source_root, "docs", "device-protocol.md"),
        "--strict-sub-buffers", built("test", "device", "strict-sub-buffers.so"), case]
for case in functions(path("layer", "drive.py")):
    commands["layer/" + case] = [
        sys.executable, path("layer", "drive.py"), "--clrewrite",
        built("bin", "clrewrite"), "--host", built("bin", "layer-host"),
        "--layer", built("lib", "libclrewrite-layer.so"), case]
# A process for each suite of unit tests: a name to ask for, and few starts.
for name in config.unit_tests.split(";"):
    program = built("test", "unit", name)
    for suite in suites(program):
        commands["unit/" + suite] = [program, f"--gtest_filter={suite}.*"]
config.test_format = Cases(commands)
