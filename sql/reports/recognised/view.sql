-- Recognised and deferred revenue: each charge spread evenly over its service period.
-- Grain: one row per day, app, store, product and currency with anything recognised or deferred.
--
-- What is recognised of a transaction up to an instant is its money by then (charge, corrections, refunds) × the part of
-- its service period that has passed, rounded half to even to the micro; a day recognises what that sum gained since the
-- day before, so the days of a charge add up to it exactly. Deferred is the rest at the day's end. It follows that a
-- refund takes back what was recognised on its own day, and the rest from deferred; and that no entry moves an earlier day
-- than its own. A sale without a period is recognised at once; so is what was left of a period that an App Store upgrade
-- superseded, when its successor begins: its credit is not told.
drop view if exists report.recognised;
drop function if exists report.recognised_as_of(bigint, date, date, text);
create function report.recognised_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, currency text, recognised numeric, deferred numeric
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
                least(image.period_end, case when image.is_upgraded then lead(image.period_start) over line end),
                image.period_start
            ) as ends_at,
            image.is_upgraded
                and coalesce(lead(image.period_start) over line < image.period_end, false) as is_cut
        from subledger.transactions_as_of(recognised_as_of.seal) image
        window line as (
            partition by image.lineage_key
            order by image.period_start, image.purchased_at, image.transaction_id, image.product_id
        )
    ),

    -- The money of a transaction changes on few days: what it comes to at the end of each of them.
    changes as (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.currency,
            report.day_of(entry.occurred_at, served.store, recognised_as_of.time_zone) as day,
            sum(entry.amount_micros) as micros
        from subledger.ledger_as_of(recognised_as_of.seal) entry
        join served
            on served.subscription_key = entry.subscription_key
            and served.transaction_id = entry.transaction_id
            and served.product_id = entry.product_id
        group by 1, 2, 3, 4, 5
    ),

    steps as (
        select
            served.app_id, served.store, served.product_id, served.starts_at, served.whole, served.ends_at,
            change.currency, change.day,
            report.day_of(
                served.ends_at - case when served.is_cut then interval '0' else interval '1 microsecond' end,
                served.store, recognised_as_of.time_zone
            ) as last_day,
            report.zone_of(served.store, recognised_as_of.time_zone) as zone,
            sum(change.micros) over line as micros,
            sum(change.micros) over line - change.micros as micros_before,
            lead(change.day) over line as next_day
        from changes change
        join served
            on served.subscription_key = change.subscription_key
            and served.transaction_id = change.transaction_id
            and served.product_id = change.product_id
        window line as (
            partition by change.subscription_key, change.transaction_id, change.product_id, change.currency
            order by change.day
        )
    ),

    days as (
        select
            step.app_id, step.store, step.product_id, step.currency, step.micros, step.whole, today::date as today,
            case when today::date = step.day then step.micros_before else step.micros end as micros_before,
            report.served_seconds(today at time zone step.zone, step.starts_at, step.ends_at, step.whole) as seconds_before,
            report.served_seconds(
                (today + interval '1 day') at time zone step.zone, step.starts_at, step.ends_at, step.whole
            ) as seconds_after
        from steps step
        cross join lateral generate_series(
            greatest(step.day, recognised_as_of.from_date)::timestamp,
            -- An entry has its own day; after it the days of the period, up to the next entry's.
            least(
                greatest(step.day, least(step.next_day - 1, step.last_day)), recognised_as_of.through_date
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
            sum(recognised_after - recognised_before) as recognised,
            sum(micros - recognised_after) as deferred
        from earned
        group by today, app_id, store, product_id, currency
    )

    select today, app_id, store, product_id, currency, recognised * 0.000001, deferred * 0.000001
    from summed
    where recognised <> 0 or deferred <> 0
$$;

create view report.recognised as
select report.*
from subledger.newest_seal() newest
cross join lateral report.recognised_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.recognised_as_of is 'Revenue by day of service: each charge spread evenly, to the second, over its service period; refunds take back what was recognised on their day and the rest from deferred';
comment on view report.recognised is 'Recognised and deferred revenue by day, as of the newest seal, in UTC';
comment on column report.recognised.date is 'Day of service, or of the refund';
comment on column report.recognised.app_id is 'The owner''s own name of the app';
comment on column report.recognised.store is 'app_store or google_play';
comment on column report.recognised.product_id is 'Product sold';
comment on column report.recognised.currency is 'ISO 4217 code of both amounts';
comment on column report.recognised.recognised is 'Recognised on this day, less what refunds of the day took back; customer prices, tax as charged';
comment on column report.recognised.deferred is 'Billed by the end of the day and not recognised yet';
