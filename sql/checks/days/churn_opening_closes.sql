-- days of: periods
-- Proves that the churn report's days join up: a day's opening, and the lineages that began to pay, less those that
-- stopped, are the next day's opening; and that everybody who stopped is in one of the report's columns.
-- Openings come from the report, starts and ends from the segments themselves.
-- Grain: one row per day, app and store that differs; at most 20, row_count says how many. $1 days; NULL: all
with moved as (
    select
        day, app_id, store, sum(segment_starts) as starts, sum(segment_ends) as ends, sum(reported_ends) as reported_ends
    from pg_temp.period_steps
    group by day, app_id, store
),

reported as (
    select
        date as day, app_id, store, sum(opening) as opening, sum(churned + lapsed + came_and_went) as ends
    from churn
    group by date, app_id, store
),

days as (
    select day, app_id, store from reported
    union
    select day + 1, app_id, store from reported
    union
    select day, app_id, store from moved
    union
    select day + 1, app_id, store from moved
),

compared as (
    select
        days.day, days.app_id, days.store,
        coalesce(before.opening, 0) + coalesce(moved.starts, 0) - coalesce(moved.ends, 0) as expected,
        coalesce(after.opening, 0) as found,
        coalesce(moved.reported_ends, 0) as expected_ends,
        coalesce(before.ends, 0) as found_ends
    from days
    left join reported before on before.day = days.day and before.app_id = days.app_id and before.store = days.store
    left join moved on moved.day = days.day and moved.app_id = days.app_id and moved.store = days.store
    left join reported after
        on after.day = days.day + 1 and after.app_id = days.app_id and after.store = days.store
    where $1::date[] is null or days.day = any ($1::date[])
)

select
    concat_ws(' ', day::text, app_id, store) as subject,
    'next opening ' || expected || ', ends ' || expected_ends as expected,
    'next opening ' || found || ', ends ' || found_ends as found,
    count(*) over () as row_count
from compared
where day < (select scope.through_date from report_scope scope)
    and (expected <> found or expected_ends <> found_ends)
order by subject
limit 20
