-- days of: periods
-- Proves that the days of the subscribers report join up: who was active at the close of a day, and those who began to
-- pay or came to the product, less those who stopped or left it, are active at the close of the next; and that the churn
-- report opens each day with them.
-- Grain: one row per day, app and product that differs; at most 20, row_count says how many. $1 days; NULL: all
with last_day as (
    select through_date as business_date from report_scope
),

sides as (
    select date as day, app_id, store, product_id, active, 0 as before, 0 as change, 0 as opening from subscribers
    union all
    select date + 1, app_id, store, product_id, 0, active, 0, 0 from subscribers
    union all
    select day, app_id, store, product_id, 0, 0, periods, 0 from pg_temp.period_steps
    union all
    select date - 1, app_id, store, product_id, 0, 0, 0, opening from churn
),

compared as (
    select
        concat_ws(' ', day::text, app_id, store, product_id) as subject, day, sum(before + change) as expected,
        sum(active) as found, sum(opening) as opening
    from sides
    where $1::date[] is null or day = any ($1::date[])
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
