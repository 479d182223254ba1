# SPDX-License-Identifier: Apache-2.0
"""Holds the list of fields in the App Store's room against the models of Apple's own library.

In: JSON on stdin (list: the file, room: the folder that it names files of).
Out: JSON with what is wrong, each a sentence; empty where the list and the library agree.
"""

import importlib
import inspect
import json
import pathlib
import pkgutil
import re
import sys

import attr
import appstoreserverlibrary.models as models

given = json.load(sys.stdin)
room = pathlib.Path(given["room"])


def library():
    """Field names by model; what the library adds for values it does not know (raw...) is no field of the store's."""
    found = {}
    for info in pkgutil.iter_modules(models.__path__):
        module = importlib.import_module(f"appstoreserverlibrary.models.{info.name}")
        for name, value in vars(module).items():
            if inspect.isclass(value) and value.__module__ == module.__name__ and attr.has(value):
                found[name] = {field.name for field in attr.fields(value) if not re.match("raw[A-Z]", field.name)}
    return found


def entries():
    """Model, field, fate and whether the library is said not to know it."""
    for line in pathlib.Path(given["list"]).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, fate = line.split(" | ", 1)
        model, field = name.lstrip("+").split(".", 1)
        yield model, field, fate, name.startswith("+")


def mentions(file, field):
    """By its name as a text, or as the case of a vocabulary."""
    path = room / file
    return path.is_file() and re.search(rf'"{field}"|\bcase {field}\b', path.read_text()) is not None


known, wrong, listed = library(), [], {}
for model, field, fate, is_beyond in entries():
    if is_beyond:
        if field in known.get(model, ()):
            wrong.append(f"{model}.{field} is in the library by now: list it without its plus")
    elif model not in known:
        wrong.append(f"{model} is not in the library any more")
    elif field != "*" and field not in known[model]:
        wrong.append(f"{model}.{field} is not in the library any more")
    elif field in listed.get(model, ()):
        wrong.append(f"{model}.{field} is listed twice")
    else:
        listed.setdefault(model, set()).add(field)
    if fate.startswith("read: "):
        if not mentions(fate.removeprefix("read: "), field):
            wrong.append(f"{model}.{field} is said to be read by {fate.removeprefix('read: ')}, which does not name it")
    elif not re.match("not read: .{10}", fate):
        wrong.append(f"{model}.{field} is neither read nor has it a reason")
for model, fields in known.items():
    told = listed.get(model, set())
    for field in sorted(fields - told) if "*" not in told else []:
        wrong.append(f"{model}.{field} is new: read it, or say in the list why not")
print(json.dumps({"models": len(known), "wrong": wrong}))
