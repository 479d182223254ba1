-- Refunds: the ledger's refund entries by the day the money was given back, and their reversals by the day they were told.
-- Grain: one row per day, app, store, product, currency and kind with any refund.
--
-- kind: full, where one entry gives the whole price back; partial; reversal, where the store took refunds back, with
-- negative figures. The sums over the kinds are the columns refunds and refunded of the revenue report. A revocation
-- without money back has no entry, and an App Store upgrade's credit is not told by the store: neither stands here.
drop view if exists report.refunds;
drop function if exists report.refunds_as_of(bigint, date, date, text);
create function report.refunds_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, currency text, kind text, refunds bigint, refunded numeric
)
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with sums as materialized (
        select * from report.refunds_sums_at(refunds_as_of.seal, refunds_as_of.time_zone)
    )

    select
        day, app_id, store, product_id, currency, kind, sum(refunds)::bigint, -sum(micros) * 0.000001
    from sums
    where day >= refunds_as_of.from_date and day <= refunds_as_of.through_date
    group by day, app_id, store, product_id, currency, kind
$$;

create view report.refunds as
select report.*
from subledger.newest_seal() newest
cross join lateral report.refunds_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.refunds_as_of is 'Refunds by the day the money was given back; what the store took back of them by the day it was told';
comment on view report.refunds is 'Refunds by day, as of the newest seal, in UTC';
comment on column report.refunds.date is 'Day of the refund by the store''s word; of a reversal, the day it was told';
comment on column report.refunds.app_id is 'The owner''s own name of the app';
comment on column report.refunds.store is 'app_store or google_play';
comment on column report.refunds.product_id is 'Product that was refunded';
comment on column report.refunds.currency is 'ISO 4217 code of refunded';
comment on column report.refunds.kind is 'full: the whole price at once; partial: a part of it; reversal: refunds that were taken back';
comment on column report.refunds.refunds is 'Refunds given; in reversals those that were wholly taken back, negative';
comment on column report.refunds.refunded is 'Money given back, positive; in reversals negative';
