"""Runs the machine code of a kernel in the interpreter of bench/gcn, and prints how its
results differ from those of another version of it on PoCL, and in the interpreter.

usage: other_results.py FOLDER KERNEL.cl OTHER.cl"""
import sys

folder, path, other = sys.argv[1:]
sys.path.insert(0, folder)

import check  # noqa: E402
import launch as launches  # noqa: E402
import opencl  # noqa: E402
import wave as waves  # noqa: E402

program = check.load(path)
launch = launches.launch_of(check.read(path))
prepared = launches.prepare(program, launch)
others = opencl.run(check.read(other), program, launch, prepared)
code = waves.Code(program)
groups = list(check.sampled(code, launch))
check.run_waves(code, launch, prepared, groups)
print("PoCL:", check.difference(program, prepared, others).text())
print("interpreter:",
      check.compare_with_original(other, program, prepared, groups).text())
