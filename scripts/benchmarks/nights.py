"""A first night, which reads each subscription's history, and a steady one, which reads statuses alone."""

import re

from meter import measure
from place import Failed, Place

# 02:15 UTC, the minute cron starts a night.
FIRST_NIGHT = 1767579300
DAY = 86400

APPS = {"server": "acme-ios", "receipts": "acme-legacy", "play": "demo-android"}

# Microseconds of ours for a subscription: DESIGN, section 5.
FIRST_GOALS = {"server": 600, "receipts": 800, "play": 800}


def prepare(place, app, customers, months, *limits):
    """A registered population, each with the same history unless `months` is None; gives its number and what the import cost."""
    alike = ["--months", str(months)] if months is not None else []
    place.start_store(app, customers, FIRST_NIGHT - DAY, *alike, *(limits or ["--unbound", "--cached"]))
    (place.folder / "clock").write_text("2026-01-05T01:00:00Z")
    place.start_server(place.store_configuration())
    for job, file in (("products", "products.csv"), ("prices", "prices.csv"), ("tax-rates", "tax-rates.csv")):
        place.run("import", job, str(place.store_folder / file))
    place.set_clock(FIRST_NIGHT)
    purchases = place.registrations(FIRST_NIGHT)
    # All of them: what an import sets aside no night asks.
    usage = measure(place, "import", "subscriptions", str(purchases), allowed=(0,))
    return sum(1 for _ in purchases.open("rb")), usage


def counted(what, usage):
    """A count of the night's last lines."""
    found = re.search(rf"\b{what} ([\d,]+)", usage.output)
    if not found or not int(found[1].replace(",", "")):
        raise Failed(f"the night says nothing of {what}: {usage.output[-500:]}")
    return int(found[1].replace(",", ""))


def row(name, usage, goal, size=None, rows=None):
    number = counted("checked", usage)
    each = 1e6 / number
    return {
        "name": name, "series": name.replace(f": {size:,}:", ":") if size else None, "size": size or number,
        "number": number, "goal": goal,
        "wall_s": usage.wall, "per_s": number / usage.wall,
        "ours_us": usage.program * each, "server_us": usage.server * each, "store_us": usage.store * each,
        "ours_mb": usage.program_mb, "server_mb": usage.server_mb, "temp_mb": usage.temp_mb,
        "requests": counted("calls", usage), "rows": rows,
    }


def booked(place):
    """Rows of money: what the night has added to the books."""
    return int(place.sql("select count(*) from subledger.ledger_entries"))


def night(place, app, *arguments):
    return measure(place, "nightly", "--no-reports", "--app", app, *arguments)


def steady(place, app):
    """Everybody is due again, and nothing has happened. The second such night: the store gives its answers again."""
    place.set_clock(FIRST_NIGHT + 3600)
    for _ in range(2):
        place.sql(
            f"update subledger.subscriptions set next_check_at = to_timestamp({FIRST_NIGHT}) where next_check_at is not null;"
            "vacuum analyze subledger.subscriptions")
        usage = night(place, app)
    return usage


def run(options):
    for api in options.api:
        for months in options.months:
            for customers in options.customers:
                yield from nights(options, api, months, customers)


def nights(options, api, months, customers):
    history = f" of {months} months" if api != "play" else ""
    with Place(options.program, options.storesim, options.root) as place:
        registered, usage = prepare(place, APPS[api], customers, months)
        yield {
            "name": f"{api}: {customers:,}: import of subscriptions", "series": f"{api}: import", "size": customers,
            "number": registered, "goal": "20,000/s", "wall_s": usage.wall, "per_s": registered / usage.wall,
            "ours_us": usage.program * 1e6 / registered, "server_us": usage.server * 1e6 / registered,
            "ours_mb": usage.program_mb, "server_mb": usage.server_mb, "temp_mb": usage.temp_mb,
        }
        goal = f"ours {FIRST_GOALS[api]} us"
        first = night(place, APPS[api])
        yield row(f"{api}: {customers:,}: first night{history}", first, goal, customers, booked(place))
        yield row(
            f"{api}: {customers:,}: steady night{history}", steady(place, APPS[api]), "ours 250, server 150 us, 3,000/s",
            customers, 0)
