-- Subscribers: how many lineages stood where at the end of each day.
-- Grain: one row per day, app, store and product with any number other than zero, from the first standing on.
-- Running sums of who came and who left; the definitions are those of report.standings_as_of.
create view subscribers (
    date, app_id, store, product_id, active, trial, grace, billing_retry, paused, family_shared, set_to_cancel, unread
) as
with first_day as (
    -- Without any step there is no first day, and a series from -infinity would never end.
    select case when count(*) > 0 then greatest(scope.from_date, min(stood.day)) end as day
    from report_scope scope
    join subscribers_daily stood on stood.day <= scope.through_date
    group by scope.from_date
),

-- What came before the first day stands in it.
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
        coalesce(sum(stood.lineages) filter (where stood.status = 'unread'), 0) as unread
    from first_day
    cross join report_scope scope
    join subscribers_daily stood on stood.day <= scope.through_date
    group by 1, 2, 3, 4
),

spine as (
    select days.day::date as day, line.app_id, line.store, line.product_id
    from (select app_id, store, product_id, min(day) as first_day from moved group by app_id, store, product_id) line
    cross join report_scope scope
    cross join lateral generate_series(
        line.first_day::timestamp, scope.through_date::timestamp, interval '1 day'
    ) days (day)
    where isfinite(scope.through_date)
),

standing as (
    select
        day, app_id, store, product_id,
        sum(coalesce(moved.active, 0)) over line as active,
        sum(coalesce(moved.trial, 0)) over line as trial,
        sum(coalesce(moved.grace, 0)) over line as grace,
        sum(coalesce(moved.billing_retry, 0)) over line as billing_retry,
        sum(coalesce(moved.paused, 0)) over line as paused,
        sum(coalesce(moved.family_shared, 0)) over line as family_shared,
        sum(coalesce(moved.set_to_cancel, 0)) over line as set_to_cancel,
        sum(coalesce(moved.unread, 0)) over line as unread
    from spine
    left join moved using (day, app_id, store, product_id)
    window line as (partition by app_id, store, product_id order by day)
)

select
    day, app_id, store, product_id, active::bigint, trial::bigint, grace::bigint, billing_retry::bigint, paused::bigint,
    family_shared::bigint, set_to_cancel::bigint, unread::bigint
from standing
where active <> 0 or trial <> 0 or billing_retry <> 0 or paused <> 0 or family_shared <> 0;
