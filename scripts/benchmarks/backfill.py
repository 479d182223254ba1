"""A backfill: a large registered population, its first night and its first report, and what they leave in the database."""

import nights
from meter import measure
from place import Place

STORAGE = """
select
    sum(pg_total_relation_size(held.oid)) filter (where held.relname = 'store_answers'),
    sum(pg_total_relation_size(held.oid)) filter (where held.relname like '%transaction%' and held.relname not like 'stage%'),
    sum(pg_total_relation_size(held.oid)) filter (where held.relname = 'ledger_entries'),
    sum(pg_total_relation_size(held.oid))
from pg_class held
join pg_namespace schema on schema.oid = held.relnamespace
where schema.nspname = 'subledger' and held.relkind = 'r'
"""


def storage(place, api, number):
    """Bytes for each subscription: answers, transactions with their versions, ledger, and all tables."""
    sizes = [int(size) // number for size in place.sql(STORAGE).split("|")]
    for name, size in zip(("answers", "transactions and versions", "ledger", "all tables"), sizes):
        yield {"name": f"{api}: bytes a subscription: {name}", "number": size, "wall_s": 0}


def run(options):
    for api in options.api:
        with Place(options.program, options.storesim, options.root) as place:
            number, usage = nights.prepare(place, nights.APPS[api], options.backfill, options.months[0], "--unbound")
            yield {
                "name": f"{api}: import of subscriptions", "number": number, "wall_s": usage.wall,
                "per_s": number / usage.wall, "ours_us": usage.program * 1e6 / number,
                "server_us": usage.server * 1e6 / number, "ours_mb": usage.program_mb, "server_mb": usage.server_mb,
            }
            yield nights.row(f"{api}: first night", nights.night(place, nights.APPS[api]), "150 MB")
            usage = measure(place, "report")
            yield {
                "name": f"{api}: first report", "number": number, "wall_s": usage.wall, "ours_s": usage.program,
                "server_s": usage.server, "ours_mb": usage.program_mb, "server_mb": usage.server_mb,
            }
            yield from storage(place, api, number)
