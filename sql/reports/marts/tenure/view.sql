-- rests on: tenure_daily, marts.half_even, marts.nearest, marts.share
-- Tenure: how renewal and churn go with the number of payments made, and with new and returning customers, by month.
-- Grain: one row per calendar month, app, store, product, customer and tenure with any number other than zero. The last month runs
-- to the last day reported. Summed over customer and tenure, each figure is that of the metrics report.
create view tenure (
    month, app_id, store, product_id, customer, tenure, opening, churned_of_opening, churn_rate, due, renewed, renewal_rate,
    plan_changes, month_start
) as
with moved as (
    select
        date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, customer, tenure,
        coalesce(sum(lineages) filter (where figure = 'active'), 0) as active,
        coalesce(sum(lineages) filter (where figure = 'churned'), 0)::bigint as churned,
        coalesce(sum(lineages) filter (where figure = 'due'), 0)::bigint as due,
        coalesce(sum(lineages) filter (where figure = 'renewed'), 0)::bigint as renewed,
        coalesce(sum(lineages) filter (where figure = 'plan_change'), 0)::bigint as plan_changes
    from tenure_daily
    join report_scope scope on day <= scope.through_date
    group by 1, 2, 3, 4, 5, 6
),

-- Who is active stays so until the next month that anything happens in.
levels as (
    select
        moved.*, (sum(active) over line - active)::bigint as opening, (sum(active) over line)::bigint as closing,
        coalesce(
            lead(month) over line, (date_trunc('month', scope.through_date::timestamp) + interval '1 month')::date
        ) as next_month
    from moved
    join report_scope scope on isfinite(scope.through_date)
    window line as (partition by app_id, store, product_id, customer, tenure order by month)
),

monthly as (
    select month, app_id, store, product_id, customer, tenure, opening, churned, due, renewed, plan_changes
    from levels
    where (opening, churned, due, plan_changes) <> (0, 0, 0, 0)
    union all
    select months.month::date, app_id, store, product_id, customer, tenure, closing, 0, 0, 0, 0
    from levels
    cross join lateral generate_series(
        levels.month + interval '1 month', levels.next_month - interval '1 month', interval '1 month'
    ) months (month)
    where closing > 0
)

select
    to_char(month, 'YYYY-MM'), app_id, store, product_id, customer, tenure, opening, churned, marts.share(churned, opening), due,
    renewed, marts.share(renewed, due), plan_changes, month
from monthly
join report_scope scope on monthly.month >= date_trunc('month', scope.from_date::timestamp);
