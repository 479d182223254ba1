-- rests on: subscribers_daily
-- Subscribers: how many lineages had which status at the end of each day.
-- Grain: one row per day, app, store and product with any number other than zero, from the first status on.
-- Running sums of who came and who left; statuses are defined in intermediate/04_status_intervals.
create view subscribers (
    date, app_id, store, product_id, active, trial, grace, billing_retry, paused, family_shared, set_to_cancel, unread,
    seats
) as
with first_day as (
    -- Without any step there is no first day, and a series from -infinity would never end.
    select case when count(*) > 0 then greatest(scope.from_date, min(stood.day)) end as day
    from report_scope scope
    join subscribers_daily stood on stood.day <= scope.through_date
    group by scope.from_date
),

-- What came before the first day is counted on it.
moved as (
    select
        greatest(stood.day, first_day.day) as day, stood.app_id, stood.store, stood.product_id,
        coalesce(sum(stood.lineages) filter (where stood.status = 'active'), 0) as active,
        coalesce(sum(stood.lineages) filter (where stood.status = 'trial'), 0) as trial,
        coalesce(sum(stood.lineages) filter (where stood.status = 'grace'), 0) as grace,
        coalesce(sum(stood.lineages) filter (where stood.status = 'billing_retry'), 0) as billing_retry,
        coalesce(sum(stood.lineages) filter (where stood.status = 'paused'), 0) as paused,
        coalesce(sum(stood.lineages) filter (where stood.status = 'family_shared'), 0) as family_shared,
        coalesce(sum(stood.lineages) filter (where stood.status = 'set_to_cancel'), 0) as set_to_cancel,
        coalesce(sum(stood.lineages) filter (where stood.status = 'unread'), 0) as unread,
        coalesce(sum(stood.seats), 0) as seats
    from first_day
    cross join report_scope scope
    join subscribers_daily stood on stood.day <= scope.through_date
    group by 1, 2, 3, 4
),

-- The levels from a day on, until the next one that anybody comes or leaves on.
levels as (
    select
        day, app_id, store, product_id,
        (sum(active) over line)::bigint as active,
        (sum(trial) over line)::bigint as trial,
        (sum(grace) over line)::bigint as grace,
        (sum(billing_retry) over line)::bigint as billing_retry,
        (sum(paused) over line)::bigint as paused,
        (sum(family_shared) over line)::bigint as family_shared,
        (sum(set_to_cancel) over line)::bigint as set_to_cancel,
        (sum(unread) over line)::bigint as unread,
        (sum(seats) over line)::bigint as seats,
        coalesce(lead(day) over line, scope.through_date + 1) as next_day
    from moved
    join report_scope scope on isfinite(scope.through_date)
    window line as (partition by app_id, store, product_id order by day)
)

select
    day + number, app_id, store, product_id, active, trial, grace, billing_retry, paused, family_shared, set_to_cancel,
    unread, seats
from levels
cross join lateral generate_series(0, next_day - day - 1) number
where active <> 0 or trial <> 0 or billing_retry <> 0 or paused <> 0 or family_shared <> 0;
