"""validate.py SCHEMA < DOCUMENT: exit 1 where the document does not fit."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(json.load(sys.stdin))
print("valid")
