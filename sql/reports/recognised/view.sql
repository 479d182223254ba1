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
    with sums as materialized (
        select *
        from report.recognised_sums
        where report.is_kept(recognised_as_of.seal, recognised_as_of.time_zone)
            and day >= recognised_as_of.from_date
            and day <= recognised_as_of.through_date
        union all
        select *
        from report.recognised_sums_moved(
            null, recognised_as_of.seal, null, recognised_as_of.time_zone, recognised_as_of.from_date,
            recognised_as_of.through_date
        )
        where not report.is_kept(recognised_as_of.seal, recognised_as_of.time_zone)
    )

    select day, app_id, store, product_id, currency, recognised * 0.000001, deferred * 0.000001
    from sums
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
