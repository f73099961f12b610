# The lit suite: tests of the rewrites and of the command line. A test is a
# file with RUN lines; %{examples} and %{docs} are folders of the repository.
import glob
import json
import os
import platform
import subprocess
import sys

import lit.formats
import lit.util

config.name = "clrewrite"
tests = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, tests)
from cases import OwnCache
from shared_device import linked

config.test_format = OwnCache()
config.suffixes = [".cl", ".test"]
config.excludes = ["Inputs", "unit", "device", "fuzz"]
config.test_source_root = tests
# The programs, with one that shares device programs in the place of clrewrite-device.
programs = linked(config.clrewrite_bin, os.path.join(config.build_root, "test", "shared"))
config.environment["PATH"] = os.pathsep.join(
    [programs, config.llvm_bin, config.clang_bin,
     config.environment["PATH"]])
config.environment["NO_COLOR"] = "1"
# The user's cache and its key are not the tests'. Tests with RUN lines have one each
# (cases.py); the others have none.
config.environment["CLREWRITE_CACHE_DIR"] = ""
config.environment["XDG_STATE_HOME"] = os.path.join(config.test_exec_root, "state")
config.substitutions.append(("%{examples}", os.path.join(config.source_root, "examples")))
config.substitutions.append(("%{corpus}", os.path.join(config.source_root, "bench", "corpus")))
config.substitutions.append(("%{docs}", os.path.join(config.source_root, "docs")))
config.substitutions.append(("%{inputs}", os.path.join(tests, "Inputs")))
config.substitutions.append(("%{security}", os.path.join(tests, "security", "Inputs")))
config.substitutions.append(("%{python}", sys.executable))

# Some tests of permissions need a user that is not root.
if os.geteuid() != 0:
    config.available_features.add("not-root")
    config.substitutions.append(("%{as-nobody}", "env"))
else:
    config.available_features.add("root")
    config.substitutions.append(
        ("%{as-nobody}", "setpriv --reuid=65534 --clear-groups"))

# Tests that expect the figures of one version of LLVM require it: llvm-22.
config.available_features.add("llvm-" + config.llvm_version)

# Targets such as gfx906@19 need the program that has that LLVM (LLVM=19 ./dev helper).
for version in range(19, 23):
    if lit.util.which("clrewrite-compile-%d" % version, config.environment["PATH"]):
        config.available_features.add("compile-%d" % version)

# Targets sm_NN need NVIDIA's assembler, and math functions its libdevice.
if lit.util.which("ptxas", config.environment["PATH"]):
    config.available_features.add("ptxas")
config.substitutions.append(("%{lsp}", sys.executable + " " + os.path.join(tests, "lsp", "Inputs", "client.py")))
config.substitutions.append(("%{clrewrite}", os.path.join(config.clrewrite_bin, "clrewrite")))
config.substitutions.append(("%{fake-device}", sys.executable + " " + os.path.join(tests, "Inputs", "fake_device.py")))

# Tests that run kernels need an OpenCL device; where there is none, or the
# driver fails, those RUN lines are UNSUPPORTED, and lit says so.
config.environment["POCL_CACHE_DIR"] = os.path.join(config.test_exec_root, "pocl-cache")
os.makedirs(config.environment["POCL_CACHE_DIR"], exist_ok=True)
# These kernels are our own: what PoCL has compiled need not be compiled again.
config.environment["CLREWRITE_DEVICE_FOLDER"] = os.path.join(config.test_exec_root, "device-folder")
config.substitutions.append(("%{kept-device}", "clrewrite-device --keep --private=" + config.environment["CLREWRITE_DEVICE_FOLDER"]))
for name in ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
try:
    answer = subprocess.run(
        [os.path.join(config.clrewrite_bin, "clrewrite-device")],
        input='{"v": 1, "id": 1, "job": "devices"}\n', capture_output=True,
        text=True, timeout=60, env={**os.environ, **config.environment})
    devices = json.loads(answer.stdout)["devices"]
    if any(device["runs_kernels"] for device in devices):
        config.available_features.add("opencl-device")
    # What the attacks of test/security are made for.
    if platform.machine() == "x86_64" and devices[0]["type"] == "cpu" and {
            "landlock", "seccomp"} <= set(devices[0]["sandbox"]):
        config.available_features.add("native-attacks")
    if "pid namespace" in devices[0]["sandbox"]:
        config.available_features.add("namespaces")
except (OSError, ValueError, KeyError, IndexError, subprocess.TimeoutExpired):
    pass
if "opencl-device" not in config.available_features:
    lit_config.note("no OpenCL device: tests that run kernels are UNSUPPORTED")

# The programs without which a test is UNSUPPORTED: it says itself which it
# requires, and run.py tells that at the end.
for name in ("vim", "nvim", "kak", "emacs", "tmux", "kate", "Xvfb", "xdotool",
             "chromium", "pdftotext", "pre-commit", "bash", "zsh", "fish",
             "mandoc", "man", "dpkg-shlibdeps", "oclgrind", "patchelf", "mkdocs", "lintian", "rpmbuild",
             "cpio"):
    if lit.util.which(name, config.environment["PATH"]):
        config.available_features.add(name)
for name, path in (("vim-ale", "/usr/share/vim-ale"),
                   ("emacs-eglot", "/usr/share/emacs/site-lisp/elpa/eglot-*"),
                   ("mkdocs-material", "/usr/share/mkdocs/themes/material")):
    if glob.glob(path):
        config.available_features.add(name)
# The programs that `clrewrite fleet` starts shards by; daemons are in /usr/sbin.
for name in ("slurmctld", "slurmd", "munged"):
    if lit.util.which(name, config.environment["PATH"] + ":/usr/sbin"):
        config.available_features.add(name)
if lit.util.which("parallel", config.environment["PATH"]) and b"GNU" in (
        subprocess.run(["parallel", "--version"], capture_output=True).stdout):
    config.available_features.add("gnu-parallel")
if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "mount", "-t",
                   "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
    config.available_features.add("mounts")
# Without a font there is no text to look at.
if not lit.util.which("fc-list", config.environment["PATH"]) or (
        subprocess.run(["fc-list"], capture_output=True).stdout.strip()):
    config.available_features.add("font")
config.environment["EDITORS"] = os.path.join(config.source_root, "editors")
for name in ("screen", "kate", "short"):
    config.substitutions.append(("%{" + name + "}", sys.executable + " " + os.path.join(tests, "editors", "Inputs", name + ".py")))

# Debian's own Python and pip make environments; the one that runs lit may have none.
config.substitutions += [("%{system-python}", "/usr/bin/python3"),
                         ("%{pip}", "/usr/bin/python3 -m pip")]
for name, modules in (("pip", "pip, venv, ensurepip"), ("pandas", "pandas"),
                      ("matplotlib", "matplotlib"),
                      ("interpreter", "numpy, pyopencl, yaml")):
    find = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"
    if subprocess.run(["/usr/bin/python3", "-c", find, *modules.split(", ")],
                      capture_output=True).returncode == 0:
        config.available_features.add(name)

for name, value in (("build", config.build_root), ("llvm", config.llvm_version), ("cmake", config.cmake),
                    ("source", config.source_root), ("packages", os.path.join(config.build_root, "test", "packages"))):
    config.substitutions.append(("%{" + name + "}", value))

# The simulator that sees races and uninitialised values (Inputs/oclgrind.py).
config.substitutions.append(("%{oclgrind}", sys.executable + " " + os.path.join(tests, "Inputs", "oclgrind.py")))
