-- Proves that what was recognised up to the last day and what is deferred then is what was billed by then, refunds taken
-- off: no charge is earned twice, and none is forgotten. The ledger is read by itself, without the report's steps.
-- Grain: one row per app, store, product and currency that differs, in micros; at most 20, row_count says how many.
-- $1 seal, $2 time zone
with last as (
    select business_date as day from subledger.runs where seal = $1::bigint
),

earned as (
    select
        report.app_id, report.store, report.product_id, report.currency,
        sum(report.recognised) * 1000000
            + coalesce(sum(report.deferred) filter (where report.date = last.day), 0) * 1000000 as micros
    from last
    cross join lateral report.recognised_as_of($1::bigint, '-infinity', last.day, $2::text) report
    group by report.app_id, report.store, report.product_id, report.currency
),

billed as (
    select sold.app_id, sold.store, sold.product_id, entry.currency, sum(entry.amount_micros) as micros
    from last
    cross join subledger.ledger_as_of($1::bigint) entry
    join subledger.transactions_as_of($1::bigint) sold
        on sold.subscription_key = entry.subscription_key
        and sold.transaction_id = entry.transaction_id
        and sold.product_id = entry.product_id
    where report.day_of(entry.occurred_at, sold.store, $2::text) <= last.day
    group by sold.app_id, sold.store, sold.product_id, entry.currency
)

select
    concat_ws(
        ' ', coalesce(billed.app_id, earned.app_id), coalesce(billed.store, earned.store),
        coalesce(billed.product_id, earned.product_id), coalesce(billed.currency, earned.currency)) as subject,
    coalesce(billed.micros, 0)::bigint::text as expected,
    coalesce(earned.micros, 0)::bigint::text as found,
    count(*) over () as row_count
from billed
full join earned
    on earned.app_id = billed.app_id
    and earned.store = billed.store
    and earned.product_id = billed.product_id
    and earned.currency = billed.currency
where coalesce(billed.micros, 0) <> coalesce(earned.micros, 0)
order by subject
limit 20
