"""Reports over a history of three years: the first build, and nights that touch nothing and 1 %."""

import pathlib

from meter import measure
from place import Place

SQL = pathlib.Path(__file__).parent

CONFIGURATION = """\
data: ./data
clock: simulated
apps:
  - { id: ios, store: app_store, api: verify_receipt, bundle_id: com.example.app, shared_secret_file: ./shared-secret,
      default_country: US }
reports: { directory: ./reports, currency: USD, time_zone: UTC, language: en }
"""

# Seal, business date, one customer in how many renews (0: nobody), instant of the report, goal in seconds, name.
NIGHTS = [
    (1000, "2026-01-02", 0, "2026-01-03T03:00:00Z", 2, "a night that touched nothing"),
    (2000, "2026-01-03", 100, "2026-01-04T03:00:00Z", 10, "a night that touched 1 % of the customers"),
    (2500, "2026-01-04", 100, "2026-01-05T03:00:00Z", 10, "the next night that touched 1 %"),
    (3000, "2026-01-12", 0, "2026-01-13T03:00:00Z", None, "a week later: everything is checked"),
]


def row(name, size, number, usage, goal):
    return {
        "name": f"reports: {size:,}: {name}", "series": name, "size": size, "number": number,
        "goal": f"{goal} s" if goal else None, "wall_s": usage.wall, "ours_s": usage.program, "server_s": usage.server,
        "ours_mb": usage.program_mb, "server_mb": usage.server_mb, "temp_mb": usage.temp_mb,
    }


def run(options):
    for size in options.transactions:
        customers = size * 20 // 129  # each has 6.45 transactions on average
        with Place(options.program, options.storesim, options.root) as place:
            secret = place.folder / "shared-secret"
            secret.touch(0o600)
            secret.write_text("nobody has this secret")
            place.start_server(CONFIGURATION)
            place.sql(file=SQL / "history.sql", customers=customers)
            number = int(place.sql("select count(*) from subledger.transactions"))
            usage = measure(place, "report", "--now", "2026-01-02T03:00:00Z")
            yield row("first one, all tables are built", size, number, usage, 240)
            for seal, day, share, now, goal, name in NIGHTS:
                place.sql(file=SQL / "night.sql", seal=seal, day=day, share=share)
                yield row(name, size, number, measure(place, "report", "--now", now), goal)
