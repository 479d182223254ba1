-- days of: money
-- Proves that the refunds report contains every refund of the ledger once, on its day, and gives back what was taken back.
-- Grain: one row per day, app, product and currency that differs, in micros; at most 20, row_count says how many.
-- $1 days; NULL: all
with sides as (
    select date as day, app_id, product_id, currency, 0 as booked, refunded * 1000000 as reported
    from refunds
    where $1::date[] is null or date = any ($1::date[])
    union all
    select day, app_id, product_id, currency, -refund_micros, 0 from pg_temp.booked_money
)

select
    concat_ws(' ', day, app_id, product_id, currency) as subject,
    sum(booked)::bigint::text as expected,
    sum(reported)::bigint::text as found,
    count(*) over () as row_count
from sides
group by day, app_id, product_id, currency
having sum(booked) <> sum(reported)
order by subject
limit 20
