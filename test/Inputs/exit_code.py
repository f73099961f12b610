"""exit_code.py N COMMAND...: runs it, and fails unless it exits with N."""
import subprocess
import sys

status = subprocess.call(sys.argv[2:])
if status != int(sys.argv[1]):
    print(f"exit code {status}, not {sys.argv[1]}", file=sys.stderr)
    sys.exit(1)
