-- rests on: churn_daily, marts.half_even, marts.nearest, marts.share
-- Churn: how many paying lineages a day began with, and how many of them it lost, by reason.
-- Grain: one row per day, app, store and product with any number other than zero, from the first paid period on.
--
-- A lineage counts on the day of its effective end; when that is and for which reason it ended is decided in
-- intermediate/02_paid_periods/2_endings.sql. The opening of a day is what was active up to its first instant,
-- the closing of the day before: what starts or ends at midnight is a movement of the new day, so that
-- opening + starts − ends is the next opening on every day, 23 and 25 hours long ones included.
-- Openings are running sums of the pieces' starts and ends, never a join of days and subscriptions.
create view churn (
    date, app_id, store, product_id, opening, churned, voluntary, involuntary, price, product, refund, other, churn_rate,
    lapsed, came_and_went
) as
with first_day as (
    -- Without any event there is no first day, and a series from -infinity would never end.
    select case when count(*) > 0 then greatest(scope.from_date, min(event.day)) end as day
    from report_scope scope
    cross join churn_daily event
    group by scope.from_date
),

-- What was opened before the first day is counted on it; what ended before it is not.
moved as (
    select
        greatest(event.day, first_day.day) as day, event.app_id, event.store, event.product_id,
        coalesce(sum(event.lineages) filter (where event.event = 'opened'), 0) as opened,
        coalesce(sum(event.lineages) filter (where event.event = 'voluntary' and event.day >= first_day.day), 0) as voluntary,
        coalesce(sum(event.lineages) filter (where event.event = 'involuntary' and event.day >= first_day.day), 0) as involuntary,
        coalesce(sum(event.lineages) filter (where event.event = 'price' and event.day >= first_day.day), 0) as price,
        coalesce(sum(event.lineages) filter (where event.event = 'product' and event.day >= first_day.day), 0) as product,
        coalesce(sum(event.lineages) filter (where event.event = 'refund' and event.day >= first_day.day), 0) as refund,
        coalesce(sum(event.lineages) filter (where event.event = 'other' and event.day >= first_day.day), 0) as other,
        coalesce(sum(event.lineages) filter (where event.event = 'lapsed' and event.day >= first_day.day), 0) as lapsed,
        coalesce(sum(event.lineages) filter (where event.event like 'brief %' and event.day >= first_day.day), 0)
            as came_and_went
    from first_day
    cross join report_scope scope
    join churn_daily event on event.day <= scope.through_date
    group by 1, 2, 3, 4
),

-- What a day opens with is valid until the next one that anything happens on.
levels as (
    select
        day, app_id, store, product_id, (sum(opened) over line)::bigint as opening, voluntary::bigint,
        involuntary::bigint, price::bigint, product::bigint, refund::bigint, other::bigint, lapsed::bigint,
        came_and_went::bigint,
        (voluntary + involuntary + price + product + refund + other)::bigint as churned,
        coalesce(lead(day) over line, scope.through_date + 1) as next_day
    from moved
    join report_scope scope on isfinite(scope.through_date)
    window line as (partition by app_id, store, product_id order by day)
)

select
    day, app_id, store, product_id, opening, churned, voluntary, involuntary, price, product, refund, other,
    marts.share(churned, opening), lapsed, came_and_went
from levels
where opening + churned + lapsed + came_and_went > 0
union all
select day + number, app_id, store, product_id, opening, 0, 0, 0, 0, 0, 0, 0, marts.share(0, opening), 0, 0
from levels
cross join lateral generate_series(1, next_day - day - 1) number
where opening > 0;
