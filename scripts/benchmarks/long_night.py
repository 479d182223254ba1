"""A night with a great deal due at a configured rate, whose server is restarted three times meanwhile."""

import sys

import nights
from place import Failed
from small_server import SmallServerPlace, figures, watched

RESTARTS = 3

DONE = """
select floor({parts} * (count(*) filter (where state = 'done')) / greatest(count(*), 1)) from subledger.run_chunks
"""


def restarting(place):
    """Restarts the server each time a further part of the night is done; how often, in a list of instants."""
    restarts = []

    def look():
        done = place.looked_up(DONE.format(parts=RESTARTS + 1))
        if done is not None and len(restarts) < min(done, RESTARTS):
            restarts.append(done)
            place.restart_server()
            print(f"long-night: restarted the server, {done} of {RESTARTS + 1} parts were done", file=sys.stderr)

    return restarts, look


def run(options):
    api = options.api[0]
    app = nights.APPS[api]
    with SmallServerPlace(options.program, options.storesim, options.root, options.connections, options.rate) as place:
        number, _ = nights.prepare(place, app, options.due, options.months[0], "--unbound")
        restarts, look = restarting(place)
        samples, wall, _ = watched(place, "nightly", "--no-reports", meanwhile=look)
        if len(restarts) < RESTARTS:
            raise Failed(f"the night was over after {len(restarts)} restarts of {RESTARTS}: take more than {options.due} due")
        name = f"{api}: {number:,} due at {options.rate:,} a second, {len(restarts)} restarts"
        yield figures(place, name, samples, wall, nights.FIRST_NIGHT) | {"goal": f"{options.rate} per s, flat"}
