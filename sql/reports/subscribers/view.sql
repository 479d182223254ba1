-- Subscribers: how many lineages stood where at the end of each day.
-- Grain: one row per day, app, store and product with any number other than zero, from the first standing on.
-- Running sums of who came and who left; the definitions are those of report.standings_as_of.
drop view if exists report.subscribers;
drop function if exists report.subscribers_as_of(bigint, date, date, text);
create function report.subscribers_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, active bigint, trial bigint, grace bigint, billing_retry bigint,
    paused bigint, family_shared bigint, set_to_cancel bigint, unread bigint
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.subscribers_sums_at(subscribers_as_of.seal, subscribers_as_of.time_zone)
    ),

    steps as materialized (
        select app_id, store, product_id, standing, day, sum(lineages) as change
        from sums
        where day <= subscribers_as_of.through_date
        group by app_id, store, product_id, standing, day
    ),

    days as (
        select day::date as day
        from (
            -- Without any step there is no first day, and a series from -infinity would never end.
            select case when count(*) > 0 then greatest(subscribers_as_of.from_date, min(steps.day)) end as first_day
            from steps
        ) bounds
        cross join lateral generate_series(
            bounds.first_day::timestamp, subscribers_as_of.through_date::timestamp, interval '1 day'
        ) day
        where isfinite(subscribers_as_of.through_date)
    ),

    moved as (
        select
            greatest(steps.day, (select min(days.day) from days)) as day, app_id, store, product_id,
            sum(change) filter (where standing = 'active') as active,
            sum(change) filter (where standing = 'trial') as trial,
            sum(change) filter (where standing = 'grace') as grace,
            sum(change) filter (where standing = 'billing_retry') as billing_retry,
            sum(change) filter (where standing = 'paused') as paused,
            sum(change) filter (where standing = 'family_shared') as family_shared,
            sum(change) filter (where standing = 'set_to_cancel') as set_to_cancel,
            sum(change) filter (where standing = 'unread') as unread
        from steps
        group by 1, app_id, store, product_id
    ),

    lines as (
        select distinct app_id, store, product_id from steps
    ),

    standing as (
        select
            days.day, lines.app_id, lines.store, lines.product_id,
            sum(coalesce(moved.active, 0)) over line as active,
            sum(coalesce(moved.trial, 0)) over line as trial,
            sum(coalesce(moved.grace, 0)) over line as grace,
            sum(coalesce(moved.billing_retry, 0)) over line as billing_retry,
            sum(coalesce(moved.paused, 0)) over line as paused,
            sum(coalesce(moved.family_shared, 0)) over line as family_shared,
            sum(coalesce(moved.set_to_cancel, 0)) over line as set_to_cancel,
            sum(coalesce(moved.unread, 0)) over line as unread
        from days
        cross join lines
        left join moved
            on moved.day = days.day
            and moved.app_id = lines.app_id
            and moved.store = lines.store
            and moved.product_id = lines.product_id
        window line as (partition by lines.app_id, lines.store, lines.product_id order by days.day)
    )

    select
        day, app_id, store, product_id, active::bigint, trial::bigint, grace::bigint, billing_retry::bigint,
        paused::bigint, family_shared::bigint, set_to_cancel::bigint, unread::bigint
    from standing
    where active <> 0 or trial <> 0 or billing_retry <> 0 or paused <> 0 or family_shared <> 0
$$;

create view report.subscribers as
select report.*
from subledger.newest_seal() newest
cross join lateral report.subscribers_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.subscribers_as_of is 'Subscribers by day: lineages that pay, and those in a trial, at risk, awaited, paused or shared, at the end of the day';
comment on view report.subscribers is 'Subscribers by day, as of the newest seal, in UTC';
comment on column report.subscribers.date is 'The day at whose end they are counted';
comment on column report.subscribers.app_id is 'The owner''s own name of the app';
comment on column report.subscribers.store is 'app_store or google_play';
comment on column report.subscribers.product_id is 'Product of the current period; of the last one for those who wait';
comment on column report.subscribers.active is 'Lineages with a paid period at the end of the day: auto-renew off and grace count';
comment on column report.subscribers.trial is 'Lineages in a free period, promotional and win-back offers apart; not active';
comment on column report.subscribers.grace is 'Active lineages whose payment failed and whose store grants a grace; part of active, at risk';
comment on column report.subscribers.billing_retry is 'Lineages whose payment is awaited without access (billing retry, hold); not active';
comment on column report.subscribers.paused is 'Lineages the customer paused; not active';
comment on column report.subscribers.family_shared is 'Lineages that a family member shares; not active';
comment on column report.subscribers.set_to_cancel is 'Active lineages whose auto-renewal is off, as far as was known that day; part of active';
comment on column report.subscribers.unread is 'Active lineages past their paid time that the store has not declared ended; part of active';
