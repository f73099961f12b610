"""The device program, of which every image is refused as by a device that has
none of that kind."""
import json
import subprocess
import sys

program = subprocess.Popen(["clrewrite-device"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    job = json.loads(line)
    image = next((a["image"] for a in job.get("args", []) if "image" in a), None)
    if image is None:
        program.stdin.write(line)
        program.stdin.flush()
        answer = program.stdout.readline()
    else:
        answer = json.dumps(dict(v=1, id=job["id"], ok=False, error=dict(
            where="request", code=0, name="UNSUPPORTED", log="", message=(
                "args[0]: the device has no 2d image of RGBA "
                f"{image['channel_type']} with access r")))) + "\n"
    sys.stdout.write(answer)
    sys.stdout.flush()
