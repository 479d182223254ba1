-- Proves that the revenue report adds up to the transactions: gross to their prices, refunded to their refunds.
-- Grain: one row per app, currency and figure that differs, in micros; at most 20, row_count says how many.
with sides as (
    select app_id, currency, 0 as gross_sold, 0 as refunds_sold, gross * 1000000 as gross, refunded * 1000000 as refunded
    from revenue
    union all
    select app_id, currency, gross_micros, refunded_micros, 0, 0
    from pg_temp.known_totals
    where currency is not null
),

compared as (
    select
        concat_ws(' ', app_id, currency, figure.name) as subject, figure.expected, figure.found
    from (
        select
            app_id, currency, sum(gross_sold) as gross_sold, sum(refunds_sold) as refunds_sold, sum(gross) as gross,
            sum(refunded) as refunded
        from sides
        group by app_id, currency
    ) summed
    cross join lateral (
        values ('gross', gross_sold, gross), ('refunded', refunds_sold, refunded)
    ) figure (name, expected, found)
)

select subject, expected::bigint::text as expected, found::bigint::text as found, count(*) over () as row_count
from compared
where expected <> found
order by subject
limit 20
