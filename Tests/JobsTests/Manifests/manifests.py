"""Holds Kubernetes manifests against the schemas of a version, as its API server would, and prints them as JSON."""

import json
import sys

import kubernetes_validate
import yaml

given = json.load(sys.stdin)
documents, errors = [], []
for file in given["files"]:
    with open(file, encoding="utf-8") as stream:
        for document in yaml.safe_load_all(stream):
            documents.append(document)
            try:
                kubernetes_validate.validate(document, given["version"], strict=True)
            except kubernetes_validate.ValidationError as error:
                errors.append(f"{file}: {error.message}")
json.dump({"documents": documents, "errors": errors}, sys.stdout)
