-- Proves that what was recognised up to the last day and what is deferred then is what was billed by then, refunds taken
-- off: no charge is earned twice, and none is forgotten. The ledger is read by itself, without the report's steps.
-- Grain: one row per app, store, product and currency that differs, in micros; at most 20, row_count says how many.
with last as (
    select seal, through_date as day, time_zone from report_scope
),

earned as (
    select
        report.app_id, report.store, report.product_id, report.currency,
        sum(report.recognised) * 1000000
            + coalesce(sum(report.deferred) filter (where report.date = last.day), 0) * 1000000 as micros
    from last
    cross join recognised report
    group by report.app_id, report.store, report.product_id, report.currency
),

billed as (
    select sold.app_id, sold.store, sold.product_id, entry.currency, sum(entry.amount_micros) as micros
    from last
    cross join lateral subledger.ledger_as_of(last.seal) entry
    join lateral subledger.transactions_as_of(last.seal) sold
        on sold.subscription_key = entry.subscription_key
        and sold.transaction_id = entry.transaction_id
        and sold.product_id = entry.product_id
    where report.day_of(entry.occurred_at, sold.store, last.time_zone) <= last.day
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
