-- Proves that the days of the MRR bridge join up: what a day opened with is what the day before closed with.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many.
with bridge as materialized (
    select date, app_id, store, product_id, currency, opening, closing
    from mrr_bridge
),

sides as (
    select date, app_id, store, product_id, currency, opening, 0 as closed from bridge
    union all
    select date + 1, app_id, store, product_id, currency, 0, closing
    from bridge
    where date < (select scope.through_date from report_scope scope)
),

joined as (
    select
        concat_ws(' ', date::text, app_id, store, product_id, currency) as subject, sum(closed) as expected,
        sum(opening) as found
    from sides
    group by date, app_id, store, product_id, currency
)

select subject, expected::text as expected, found::text as found, count(*) over () as row_count
from joined
where expected <> found
order by subject
limit 20
