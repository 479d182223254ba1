# SPDX-License-Identifier: Apache-2.0
"""Holds the list of fields that the program knows of Google Play's answers against the discovery document in
google-api-python-client, and against the program's own text: a field that is read stands in the type that reads it.

Reads {"list": path, "sources": folder} and prints what disagrees, as JSON."""

import json
import pathlib
import re
import sys

import googleapiclient

METHODS = [
    ("purchases", "subscriptionsv2", "get"),
    ("purchases", "productsv2", "getproductpurchasev2"),
    ("purchases", "voidedpurchases", "list"),
    ("orders", "batchget"),
]


def references(schema):
    """The schemas that a property holds, in lists too."""
    if "$ref" in schema:
        return [schema["$ref"]]
    return references(schema["items"]) if "items" in schema else []


def documented(document):
    """Every field of the answers, by `Schema.field`, with the words it may hold."""
    todo = []
    for *folders, method in METHODS:
        place = document
        for folder in folders:
            place = place["resources"][folder]
        todo.append(place["methods"][method]["response"]["$ref"])
    fields, seen = {}, set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for field, schema in document["schemas"][name].get("properties", {}).items():
            items = schema.get("items", {})
            fields[f"{name}.{field}"] = set(schema.get("enum", items.get("enum", [])))
            todo += references(schema)
    return fields


def listed(path):
    """The list's lines: field, reader or `-`, reason, words."""
    lines = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        field, reader, reason, words = (line.split("\t") + ["", "", ""])[:4]
        lines[field] = (reader, reason, set(words.split()))
    return lines


def text_of(folder):
    """The program's text by the types that it defines or extends."""
    types = {}
    for path in sorted(pathlib.Path(folder).rglob("*.swift")):
        text = path.read_text()
        for name in re.findall(r"\b(?:struct|enum|class|extension) (\w+)", text):
            types[name] = types.get(name, "") + text
    return types


def main():
    given = json.load(sys.stdin)
    cache = pathlib.Path(googleapiclient.__file__).parent / "discovery_cache/documents/androidpublisher.v3.json"
    document = json.loads(cache.read_text())
    real, ours, types = documented(document), listed(given["list"]), text_of(given["sources"])
    both = real.keys() & ours.keys()
    json.dump(
        {
            "revision": document["revision"],
            "fields": len(real),
            "new": sorted(real.keys() - ours.keys()),
            "gone": sorted(ours.keys() - real.keys()),
            "words": sorted(
                f"{field}: new {sorted(real[field] - ours[field][2])}, gone {sorted(ours[field][2] - real[field])}"
                for field in both
                if real[field] != ours[field][2]
            ),
            "unreasoned": sorted(field for field in both if ours[field][0] == "-" and not ours[field][1]),
            "unread": sorted(
                f"{field} by {ours[field][0]}"
                for field in both
                if ours[field][0] != "-" and f'"{field.split(".")[1]}"' not in types.get(ours[field][0], "")
            ),
        },
        sys.stdout,
    )


main()
