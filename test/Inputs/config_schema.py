"""config_schema.py SCHEMA DOCS EXAMPLES: the schema of .clrewrite.yaml takes the examples
of the pages, and each wrong configuration below is refused by it and by clrewrite."""
import glob
import json
import os
import re
import subprocess
import sys

import jsonschema
import yaml

schema_file, docs, examples = sys.argv[1:]
with open(schema_file, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)

right = ["", "target: gfx906, gfx1100", "target: [device, 'device:NVIDIA', hawaii]",
         "objective: time", "max-slowdown: 2.5", "only-target: true", "variants: true", "budget: 200",
         "budget: 30s", "budget: 0.5s",
         "budget: 2000", "budget: 2000s", "budget: 1999.5s", "only: []", "without: reroll, reload",
         "advise: off", "advise: [fast-math]", "advise: [all]",
         "grant: [narrow-index, 'split-vector:assumes', narrow-index/int]",
         "demote: 'reroll/rolled:exact'", "try-options: off",
         "try-options: [registers, -cl-nv-maxrregcount=64]", "options: -D N=1",
         "option-sets: [{name: a, files: '*.cl', options: [-D A]}]",
         "launch: 'f:16'", "launch: ['f:16', {launch: 'g:8:8', files: 'a/**'}]",
         "exclude: [third_party/]", "verify: off", "verify: 1", "verify: NVIDIA",
         "verify-seconds: 0.5", "tolerance: 4ulp", "tolerance: 1e-5",
         "allow-varying: true",
         "compile-timeout: 1", "jobs: 0", "jobs: 256"]
wrong = ["objectiv: auto", "objective: fast", "target: []", "target: [[a]]",
         "max-slowdown: -1", "max-slowdown: much", "only-target: 1", "variants: 1", "budget: many",
         "budget: 0", "budget: 0s", "budget: 2001", "budget: 2001s", "budget: 2000.5s",
         "only: rerol", "without: [reroll, nothing]", "advise: [fast]",
         "grant: [narrow-index/]", "grant: ['reroll:safe']", "grant: nothing",
         "demote: ['reroll:']", "try-options: [-O3]", "options: {a: b}",
         "option-sets: [{options: -D A}]", "option-sets: {name: a}",
         "option-sets: [{name: a, file: b}]", "launch: [{files: a}]",
         "launch: {kernel: f}", "exclude: {a: b}", "verify: [auto]",
         "verify-seconds: 61", "verify-seconds: 0", "compile-timeout: 601",
         "compile-timeout: 0",
         "jobs: -1", "jobs: 257", "jobs: some", "[a]"]
for page in glob.glob(os.path.join(docs, "**", "*.md"), recursive=True):
    with open(page, encoding="utf-8") as file:
        right += [block for block in
                  re.findall(r"```yaml\n(.*?)```", file.read(), re.S)
                  if not re.search(r"^ *(repos|- repo|- id|uses|- component):", block, re.M)]
for found in glob.glob(os.path.join(examples, "**", ".clrewrite.yaml"), recursive=True):
    with open(found, encoding="utf-8") as file:
        right.append(file.read())
faults = 0
for texts, good in ((right, True), (wrong, False)):
    for text in texts:
        with open("tried.yaml", "w", encoding="utf-8") as file:
            file.write(text + "\n")
        run = subprocess.run(["clrewrite", "--show-config", "--config=tried.yaml", "x.cl"],
                             capture_output=True, text=True)
        errors = [e.message for e in check.iter_errors(yaml.safe_load(text))]
        if (run.returncode == 0) != good or (not errors) != good:
            faults += 1
            print(f"FAULT: {text!r}: {errors} {run.stderr.strip()}")
print(f"{len(right)} right, {len(wrong)} wrong, {faults} faults")
