"""A first night of a population in which one customer of forty has a history of 250 pages: what of it is in memory at once."""

import nights
from place import Place


def run(options):
    for customers in options.customers:
        with Place(options.program, options.storesim, options.root) as place:
            nights.prepare(place, nights.APPS["server"], customers, None)
            night = nights.night(place, nights.APPS["server"])
            yield nights.row(
                f"{customers:,}: first night, long histories", night, "ours 150 MB", customers, nights.booked(place))
