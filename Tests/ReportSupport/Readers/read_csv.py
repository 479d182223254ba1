# Reads the CSV files of a folder with Python's own csv and prints their rows, as JSON. Standard input: {"folder": path, "delimiter":
# character}. "marked" and "crlf" name the files that begin with a byte order mark, and whose every line ends in CRLF.
import csv
import json
import pathlib
import sys

given = json.load(sys.stdin)
read = {"files": {}, "marked": [], "crlf": []}
for path in sorted(pathlib.Path(given["folder"]).glob("*.csv")):
    raw = path.read_bytes()
    with open(path, newline="", encoding="utf-8-sig") as lines:
        read["files"][path.name] = list(csv.reader(lines, delimiter=given["delimiter"]))
    if raw.startswith(b"\xef\xbb\xbf"):
        read["marked"].append(path.name)
    if raw.endswith(b"\r\n") and raw.count(b"\r\n") == raw.count(b"\n"):
        read["crlf"].append(path.name)
json.dump(read, sys.stdout)
