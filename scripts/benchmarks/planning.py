"""Planning: a night whose store cannot be reached, with so many subscriptions due, and the one after it."""

from meter import measure
from place import Failed, Place

CONFIGURATION = """\
data: ./data
clock: simulated
apps:
  - { id: ios, store: app_store, api: verify_receipt, bundle_id: com.example.app, shared_secret_file: ./shared-secret,
      default_country: US, verify_receipt_url: "https://127.0.0.1:9/verifyReceipt" }
nightly: { finish_within: 1s }
reports: { directory: ./reports, currency: USD, time_zone: UTC, language: en }
"""

REGISTRATION = """
insert into subledger.apps (app_id, store) values ('ios', 'app_store') on conflict do nothing;
insert into subledger.subscriptions (
    subscription_key, lineage_key, app_id, store, store_key, environment, state, registered_at, next_check_at,
    next_check_reason)
select number, number, 'ios', 'app_store', number::text, 'production', 'unverified', '2026-01-01Z', {due}, 'registered'
from generate_series(1, {number}) number;
vacuum analyze;
"""


def run(options):
    for due in options.sizes:
        with Place(options.program, options.storesim, options.root) as place:
            secret = place.folder / "shared-secret"
            secret.touch(0o600)
            secret.write_text("nobody has this secret")
            place.start_server(CONFIGURATION)
            place.sql(REGISTRATION.format(number=due, due="'2026-01-01Z'"))
            for night, name in ((2, "planned"), (3, "planned again")):
                usage = measure(place, "nightly", "--no-reports", "--now", f"2026-01-0{night}T02:15:00Z", allowed=(1, 2))
                planned = int(place.sql(
                    "select sum(cardinality(subscription_keys)) from subledger.run_chunks"
                    " where run_id = (select max(run_id) from subledger.runs)"))
                if planned != due:
                    raise Failed(f"{planned} of {due} were planned")
                yield {"name": f"planning: {due:,} due, {name}", "number": due, "series": name, "size": due,
                       "wall_s": usage.wall, "ours_s": usage.program, "server_s": usage.server, "ours_mb": usage.program_mb,
                       "goal": "30 s" if due >= 1_000_000 else None}
            place.sql("update subledger.subscriptions set next_check_at = '2027-01-01Z'; vacuum analyze subledger.subscriptions")
            usage = measure(place, "nightly", "--no-reports", "--now", "2026-01-04T02:15:00Z")
            yield {"name": f"planning: {due:,} registered, nothing due", "number": due, "series": "nothing due", "size": due,
                   "wall_s": usage.wall,
                   "ours_s": usage.program, "server_s": usage.server, "ours_mb": usage.program_mb,
                   "goal": "1 s" if due >= 1_000_000 else None}
