# SPDX-License-Identifier: Apache-2.0
"""Holds the list of fields in Google Play's room against the discovery document in google-api-python-client."""

import json
import pathlib

import googleapiclient

import field_list

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
    """Every field of the answers, by schema, with the words it may hold."""
    todo = []
    for *folders, method in METHODS:
        place = document
        for folder in folders:
            place = place["resources"][folder]
        todo.append(place["methods"][method]["response"]["$ref"])
    found = {}
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = {}
        for field, schema in document["schemas"][name].get("properties", {}).items():
            found[name][field] = set(schema.get("enum", schema.get("items", {}).get("enum", [])))
            todo += references(schema)
    return found


cache = pathlib.Path(googleapiclient.__file__).parent / "discovery_cache/documents/androidpublisher.v3.json"
field_list.report(documented(json.loads(cache.read_text())))
