-- rests on: exclusions_daily, mrr_daily, revenue_daily, subscribers_daily, trials_daily, subledger.runs
-- Days: from the first one that any report has to the last one of the renewals, 90 days after the last day reported.
-- Grain: one row per day, found once however often a join asks for them.
create view dim_days (
    date, year, quarter, month, month_start, week, week_start, weekday, weekday_name, day_of_month, is_month_end, is_reported,
    is_observed
) as
with span as (
    select
        scope.through_date, least(scope.through_date, known.first_day) as first_day,
        (
            select min(run.business_date)
            from subledger.runs run
            where run.job in ('nightly', 'intake') and run.seal <= scope.seal
        ) as observed_since
    from report_scope scope
    cross join lateral (
        select min(each.day) as first_day
        from (
            select min(revenue_daily.day) from revenue_daily
            union all
            select min(subscribers_daily.day) from subscribers_daily
            union all
            select min(mrr_daily.day) from mrr_daily
            union all
            select min(trials_daily.day) from trials_daily
            union all
            select min(exclusions_daily.day) from exclusions_daily
        ) each (day)
        where isfinite(each.day)
    ) known
    where isfinite(scope.through_date)
),

described as materialized (
    select
        day::date as date, extract(year from day)::bigint as year, to_char(day, 'YYYY-"Q"Q') as quarter,
        to_char(day, 'YYYY-MM') as month, date_trunc('month', day)::date as month_start, to_char(day, 'IYYY-"W"IW') as week,
        date_trunc('week', day)::date as week_start, extract(isodow from day)::bigint as weekday,
        trim(to_char(day, 'Day')) as weekday_name, extract(day from day)::bigint as day_of_month,
        extract(day from day + interval '1 day') = 1 as is_month_end, day::date <= span.through_date as is_reported,
        day::date >= span.observed_since as is_observed
    from span
    cross join lateral generate_series(
        span.first_day::timestamp, (span.through_date + 90)::timestamp, interval '1 day'
    ) day
)

select described.* from described;
