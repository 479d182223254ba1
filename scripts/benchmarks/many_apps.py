"""A night of many apps, ten subscriptions due in each, on a server of few connections."""

import resource

import nights
from small_server import SmallServerPlace, figures, watched

DUE_OF_EACH = 10


def run(options):
    # The store has a connection with each app, and so has the program, which raises its own limit.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with SmallServerPlace(options.program, options.storesim, options.root, options.connections) as place:
        nights.prepare(
            place, None, DUE_OF_EACH, options.months[0], "--unbound", "--receipt-apps", str(options.apps))
        samples, wall, _ = watched(place, "nightly")
        yield figures(place, f"{options.apps:,} apps, {options.connections} connections", samples, wall, nights.FIRST_NIGHT)
