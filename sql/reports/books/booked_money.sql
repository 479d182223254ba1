-- The ledger of the days that are looked at. A transaction's app and store never change: its row of today has them.
-- $1 days; NULL: all
insert into pg_temp.booked_money (day, app_id, store, product_id, currency, micros, refund_micros)
with windows as (
    -- A clock that is set back has some hours twice: the day itself is asked for below.
    select
        looked_at.day, (looked_at.day::timestamp at time zone zone.name) - interval '2 hours' as from_instant,
        ((looked_at.day + 1)::timestamp at time zone zone.name) + interval '2 hours' as until_instant, zone.name as zone
    from unnest($1::date[]) looked_at (day)
    cross join (
        select distinct marts.zone_of(app.store, scope.time_zone) as name
        from subledger.apps app
        cross join report_scope scope
    ) zone
),

entries as materialized (
    select null::date as window_day, null as window_zone, entry.*
    from report_scope scope
    cross join lateral subledger.ledger_as_of(scope.seal) entry
    where $1::date[] is null
    union all
    select windows.day, windows.zone, entry.*
    from windows
    cross join lateral (
        select stored.*
        from subledger.ledger_entries stored
        where stored.occurred_at >= windows.from_instant and stored.occurred_at < windows.until_instant
        offset 0
    ) entry
    where entry.run_id <> all (array(
        select run.run_id
        from subledger.runs run
        where run.seal is null or run.seal > (select asked.seal from report_scope asked)
    ))
),

dated as (
    select
        marts.day_of(entry.occurred_at, sold.store, scope.time_zone) as day, sold.app_id, sold.store, entry.product_id,
        entry.currency, entry.kind, entry.amount_micros, entry.window_day, entry.window_zone,
        marts.zone_of(sold.store, scope.time_zone) as zone
    from report_scope scope
    cross join entries entry
    -- One by one: those of a few days are few.
    cross join lateral (
        select stored.app_id, stored.store
        from subledger.transactions stored
        where stored.subscription_key = entry.subscription_key
            and stored.transaction_id = entry.transaction_id
            and stored.product_id = entry.product_id
        limit 1
    ) sold
)

select
    day, app_id, store, product_id, currency, sum(amount_micros),
    coalesce(sum(amount_micros) filter (where kind in ('refund', 'refund_reversal')), 0)
from dated
where $1::date[] is null or (day = window_day and zone = window_zone)
group by day, app_id, store, product_id, currency
