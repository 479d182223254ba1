"""Loading chunks of a first night, beside psql with COPY and the same statements into a database of its own."""

import json
import subprocess
import time

import peer_python
from place import Failed, Place

CHUNKS, CUSTOMERS = 20, 500

CONFIGURATION = """\
data: ./data
clock: simulated
apps:
  - { id: acme-ios, store: app_store, api: verify_receipt, bundle_id: com.acme.app, shared_secret_file: ./shared-secret,
      default_country: DE }
reports: { directory: ./reports, currency: EUR, time_zone: UTC, language: en }
"""

# Customers 1, 2 … and one run whose chunks are leased.
PREPARATION = f"""
insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store') on conflict do nothing;
select count(subledger.register('acme-ios', number::text)) from generate_series(1, {CHUNKS * CUSTOMERS}) number;
insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
overriding system value values (1, 'nightly', '2026-03-09', '2026-03-10 12:00Z', 'bench', 1);
insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until)
select 1, number, 'acme-ios', '{{1}}', 'leased', 1, 'bench', now() + interval '1 day'
from generate_series(1, {CHUNKS}) number;
analyze;
"""


def prepared(place):
    secret = place.folder / "shared-secret"
    secret.touch(0o600)
    secret.write_text("nobody has this secret")
    place.start_server(CONFIGURATION)
    place.sql(PREPARATION)


def booked(place):
    return place.sql("select count(*), count(distinct subscription_key), sum(price_micros) from subledger.transactions")


# What dlt merges into one table; ours and psql also write the ledger, every row's versions, and who has access.
ROWS = """
select row_to_json(held)
from (
    select subscription_key, transaction_id, product_id, kind, purchased_at, period_end, price_micros, currency, refunded_at
    from subledger.transactions
) held
"""


def with_dlt(options, place):
    """The same transactions, chunk by chunk, merged by their key."""
    rows = place.folder / "rows.jsonl"
    rows.write_text(place.sql(ROWS), encoding="utf-8")
    count = int(booked(place).split("|")[0])
    place.sql("create database peer")
    keys = dict(pair.split("=") for pair in place.server.split())
    asked = {
        "rows_file": str(rows), "chunk": count // CHUNKS,
        "database": f"postgresql://{keys['user']}:none@localhost:{keys['port']}/peer?host={keys['host']}"}
    done = subprocess.run(
        [str(peer_python.interpreter(options.root)), str(peer_python.SCRIPTS / "dlt_load.py")], input=json.dumps(asked),
        capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"dlt: {done.stderr[-500:]}")
    seconds = float(done.stdout.split()[-1])
    peer = place.server.replace("dbname=subledger", "dbname=peer")
    merged = int(place.sql("select count(*) from peer.transactions", server=peer))
    if merged != count:
        raise Failed(f"dlt has loaded {merged} of {count}")
    return {"name": "load: dlt, merging transactions alone", "number": count, "wall_s": seconds, "per_s": count / seconds}


def run(options):
    with Place(options.program, options.storesim, options.root) as ours:
        with Place(options.program, options.storesim, options.root) as theirs:
            prepared(ours)
            prepared(theirs)
            done = subprocess.run(
                [str(options.steps), "load", str(CHUNKS), "--database", ours.server, "--scripts", str(ours.folder)],
                capture_output=True, text=True, check=False)
            if done.returncode:
                raise Failed(f"loading: {done.stderr[-500:]}")
            seconds = float(done.stdout)
            started = time.monotonic()
            for number in range(1, CHUNKS + 1):
                theirs.sql(file=ours.folder / f"{number}.sql")
            yardstick = time.monotonic() - started
            if booked(ours) != booked(theirs):
                raise Failed(f"the two databases differ: {booked(ours)} and {booked(theirs)}")
            number = int(booked(ours).split("|")[0])
            yield {"name": "load: psql, COPY and the same statements", "number": number, "wall_s": yardstick,
                   "per_s": number / yardstick}
            yield with_dlt(options, ours)
            yield {"name": "load: a first night's chunks", "number": number, "wall_s": seconds, "per_s": number / seconds,
                   "ratio": yardstick / seconds, "goal": "0.8 of psql"}
