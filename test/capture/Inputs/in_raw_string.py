"""in_raw_string.py FILE [LINE NUMBER]: a C++ file with FILE in a raw string,
and LINE put in before its line NUMBER. The rest has what a reader could trip
over."""
import sys

lines = open(sys.argv[1]).read().splitlines(keepends=True)
if len(sys.argv) > 3:
    lines.insert(int(sys.argv[3]) - 1, sys.argv[2] + "\n")
sys.stdout.buffer.write(
    ('// R"x(not a string)x"\n'
     '#include <string>\r\n'
     'const char *Plain = "R\\"LC(";\n'
     'const char *Kernels = R"CL(\n' + "".join(lines) + ')CL";\n'
     'const char *Other = R"(kernel void other(global int *p) { *p = 1; })"; '
     '\t// no newline at the end').encode())
