# SPDX-License-Identifier: Apache-2.0
"""Holds the list of fields in the App Store's room against the models of Apple's own library."""

import importlib
import inspect
import pkgutil
import re

import appstoreserverlibrary.models as models
import attr

import field_list


def library():
    """What the library adds for values it does not know (raw...) is no field of the store's."""
    found = {}
    for info in pkgutil.iter_modules(models.__path__):
        module = importlib.import_module(f"appstoreserverlibrary.models.{info.name}")
        for name, value in vars(module).items():
            if inspect.isclass(value) and value.__module__ == module.__name__ and attr.has(value):
                fields = [field.name for field in attr.fields(value) if not re.match("raw[A-Z]", field.name)]
                found[name] = {field: set() for field in fields}
    return found


field_list.report(library())
