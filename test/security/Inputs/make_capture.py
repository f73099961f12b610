"""make_capture.py FOLDER [NAME=VALUE...]: a small capture, as docs/capture.md
describes it, with something hostile in it.

hash=TEXT     the program's name in the place of the right one
blob=TEXT     the name of its text
options=TEXT  what its host gave to clBuildProgram
directory=X   where its host ran
header=NAME   its host gave `#define GIVEN 1` by this name to clCompileProgram
launch=1      the program's kernel was launched
damage=1      the text's bytes are not those of its name"""
import json
import os
import sys

TEXT = """\
__kernel void sum4(__global const ushort *in, __global ushort8 *out, int a,
                   int b, int c, int d) {
  int i = (int)get_global_id(0);
  ushort8 sum = vload8(i, in + a) + vload8(i, in + b) - vload8(i, in + c) -
                vload8(i, in + d);
  out[i] = sum;
}
"""
RIGHT = "b1b261ac7cbd320cf9f3da75c1216398"  # its XXH3 of 128 bits
HEADER = "#define GIVEN 1\n"
HEADER_NAME = "81eda45466d1b95357a269e03ed81bb8"

folder, said = sys.argv[1], dict(w.split("=", 1) for w in sys.argv[2:])
os.makedirs(os.path.join(folder, "blobs"), exist_ok=True)
with open(os.path.join(folder, "blobs", RIGHT), "w") as f:
    f.write(TEXT + "// more\n" * ("damage" in said))
with open(os.path.join(folder, "blobs", HEADER_NAME), "w") as f:
    f.write(HEADER)
events = [
    {"event": "start", "version": 1, "pid": 1, "command": ["host"],
     "directory": said.get("directory", "")},
    {"event": "program", "id": 1, "kind": "source",
     "sources": [{"blob": said.get("blob", RIGHT)}],
     "hash": said.get("hash", RIGHT)},
    {"event": "program", "id": 2, "kind": "source",
     "sources": [{"blob": HEADER_NAME}], "hash": HEADER_NAME},
    {"event": "build", "id": 1, "program": 1,
     "step": "compile" if "header" in said else "build",
     "headers": [{"name": said["header"], "program": 2}] if "header" in said
     else [],
     "options": said.get("options", ""), "result": 0},
]
if "launch" in said:
    events += [
        {"event": "device", "id": 1, "name": "a device"},
        {"event": "kernel", "id": 1, "program": 1, "build": 1, "name": "sum4",
         "argument_count": 6},
        {"event": "launch", "id": 1, "kernel": 1, "device": 1, "global": [64]},
    ]
with open(os.path.join(folder, "events-1.jsonl"), "w") as f:
    for event in events:
        f.write(json.dumps(event) + "\n")
