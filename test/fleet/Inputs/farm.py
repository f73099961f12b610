"""farm.py FAKE_DEVICE: writes the farm files of fleet/farm.test, with this command of a
made-up device."""
import os
import sys

fake = sys.argv[1]
meet = os.path.abspath("meet")
for name, machines in {
        "two": {"pocl": "clrewrite-device", "grind": "clrewrite-device --interpret"},
        "meet": {"a": f"{fake} meets:{meet}", "b": f"{fake} met:{meet}"},
        "slow": {"slow": f"{fake} slows", "good": fake},
        "gone": {"gone": "exit 3", "good": fake}}.items():
    with open(f"{name}.farm", "w", encoding="utf-8") as out:
        out.write("# machine  command\n")
        out.writelines(f"{host}  {command}\n" for host, command in machines.items())
