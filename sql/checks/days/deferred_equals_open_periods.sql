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

-- In each zone: the days in their order, and the instants at which they end.
days as materialized (
    select
        zone.name as zone, array_agg(looked_at.day order by looked_at.day) as days,
        array_agg((looked_at.day + 1)::timestamp at time zone zone.name order by looked_at.day) as ends_at
    from looked_at
    cross join report_scope scope
    cross join lateral (
        select zone_of('app_store', scope.time_zone) as name
        union
        select zone_of('google_play', scope.time_zone)
    ) zone
    group by zone.name
),

-- On which of these days a service period still runs, from one place to another in their order: most run on none of them.
open as (
    select
        step.app_id, step.store, step.product_id, step.currency, step.starts_at, step.ends_at, step.length_us, step.micros,
        days.days, days.ends_at as days_end_at, width_bucket(step.day - 1, days.days) + 1 as first_place,
        width_bucket(least(step.last_day, step.next_day - 1), days.days) as last_place
    from recognition_steps step
    join days on days.zone = step.zone
    where width_bucket(step.day - 1, days.days) < width_bucket(least(step.last_day, step.next_day - 1), days.days)
),

-- How long a period has run is one subtraction of instants: to make microseconds since 1970 of each took two thirds of the check.
owed as (
    select
        open.days[place] as day, open.app_id, open.store, open.product_id, open.currency,
        sum(
            open.micros - open.micros * 1.0000000000 * case
                when open.days_end_at[place] <= open.starts_at then 0
                when open.days_end_at[place] > open.ends_at then open.length_us
                else marts.microseconds_between(open.starts_at, open.days_end_at[place])
            end / open.length_us
        ) as micros
    from open
    cross join lateral generate_series(open.first_place, open.last_place) place
    group by day, open.app_id, open.store, open.product_id, open.currency
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
