-- The subscriber figures of a day and of the day before it: those of subscribers.csv and churn.csv, all products together.
-- Grain: two rows, the day first. $1 seal, $2 day, $3 time zone
-- active, trials and at_risk stand at the end of the day; new_paid and churned happened on it.
with standing as (
    select
        date, sum(active)::bigint as active, sum(trial)::bigint as trials, sum(grace + billing_retry)::bigint as at_risk
    from report.subscribers_as_of($1::bigint, $2::date - 1, $2::date, $3::text)
    group by date
),

ended as (
    select date, sum(churned)::bigint as churned
    from report.churn_as_of($1::bigint, $2::date - 1, $2::date, $3::text)
    group by date
),

begun as (
    select first_day as date, count(*) as new_paid
    from (
        select min(report.day_of(piece.starts_at, piece.store, $3::text)) as first_day
        from report.paid_segments_as_of($1::bigint) piece
        group by piece.lineage_key
    ) lineages
    group by first_day
)

select
    day::date::text as day, coalesce(standing.active, 0) as active, coalesce(standing.trials, 0) as trials,
    coalesce(begun.new_paid, 0) as new_paid, coalesce(ended.churned, 0) as churned,
    coalesce(standing.at_risk, 0) as at_risk
from generate_series($2::date, $2::date - 1, interval '-1 day') day
left join standing on standing.date = day::date
left join ended on ended.date = day::date
left join begun on begun.date = day::date
order by day desc
