"""make_capture.py FOLDER [NAME=VALUE...]: a small capture, as docs/capture.md
describes it, with something hostile in it.

hash=TEXT     the program's name in the place of the right one
blob=TEXT     the name of its text
options=TEXT  what its host gave to clBuildProgram
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

folder, said = sys.argv[1], dict(w.split("=", 1) for w in sys.argv[2:])
os.makedirs(os.path.join(folder, "blobs"), exist_ok=True)
with open(os.path.join(folder, "blobs", RIGHT), "w") as f:
    f.write(TEXT + "// more\n" * ("damage" in said))
events = [
    {"event": "start", "version": 1, "pid": 1, "command": ["host"],
     "directory": ""},
    {"event": "program", "id": 1, "kind": "source",
     "sources": [{"blob": said.get("blob", RIGHT)}],
     "hash": said.get("hash", RIGHT)},
    {"event": "build", "id": 1, "step": "build", "program": 1,
     "options": said.get("options", ""), "result": 0},
]
with open(os.path.join(folder, "events-1.jsonl"), "w") as f:
    for event in events:
        f.write(json.dumps(event) + "\n")
