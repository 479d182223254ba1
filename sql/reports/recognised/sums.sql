-- What is recognised and deferred by day, to the end of every service period that was charged.
-- Grain: one row per day, app, store, product and currency; micros. Days to come stand here as they will be if nothing
-- more is learned.
drop table if exists report.recognised_sums cascade;
create table report.recognised_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    recognised numeric not null,
    deferred numeric not null,
    primary key (day, app_id, store, product_id, currency)
);

-- The money of each transaction from one day it changes to the next.
-- Grain: one row per transaction, currency and day of an entry. micros stand from day on, micros_before before it; the
-- service period is [starts_at, ends_at), whole its length in seconds, last_day its last one in the zone.
drop function if exists report.recognised_steps_as_of(bigint, bigint[], text);
create function report.recognised_steps_as_of(seal bigint, subscriptions bigint[], time_zone text) returns table (
    subscription_key bigint, transaction_id text, app_id text, store text, product_id text, currency text, day date,
    starts_at timestamptz, ends_at timestamptz, whole numeric, last_day date, zone text, micros numeric,
    micros_before numeric, next_day date
)
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with served as (
        select
            image.subscription_key, image.transaction_id, image.product_id, image.app_id, image.store,
            image.period_start as starts_at,
            -- What covers no time, or ends before it starts, is earned once it has begun.
            case when image.period_end > image.period_start
                then extract(epoch from image.period_end) - extract(epoch from image.period_start)
                else 1
            end as whole,
            coalesce(
                least(image.period_end, case when image.is_upgraded then first_value(image.period_start) over later end),
                image.period_start
            ) as ends_at,
            image.is_upgraded
                and coalesce(first_value(image.period_start) over later < image.period_end, false) as is_cut
        from subledger.transactions_as_of(recognised_steps_as_of.seal, recognised_steps_as_of.subscriptions) image
        -- The products of one order are peers here: what took the place of one took that of all.
        window later as (
            partition by image.lineage_key
            order by image.period_start, image.purchased_at, image.transaction_id
            groups between 1 following and unbounded following
        )
    ),

    -- The money of a transaction changes on few days: what it comes to at the end of each of them.
    changes as (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.currency,
            report.day_of(entry.occurred_at, served.store, recognised_steps_as_of.time_zone) as day,
            sum(entry.amount_micros) as micros
        from subledger.ledger_as_of(recognised_steps_as_of.seal, recognised_steps_as_of.subscriptions) entry
        join served
            on served.subscription_key = entry.subscription_key
            and served.transaction_id = entry.transaction_id
            and served.product_id = entry.product_id
        group by 1, 2, 3, 4, 5
    )

    select
        change.subscription_key, change.transaction_id, served.app_id, served.store, served.product_id, change.currency,
        change.day, served.starts_at, served.ends_at, served.whole,
        report.day_of(
            served.ends_at - case when served.is_cut then interval '0' else interval '1 microsecond' end,
            served.store, recognised_steps_as_of.time_zone
        ),
        report.zone_of(served.store, recognised_steps_as_of.time_zone),
        sum(change.micros) over line,
        sum(change.micros) over line - change.micros,
        lead(change.day) over line
    from changes change
    join served
        on served.subscription_key = change.subscription_key
        and served.transaction_id = change.transaction_id
        and served.product_id = change.product_id
    window line as (
        partition by change.subscription_key, change.transaction_id, change.product_id, change.currency
        order by change.day
    )
$$;

-- What the sums gain from one seal to another: steps that are the same at both are reckoned at neither. Without a held
-- seal: what the steps of the seal make.
drop function if exists report.recognised_sums_moved(bigint, bigint, bigint[], text, date, date);
create function report.recognised_sums_moved(
    held_seal bigint, seal bigint, subscriptions bigint[], time_zone text, from_date date default '-infinity',
    through_date date default 'infinity'
) returns setof report.recognised_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with steps as materialized (
        select
            subscription_key, transaction_id, app_id, store, product_id, currency, day, starts_at, ends_at, whole,
            last_day, zone, micros, micros_before, next_day, sum(side) as sign
        from (
            select now.*, 1 as side
            from report.recognised_steps_as_of(
                recognised_sums_moved.seal, recognised_sums_moved.subscriptions, recognised_sums_moved.time_zone
            ) now
            union all
            select held.*, -1
            from report.recognised_steps_as_of(
                recognised_sums_moved.held_seal, recognised_sums_moved.subscriptions, recognised_sums_moved.time_zone
            ) held
            where recognised_sums_moved.held_seal is not null
        ) sides
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        having sum(side) <> 0
    ),

    days as (
        select
            step.sign, step.app_id, step.store, step.product_id, step.currency, step.micros, step.whole, today::date as today,
            case when today::date = step.day then step.micros_before else step.micros end as micros_before,
            report.served_seconds(today at time zone step.zone, step.starts_at, step.ends_at, step.whole) as seconds_before,
            report.served_seconds(
                (today + interval '1 day') at time zone step.zone, step.starts_at, step.ends_at, step.whole
            ) as seconds_after
        from steps step
        cross join lateral generate_series(
            greatest(step.day, recognised_sums_moved.from_date)::timestamp,
            -- An entry has its own day; after it the days of the period, up to the next entry's.
            least(
                greatest(step.day, least(step.next_day - 1, step.last_day)), recognised_sums_moved.through_date
            )::timestamp,
            interval '1 day'
        ) today
    ),

    shares as (
        select
            days.*,
            abs(micros_before) * seconds_before as share_before, sign(micros_before) as sign_before,
            abs(micros) * seconds_after as share_after, sign(micros) as sign_after
        from days
        -- Each figure is reckoned once.
        offset 0
    ),

    earned as (
        select
            shares.*,
            sign_before * report.nearest(share_before, whole) as recognised_before,
            sign_after * report.nearest(share_after, whole) as recognised_after
        from shares
        offset 0
    ),

    summed as (
        select
            today, app_id, store, product_id, currency,
            sum(sign * (recognised_after - recognised_before)) as recognised,
            sum(sign * (micros - recognised_after)) as deferred
        from earned
        group by today, app_id, store, product_id, currency
    )

    select today, app_id, store, product_id, currency, recognised, deferred
    from summed
    where recognised <> 0 or deferred <> 0
$$;

create or replace function report.recognised_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.recognised_sums
language sql stable
as $$
    select *
    from report.recognised_sums_moved(
        null, recognised_sums_as_of.seal, recognised_sums_as_of.subscriptions, recognised_sums_as_of.time_zone
    )
$$;

comment on table report.recognised_sums is 'Kept sums of what is recognised and deferred by day, days to come included';
comment on function report.recognised_steps_as_of is 'The money of each transaction from one day it changes to the next, with its service period';
comment on function report.recognised_sums_moved is 'What the sums gain from one seal to another';
comment on function report.recognised_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';
