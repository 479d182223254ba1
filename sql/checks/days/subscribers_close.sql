-- Proves that the days of the subscribers report join up: who was active at the close of a day, and those who began to
-- pay or came to the product, less those who stopped or left it, are active at the close of the next; and that the churn
-- report opens each day with them.
-- Grain: one row per day, app and product that differs; at most 20, row_count says how many.
with last_day as (
    select through_date as business_date from report_scope
),

moved as (
    select step.day, period.app_id, period.store, period.product_id, sum(step.change) as change
    from paid_periods period
    cross join lateral (values (period.start_day, 1), (period.end_day, -1)) step (day, change)
    group by step.day, period.app_id, period.store, period.product_id
),

reported as materialized (
    select date as day, app_id, store, product_id, active from subscribers
),

opened as (
    select date - 1 as day, app_id, store, product_id, opening from churn
),

sides as (
    select day, app_id, store, product_id, active, 0 as before, 0 as change, 0 as opening from reported
    union all
    select day + 1, app_id, store, product_id, 0, active, 0, 0 from reported
    union all
    select day, app_id, store, product_id, 0, 0, change, 0 from moved
    union all
    select day, app_id, store, product_id, 0, 0, 0, opening from opened
),

compared as (
    select
        concat_ws(' ', day::text, app_id, store, product_id) as subject, day, sum(before + change) as expected,
        sum(active) as found, sum(opening) as opening
    from sides
    group by day, app_id, store, product_id
)

select
    subject,
    expected || ' active' as expected,
    found || ' active, ' || opening || ' in the next opening' as found,
    count(*) over () as row_count
from compared
cross join last_day
where day <= last_day.business_date
    and (expected <> found or (day < last_day.business_date and opening <> found))
order by subject
limit 20
