"""A night that the store's quota bounds: how much of the rate it uses, and whether the store refused anything."""

import json

import nights
from meter import measure
from place import Place

# Requests a second that the program is given, and what it may let go at once after a pause: a second's worth.
RATE, BURST = 40, 40
SECONDS = 75


def run(options):
    with Place(options.program, options.storesim, options.root) as place:
        nights.prepare(place, "acme-ios", RATE * SECONDS, 1, "--per-minute", str(60 * RATE + BURST))
        usage = measure(place, "nightly", "--no-reports", "--app", "acme-ios")
        seen = json.loads(place.ask_store("/sim/traffic"))
        most = seen["most"]["statuses"]
        yield {"name": f"quota: statuses, {RATE} a second, busiest minute", "number": most, "wall_s": usage.wall,
               "per_s": most / 60, "ratio": most / 60 / RATE, "refused": seen["refused"],
               "goal": "0.99 of the rate, 0 refused"}
