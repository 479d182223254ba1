-- Churn: how many paying lineages a day began with, and how many of them it lost, by reason.
-- Grain: one row per day, app, store and product with any number other than zero, from the first paid period on.
--
-- A lineage counts on the day of its effective end. The opening of a day is what was active up to its first instant,
-- the closing of the day before: what starts or ends at midnight is a movement of the new day, so that
-- opening + starts − ends is the next opening on every day, 23 and 25 hours long ones included.
-- Openings are running sums of the pieces' starts and ends, never a join of days and subscriptions.
drop view if exists report.churn;
drop function if exists report.churn_as_of(bigint, date, date, text);
create function report.churn_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, opening bigint, churned bigint, voluntary bigint,
    involuntary bigint, price bigint, product bigint, refund bigint, other bigint, churn_rate numeric, lapsed bigint,
    came_and_went bigint
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.churn_sums_at(churn_as_of.seal, churn_as_of.time_zone)
    ),

    days as (
        select day::date as day
        from (
            -- Without any event there is no first day, and a series from -infinity would never end.
            select case when count(*) > 0 then greatest(churn_as_of.from_date, min(sums.day)) end as first_day
            from sums
        ) bounds
        cross join lateral generate_series(
            bounds.first_day::timestamp, churn_as_of.through_date::timestamp, interval '1 day'
        ) day
        where isfinite(churn_as_of.through_date)
    ),

    moved as (
        select
            greatest(sums.day, (select min(days.day) from days)) as day, app_id, store, product_id,
            coalesce(sum(lineages) filter (where event = 'opened'), 0) as opened,
            coalesce(sum(lineages) filter (where event = 'voluntary' and is_within), 0) as voluntary,
            coalesce(sum(lineages) filter (where event = 'involuntary' and is_within), 0) as involuntary,
            coalesce(sum(lineages) filter (where event = 'price' and is_within), 0) as price,
            coalesce(sum(lineages) filter (where event = 'product' and is_within), 0) as product,
            coalesce(sum(lineages) filter (where event = 'refund' and is_within), 0) as refund,
            coalesce(sum(lineages) filter (where event = 'other' and is_within), 0) as other,
            coalesce(sum(lineages) filter (where event = 'lapsed' and is_within), 0) as lapsed,
            coalesce(sum(lineages) filter (where event like 'brief %' and is_within), 0) as came_and_went
        from (select *, day >= churn_as_of.from_date as is_within from sums) sums
        where sums.day <= churn_as_of.through_date
        group by 1, app_id, store, product_id
    ),

    lines as (
        select distinct app_id, store, product_id from sums
    ),

    standing as (
        select
            days.day, lines.app_id, lines.store, lines.product_id,
            sum(coalesce(moved.opened, 0)) over (
                partition by lines.app_id, lines.store, lines.product_id order by days.day
            )::bigint as opening,
            coalesce(moved.voluntary, 0) as voluntary, coalesce(moved.involuntary, 0) as involuntary,
            coalesce(moved.price, 0) as price, coalesce(moved.product, 0) as product,
            coalesce(moved.refund, 0) as refund, coalesce(moved.other, 0) as other,
            coalesce(moved.lapsed, 0) as lapsed, coalesce(moved.came_and_went, 0) as came_and_went
        from days
        cross join lines
        left join moved
            on moved.day = days.day
            and moved.app_id = lines.app_id
            and moved.store = lines.store
            and moved.product_id = lines.product_id
    ),

    totalled as (
        select *, voluntary + involuntary + price + product + refund + other as churned from standing
    )

    select
        day, app_id, store, product_id, opening, churned::bigint, voluntary::bigint, involuntary::bigint, price::bigint,
        product::bigint, refund::bigint, other::bigint, report.share(churned::bigint, opening), lapsed::bigint,
        came_and_went::bigint
    from totalled
    where opening + churned + lapsed + came_and_went > 0
$$;

create view report.churn as
select report.*
from subledger.newest_seal() newest
cross join lateral report.churn_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.churn_as_of is 'Churn by day: paying lineages at the opening of the day, and those of them that the store declared ended on it, by reason';
comment on view report.churn is 'Churn by day, as of the newest seal, in UTC';
comment on column report.churn.date is 'Day of the effective end: expiry, unpaid grace end, refund, or the successor''s start';
comment on column report.churn.app_id is 'The owner''s own name of the app';
comment on column report.churn.store is 'app_store or google_play';
comment on column report.churn.product_id is 'Product of the current paid period; for those lost, of the last one';
comment on column report.churn.opening is 'Lineages with a paid period up to the day''s first instant: auto-renew off and grace count; trials, billing retry, paused, family-shared and one-time do not';
comment on column report.churn.churned is 'Lineages of the opening that the store declared ended on this day: the six reasons together';
comment on column report.churn.voluntary is 'The customer turned auto-renewal off';
comment on column report.churn.involuntary is 'The payment failed and the store gave up; dated back to the effective end';
comment on column report.churn.price is 'The customer did not agree to a price increase';
comment on column report.churn.product is 'The product was not available for renewal';
comment on column report.churn.refund is 'The current period was refunded';
comment on column report.churn.other is 'Ended by the developer, revoked without money back, or for a reason the store did not tell';
comment on column report.churn.churn_rate is 'churned ÷ opening, 0 to 1; empty where the day opened with none';
comment on column report.churn.lapsed is 'Lineages of the opening whose payment failed on this day: no churn while the store still tries';
comment on column report.churn.came_and_went is 'Lineages that began to pay and ended on the same day; not in churned';
