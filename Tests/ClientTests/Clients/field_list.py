# SPDX-License-Identifier: Apache-2.0
"""The lists of fields in the stores' rooms (Sources/AppStore/FIELDS.txt, Sources/GooglePlay/FIELDS.txt), held against what a
store's own library knows and against the program's text.

A line says what becomes of a field: `Model.field | read: Type`, Type being one of that room that names the field, or
`Model.field | not read: reason`. A star stands for all fields of a model. A plus before a line: the store documents the field,
and its library does not know it yet. Where the library knows the words that a field may hold, they stand below it, indented.
"""

import json
import pathlib
import re
import sys


class Entry:
    def __init__(self, line):
        name, _, self.fate = line.partition(" | ")
        self.is_beyond = name.startswith("+")
        self.name = name.lstrip("+")
        self.model, _, self.field = self.name.partition(".")
        self.words = set()


def entries(path):
    found = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith(" ") and found:
            found[-1].words |= set(line.split())
        elif line and not line.startswith("#"):
            found.append(Entry(line))
    return found


def texts(room):
    """The program's text by the types that it defines or extends."""
    found = {}
    for path in sorted(pathlib.Path(room).rglob("*.swift")):
        text = path.read_text()
        for name in set(re.findall(r"\b(?:struct|enum|class|extension) (\w+)", text)):
            found[name] = found.get(name, "") + text
    return found


def about_library(entry, known):
    """What the library says against a line."""
    fields = known.get(entry.model, {})
    if entry.is_beyond:
        if entry.field in fields:
            yield f"{entry.name} is in the library by now: list it without its plus"
    elif entry.model not in known:
        yield f"{entry.model} is not in the library any more"
    elif entry.field != "*" and entry.field not in fields:
        yield f"{entry.name} is not in the library any more"
    else:
        words = fields.get(entry.field, set())
        if words - entry.words:
            yield f"{entry.name} may hold these, too: {' '.join(sorted(words - entry.words))}"
        if entry.words - words:
            yield f"{entry.name} may not hold these any more: {' '.join(sorted(entry.words - words))}"


def about_program(entry, types):
    """What the program's text says against a line: a field is named as a text there, or as a case of a vocabulary."""
    fate, _, rest = entry.fate.partition(": ")
    if fate == "read":
        if not re.search(rf'"{entry.field}"|\bcase {entry.field}\b', types.get(rest, "")):
            yield f"{entry.name} is said to be read by {rest}, which does not name it"
    elif fate != "not read" or len(rest) < 10:
        yield f"{entry.name} is neither read nor has it a reason"


def report(known):
    """Prints what is wrong with the list, a sentence each, and how much was held against it, as JSON.

    In: JSON on stdin (list: the file, room: the folder of the program's text about that store).
    known: by model and field, the words that the field may hold; none where the library does not say.
    """
    given = json.load(sys.stdin)
    wrong, listed, types = [], set(), texts(given["room"])
    for entry in entries(given["list"]):
        if entry.name in listed:
            wrong.append(f"{entry.name} is listed twice")
        listed.add(entry.name)
        wrong += [*about_library(entry, known), *about_program(entry, types)]
    for model, fields in known.items():
        for field in [] if f"{model}.*" in listed else fields:
            if f"{model}.{field}" not in listed:
                wrong.append(f"{model}.{field} is new: read it, or say in the list why not")
    print(json.dumps({"fields": sum(map(len, known.values())), "wrong": sorted(wrong)}))
