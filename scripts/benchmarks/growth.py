"""How what a measurement costs grows with its size."""

import math


def cost(row):
    """Seconds of the processor that the program and the server used."""
    if row.get("ours_us") is not None:
        return (row["ours_us"] + (row.get("server_us") or 0)) * row["number"] / 1e6
    return (row.get("ours_s") or 0) + (row.get("server_s") or 0)


def with_exponents(rows):
    """Beside each row the exponent against the next smaller one of its `series`: 1 is linear, 2 quadratic."""
    for row in rows:
        smaller = [
            other for other in rows
            if row.get("series") and other.get("series") == row["series"] and other["size"] < row["size"]]
        before = max(smaller, key=lambda other: other["size"], default=None)
        if before and cost(before) and cost(row):
            row["exponent"] = math.log(cost(row) / cost(before)) / math.log(row["size"] / before["size"])
    return rows
