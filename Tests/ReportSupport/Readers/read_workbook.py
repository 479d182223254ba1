# Reads report.xlsx and the CSV files beside it, and prints what stands in them as JSON: what we wrote is not asked to judge
# itself. Standard input: {"folder": path of the issue}.
import csv
import datetime
import json
import pathlib
import sys
import zipfile

import openpyxl
from openpyxl.utils.escape import unescape


def cell(found):
    """None for an empty cell, else its type as the file has it, its value and its format."""
    value = found.value
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        value = value.isoformat(" ")
    elif isinstance(value, str):
        value = unescape(value)
    else:
        value = format(value, ".15g")
    return [found.data_type, value, found.number_format]


def series(one):
    return {
        "name": one.tx.strRef.f,
        "categories": (one.cat.strRef or one.cat.numRef).f,
        "values": one.val.numRef.f,
    }


def chart(one):
    title = "".join(run.t for part in one.title.tx.rich.p for run in part.r or [])
    place = one.anchor
    return {
        "kind": type(one).__name__,
        "title": title,
        "series": [series(part) for part in one.series],
        "row": place._from.row,
        "lastRow": place.to.row,
    }


def printed(one):
    return {
        "area": (one.print_area or "").split("!")[-1].replace("$", ""),
        "header": one.print_title_rows,
        "orientation": one.page_setup.orientation,
        "pagesAcross": one.page_setup.fitToWidth,
        "pagesDown": one.page_setup.fitToHeight,
        "footer": one.oddFooter.left.text,
    }


def widths(one):
    """Of every column, in characters."""
    found = [8.43] * one.max_column
    for column in one.column_dimensions.values():
        for place in range(column.min, min(column.max, one.max_column) + 1):
            found[place - 1] = column.width
    return found


def sheet(one):
    return {
        "name": one.title,
        "rows": [[cell(found) for found in row] for row in one.iter_rows()],
        "frozen": one.freeze_panes,
        "filter": one.auto_filter.ref,
        "charts": [chart(part) for part in one._charts],
        "printed": printed(one),
        "widths": widths(one),
    }


folder = pathlib.Path(json.load(sys.stdin)["folder"])
path = folder / "report.xlsx"
book = openpyxl.load_workbook(path)
files = {}
for file in sorted(folder.glob("*.csv")):
    with open(file, newline="", encoding="utf-8") as lines:
        files[file.stem] = list(csv.reader(lines))
with zipfile.ZipFile(path) as parts:
    raw = [parts.read(name) for name in parts.namelist() if name.startswith("xl/worksheets/sheet")]
json.dump(
    {
        "sheets": [sheet(one) for one in book.worksheets],
        "files": files,
        "formulas": sum(part.count(b"<f>") + part.count(b"<f ") + part.count(b"<hyperlink") for part in raw),
        "parts": zipfile.ZipFile(path).namelist(),
        "created": book.properties.created.isoformat(),
    },
    sys.stdout,
)
