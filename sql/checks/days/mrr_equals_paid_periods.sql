-- Proves that the MRR bridge closes each day with the value of the paid periods in force, whatever its movements say: the
-- periods that began less those that ended, exactly.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many.
with steps as (
    select
        step.day, period.app_id, period.store, period.product_id, period.currency, sum(step.nanos) as nanos
    from paid_periods period
    cross join lateral (
        values (period.start_day, period.mrr_nanos), (period.end_day, -period.mrr_nanos)
    ) step (day, nanos)
    where period.mrr_nanos is not null
    group by step.day, period.app_id, period.store, period.product_id, period.currency
),

sides as (
    select day, app_id, store, product_id, currency, nanos, 0 as closing from steps
    union all
    select date, app_id, store, product_id, currency, 0, closing from mrr_bridge
),

days as (
    select day, app_id, store, product_id, currency, sum(nanos) as nanos, sum(closing) as closing
    from sides
    group by day, app_id, store, product_id, currency
),

-- Days of the bridge, and the days on which the periods change.
compared as (
    select
        day, concat_ws(' ', day::text, app_id, store, product_id, currency) as subject,
        report.half_even(sum(nanos) over (partition by app_id, store, product_id, currency order by day), 1000) as expected,
        closing as found
    from days
)

select subject, expected::text as expected, found::text as found, count(*) over () as row_count
from compared
join report_scope scope on compared.day <= scope.through_date
where expected <> found
order by subject
limit 20
