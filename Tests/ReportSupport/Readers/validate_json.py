# Holds JSON documents against a schema and prints what is wrong with each, as a list of sentences: what we wrote is not asked to
# judge itself. Standard input: {"schema": path, "documents": [text, ...]}.
import json
import sys

from jsonschema import Draft202012Validator

given = json.load(sys.stdin)
with open(given["schema"], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
found = [
    [f"{error.json_path}: {error.message[:500]}" for error in validator.iter_errors(json.loads(document))]
    for document in given["documents"]
]
json.dump(found, sys.stdout)
