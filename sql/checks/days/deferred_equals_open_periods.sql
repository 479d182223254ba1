-- days of: periods
-- Proves that what is deferred at the end of a day is what the service periods still owe that run on then, charge by charge, so
-- that it closes to nothing with the last of them. The report adds up rates from day to day; here each charge is spread by itself,
-- and the report's, which is rounded, is half a micro from their sum at most (a tenth more for what the divisions here cut off).
-- Grain: one row per day, app, store, product and currency that differs, in micros; at most 20, row_count says how many.
-- $1 days; NULL: the last one of each month
with looked_at as (
    select day from unnest($1::date[]) named (day) join report_scope scope on named.day <= scope.through_date
    union
    select through_date from report_scope where $1::date[] is null
    union
    select (month + interval '1 month - 1 day')::date
    from (select min(day) as first_day from recognition_steps) known
    cross join report_scope scope
    cross join lateral generate_series(
        date_trunc('month', known.first_day::timestamp), scope.through_date - interval '1 month', interval '1 month'
    ) month
    where $1::date[] is null
),

days as materialized (
    select looked_at.day, zone.name as zone, marts.microseconds((looked_at.day + 1)::timestamp at time zone zone.name) as ends_us
    from looked_at
    cross join (select distinct zone as name from recognition_steps) zone
),

owed as (
    select
        days.day, step.app_id, step.store, step.product_id, step.currency,
        sum(
            step.micros - step.micros * 1.0000000000 * marts.served_us(
                days.ends_us, marts.microseconds(step.starts_at), marts.microseconds(step.ends_at), step.length_us
            ) / step.length_us
        ) as micros
    from days
    join recognition_steps step
        on step.zone = days.zone
        and step.day <= days.day
        and step.last_day >= days.day
        and (step.next_day > days.day) is not false
    group by days.day, step.app_id, step.store, step.product_id, step.currency
),

sides as (
    select day, app_id, store, product_id, currency, micros, 0 as deferred from owed
    union all
    select date, app_id, store, product_id, currency, 0, deferred * 1000000
    from recognised
    where date in (select day from looked_at)
),

compared as (
    select day, app_id, store, product_id, currency, sum(micros) as expected, sum(deferred) as found
    from sides
    group by day, app_id, store, product_id, currency
)

select
    concat_ws(' ', day::text, app_id, store, product_id, currency) as subject,
    round(expected, 3)::text as expected, found::bigint::text as found, count(*) over () as row_count
from compared
where abs(expected - found) > 0.6
order by subject
limit 20
