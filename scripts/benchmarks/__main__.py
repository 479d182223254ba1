"""Runs benchmarks by name, prints a table, and writes bench/NAME.json."""

import argparse
import json
import pathlib
import platform
import statistics
import sys

import backfill
import first_result
import growth
import instructions
import load
import long_histories
import long_night
import many_apps
import nights
import peer
import planning
import quota
import reports
import scale
import signatures
from place import Failed, close_down_when_ended, cores

BENCHMARKS = {
    "signatures": signatures, "load": load, "quota": quota, "planning": planning, "nights": nights,
    "long-histories": long_histories, "peer": peer, "instructions": instructions, "backfill": backfill, "reports": reports,
    "first-result": first_result, "many-apps": many_apps, "long-night": long_night, "scale": scale,
}

# Of a row's figures: header and digits.
COLUMNS = {
    "number": ("number", 0), "wall_s": ("wall s", 1), "per_s": ("per s", 0), "ours_us": ("ours us", 0),
    "server_us": ("server us", 0), "store_us": ("store us", 0), "ours_s": ("ours s", 1), "server_s": ("server s", 1),
    "ours_mb": ("ours MB", 0), "server_mb": ("server MB", 0),
    "temp_mb": ("temp MB", 0), "requests": ("requests", 0), "rows": ("rows", 0),
    "least_mb": ("least MB", 0), "sessions": ("sessions", 0), "descriptors": ("files", 0), "code": ("exit", 0),
    "left": ("left", 0), "ratio": ("ratio", 2), "refused": ("refused", 0), "exponent": ("exponent", 2),
}


def sizes(text):
    return [int(size) for size in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=(
        "Measures what the design promises, on the program as it is installed. us: microseconds of processor time for "
        "each one; server: PostgreSQL, store: the simulated store; MB: the most memory of one process; exponent: how the "
        "processor time of all grows with the size, 1 is linear. Sizes may be several, separated by commas."))
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--program", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--storesim", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--steps", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--transactions", type=sizes, default=[1_000_000], help="of reports' history (1000000)")
    parser.add_argument("--customers", type=sizes, default=[10_000], help="of a night (10000)")
    parser.add_argument("--backfill", type=int, default=1_000_000, help="customers of a backfill (%(default)s)")
    parser.add_argument("--months", type=sizes, default=[3], help="that each App Store customer has paid for (3)")
    parser.add_argument("--api", action="append", choices=list(nights.APPS), help="of a night; all of them unless named")
    parser.add_argument(
        "--sizes", type=sizes, default=[10_000, 100_000, 1_000_000],
        help="subscriptions that are planned (10000,100000,1000000)")
    parser.add_argument("--apps", type=int, default=3_000, help="of a night of many apps, ten due in each (%(default)s)")
    parser.add_argument("--due", type=int, default=1_000_000, help="subscriptions due in a long night (%(default)s)")
    parser.add_argument("--rate", type=int, default=2_000, help="requests a second that a long night and the hosts of scale are given (%(default)s)")
    parser.add_argument("--scale", type=int, default=200_000, help="subscriptions due in each night of scale (%(default)s)")
    parser.add_argument("--connections", type=int, default=40, help="that the server of these two has (%(default)s)")
    parser.add_argument("--runs", type=int, default=1, help="medians of so many runs, and their spread (%(default)s)")
    parser.add_argument("--check", action="store_true", help="of instructions alone: fail where a step takes more than recorded")
    parser.add_argument("--record", action="store_true", help="of instructions alone: record what the steps take")
    options = parser.parse_args()
    options.api = options.api or list(nights.APPS)
    options.root = pathlib.Path("bench").absolute()
    return options


def summarised(runs):
    """One row of several runs' rows of a name: the medians, and the span of the wall times."""
    row = dict(runs[0])
    for figure in COLUMNS:
        values = [run[figure] for run in runs if run.get(figure) is not None]
        if values:
            row[figure] = statistics.median(values)
    walls = [run["wall_s"] for run in runs]
    return row | {"runs": len(runs), "wall_s_least": min(walls), "wall_s_most": max(walls)}


def line(row, columns):
    cells = []
    for figure in columns:
        value = row.get(figure)
        header, digits = COLUMNS[figure]
        cells.append(f"{'' if value is None else f'{value:,.{digits}f}':>{max(len(header), 9)}}")
    return f"{row['name']:<52}" + " ".join(cells) + f"  {'goal ' + row['goal'] if row.get('goal') else ''}"


def show(name, rows):
    columns = [figure for figure in COLUMNS if any(row.get(figure) is not None for row in rows)]
    print(f"\n{name}, {cores()} cores, {platform.machine()}")
    print(f"{'':<52}" + " ".join(f"{COLUMNS[figure][0]:>{max(len(COLUMNS[figure][0]), 9)}}" for figure in columns))
    for row in rows:
        print(line(row, columns))


def main():
    options = arguments()
    close_down_when_ended()
    for name in options.names or (["instructions"] if options.check or options.record else BENCHMARKS):
        runs = {}
        for number in range(options.runs):
            for row in BENCHMARKS[name].run(options):
                runs.setdefault(row["name"], []).append(row)
                print(f"{name} {number + 1}/{options.runs}: {row['name']}: {row['wall_s']:.1f} s", file=sys.stderr)
        rows = growth.with_exponents([summarised(row) for row in runs.values()])
        show(name, rows)
        result = {"benchmark": name, "cores": cores(), "machine": platform.machine(), "results": rows}
        (options.root / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


try:
    main()
except Failed as failure:
    sys.exit(f"bench: {failure}")
