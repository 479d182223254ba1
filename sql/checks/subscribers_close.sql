-- Proves that the days of the subscribers report join up: who was active at the close of a day, and those who began to
-- pay or came to the product, less those who stopped or left it, are active at the close of the next; and that the churn
-- report opens each day with them.
-- Grain: one row per day, app and product that differs; at most 20, row_count says how many. $1 seal, $2 time zone
with last_day as (
    select business_date from subledger.runs where seal = $1::bigint
),

moved as (
    select
        report.day_of(step.at, piece.store, $2::text) as day, piece.app_id, piece.store, piece.product_id,
        sum(step.change) as change
    from report.paid_segments_as_of($1::bigint) piece
    cross join lateral (values (piece.starts_at, 1), (piece.ends_at, -1)) step (at, change)
    group by 1, piece.app_id, piece.store, piece.product_id
),

reported as materialized (
    select subscribers.date as day, subscribers.app_id, subscribers.store, subscribers.product_id, subscribers.active
    from last_day
    cross join lateral report.subscribers_as_of($1::bigint, '-infinity', last_day.business_date, $2::text) subscribers
),

opened as (
    select churn.date - 1 as day, churn.app_id, churn.store, churn.product_id, churn.opening
    from last_day
    cross join lateral report.churn_as_of($1::bigint, '-infinity', last_day.business_date, $2::text) churn
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
