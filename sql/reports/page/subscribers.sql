-- The subscriber figures of a day and of the day before it: those of subscribers.csv and churn.csv, all products together.
-- Grain: two rows, the last day in scope first.
-- active, trials and at_risk stand at the end of the day; new_paid and churned happened on it.
with standing as (
    select
        date, sum(active)::bigint as active, sum(trial)::bigint as trials, sum(grace + billing_retry)::bigint as at_risk
    from subscribers
    group by date
),

ended as (
    select date, sum(churned)::bigint as churned
    from churn
    group by date
),

begun as (
    select start_day as date, count(*) as new_paid
    from paid_periods
    join report_scope scope on start_day between scope.through_date - 1 and scope.through_date
    where segment_no = 1 and entry <> 'change'
    group by start_day
)

select
    day::date::text as day, coalesce(standing.active, 0) as active, coalesce(standing.trials, 0) as trials,
    coalesce(begun.new_paid, 0) as new_paid, coalesce(ended.churned, 0) as churned,
    coalesce(standing.at_risk, 0) as at_risk
from report_scope scope
cross join generate_series(scope.through_date, scope.through_date - 1, interval '-1 day') day
left join standing on standing.date = day::date
left join ended on ended.date = day::date
left join begun on begun.date = day::date
order by day desc
