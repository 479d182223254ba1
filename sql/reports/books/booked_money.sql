-- The ledger of the days that are looked at. A transaction's app and store never change: its row of today has them.
-- $1 days; NULL: all
insert into booked_money (day, app_id, store, product_id, currency, micros, refund_micros)
with entries as materialized (
    -- A day of any zone lies within the UTC days around it.
    select entry.*
    from report_scope scope
    cross join lateral subledger.ledger_as_of(scope.seal) entry
    where $1::date[] is null
        or (entry.occurred_at at time zone 'UTC')::date in (
            select distinct looked_at.day + step.days
            from unnest($1::date[]) looked_at (day)
            cross join (values (-1), (0), (1)) step (days)
        )
),

dated as (
    select
        report.day_of(entry.occurred_at, sold.store, scope.time_zone) as day, sold.app_id, sold.store, entry.product_id,
        entry.currency, entry.kind, entry.amount_micros
    from report_scope scope
    cross join entries entry
    -- One by one: those of a few days are few.
    cross join lateral (
        select held.app_id, held.store
        from subledger.transactions held
        where held.subscription_key = entry.subscription_key
            and held.transaction_id = entry.transaction_id
            and held.product_id = entry.product_id
        limit 1
    ) sold
)

select
    day, app_id, store, product_id, currency, sum(amount_micros),
    coalesce(sum(amount_micros) filter (where kind in ('refund', 'refund_reversal')), 0)
from dated
where $1::date[] is null or day = any ($1::date[])
group by day, app_id, store, product_id, currency
