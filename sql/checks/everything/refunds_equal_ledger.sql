-- Proves that the refunds report holds every refund of the ledger once, on its day, and gives back what was taken back.
-- Grain: one row per day, app, product and currency that differs, in micros; at most 20, row_count says how many.
with reported as (
    select date as day, app_id, product_id, currency, sum(refunded) * 1000000 as micros
    from refunds
    group by date, app_id, product_id, currency
),

booked as (
    select
        report.day_of(entry.occurred_at, sold.store, scope.time_zone) as day, sold.app_id, entry.product_id, entry.currency,
        -sum(entry.amount_micros) as micros
    from report_scope scope
    cross join lateral subledger.ledger_as_of(scope.seal) entry
    join lateral subledger.transactions_as_of(scope.seal) sold
        on sold.subscription_key = entry.subscription_key
        and sold.transaction_id = entry.transaction_id
        and sold.product_id = entry.product_id
    where entry.kind in ('refund', 'refund_reversal')
    group by 1, sold.app_id, entry.product_id, entry.currency
)

select
    concat_ws(
        ' ', coalesce(booked.day, reported.day), coalesce(booked.app_id, reported.app_id),
        coalesce(booked.product_id, reported.product_id), coalesce(booked.currency, reported.currency)) as subject,
    coalesce(booked.micros, 0)::bigint::text as expected,
    coalesce(reported.micros, 0)::bigint::text as found,
    count(*) over () as row_count
from booked
full join reported
    on reported.day = booked.day
    and reported.app_id = booked.app_id
    and reported.product_id = booked.product_id
    and reported.currency = booked.currency
where coalesce(booked.micros, 0) <> coalesce(reported.micros, 0)
order by subject
limit 20
