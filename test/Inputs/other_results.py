"""Runs the machine code of a kernel in the interpreter of bench/gcn, another version of
it on PoCL, and prints how the results differ.

usage: other_results.py FOLDER KERNEL.cl OTHER.cl"""
import sys

folder, path, other = sys.argv[1:]
sys.path.insert(0, folder)

import check  # noqa: E402
import launch as launches  # noqa: E402
import opencl  # noqa: E402
import wave as waves  # noqa: E402

program = check.load(path)
with open(path) as file:
    launch = launches.launch_of(file.read())
prepared = launches.prepare(program, launch)
with open(other) as file:
    others = opencl.run(file.read(), program, launch, prepared)
code = waves.Code(program)
check.run_waves(code, launch, prepared, check.sampled(code, launch))
print(check.difference(program, prepared, others).text())
