-- days of: periods
-- Proves that the MRR bridge closes each day with the value of the paid periods in force, whatever its movements say: the
-- periods that began less those that ended, exactly. Closings are compared with the running sums of what came into force
-- (mrr_in_force_daily), on all days; and that with the periods themselves, on the days that are looked at. The same of their
-- value in the reporting currency.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many. $1 days; NULL: all
with in_force as (
    select day, app_id, store, product_id, value.unit as currency, sum(value.nanos) as nanos
    from mrr_in_force_daily stored
    cross join lateral (
        values (stored.currency, stored.nanos), (stored.currency || ' converted', stored.reporting_nanos)
    ) value (unit, nanos)
    group by day, app_id, store, product_id, value.unit
),

sides as (
    select day, app_id, store, product_id, currency, nanos, 0 as closing from in_force
    union all
    select date, app_id, store, product_id, value.unit, 0, value.closing
    from mrr_bridge
    cross join lateral (
        values (currency, closing), (currency || ' converted', coalesce(closing_reporting, 0))
    ) value (unit, closing)
),

days as (
    select day, app_id, store, product_id, currency, sum(nanos) as nanos, sum(closing) as closing
    from sides
    group by day, app_id, store, product_id, currency
),

-- Days of the bridge, and the days on which the periods change.
closed as (
    select
        day, app_id, store, product_id, currency,
        marts.half_even(sum(nanos) over (partition by app_id, store, product_id, currency order by day), 1000) as expected,
        closing as found
    from days
),

steps as (
    select day, app_id, store, product_id, currency, sum(nanos) as of_periods, sum(in_force_nanos) as found
    from (
        select day, app_id, store, product_id, value.unit as currency, value.nanos, 0 as in_force_nanos
        from pg_temp.period_steps step
        cross join lateral (
            values (step.currency, step.nanos), (step.currency || ' converted', step.reporting_nanos)
        ) value (unit, nanos)
        where currency is not null
        union all
        select day, app_id, store, product_id, currency, 0, nanos
        from in_force
        where $1::date[] is null or day = any ($1::date[])
    ) side
    group by day, app_id, store, product_id, currency
),

differences as (
    select
        concat_ws(' ', closed.day::text, closed.app_id, closed.store, closed.product_id, closed.currency) as subject,
        closed.expected::text as expected, closed.found::text as found
    from closed
    join report_scope scope on closed.day <= scope.through_date
    where closed.expected <> closed.found
    union all
    select
        concat_ws(' ', day::text, app_id, store, product_id, currency),
        of_periods || ' nanos of periods that begin or end', found || ' nanos in force'
    from steps
    where of_periods <> found
)

select subject, expected, found, count(*) over () as row_count
from differences
order by subject
limit 20
