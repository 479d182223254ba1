-- days of: money
-- Proves that what was billed is recognised or deferred, refunds taken off: what a day recognises, and what is deferred at its
-- end more than at the end of the day before, is what the ledger booked on it. So no charge is earned twice, and none is
-- forgotten. The ledger is read by itself, without the report's steps.
-- Grain: one row per day, app, store, product and currency that differs, in micros; at most 20, row_count says how many.
-- $1 days; NULL: all
with sides as (
    select
        report.date as day, report.app_id, report.store, report.product_id, report.currency,
        report.recognised + report.deferred as earned, 0 as billed_micros
    from recognised report
    union all
    select report.date + 1, report.app_id, report.store, report.product_id, report.currency, -report.deferred, 0
    from recognised report
    union all
    select day, app_id, store, product_id, currency, 0, micros
    from pg_temp.booked_money
),

compared as (
    select
        day, app_id, store, product_id, currency, sum(billed_micros) as expected, sum(earned) * 1000000 as found
    from sides
    where $1::date[] is null or day = any ($1::date[])
    group by day, app_id, store, product_id, currency
)

select
    concat_ws(' ', compared.day::text, app_id, store, product_id, currency) as subject,
    expected::bigint::text as expected, found::bigint::text as found,
    count(*) over () as row_count
from compared
join report_scope scope on compared.day <= scope.through_date
where expected <> found
order by subject
limit 20
