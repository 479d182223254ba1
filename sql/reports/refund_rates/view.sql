-- Refund rates by month, both ways: by the day of the refund, and by the month of the charge.
-- Grain: one row per calendar month, app, store, product and currency with a charge or a refund.
--
-- By the day of the refund, what was given back in a month is held against what was charged in it: it is final, and says
-- what the month cost. By the month of the charge, the refunds of that month's charges are, whenever they came: it matures,
-- and the youngest months still grow. A refund that was wholly taken back counts no longer, from the reversal's day on.
drop view if exists report.refund_rates;
drop function if exists report.refund_rates_as_of(bigint, date, date, text);
create function report.refund_rates_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    month text, app_id text, store text, product_id text, currency text, charges bigint, refunds bigint,
    refund_rate numeric, charged numeric, refunded numeric, refunded_share numeric, charges_given_back bigint,
    charge_refund_rate numeric, given_back numeric, given_back_share numeric
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.refund_rates_sums_at(refund_rates_as_of.seal, refund_rates_as_of.time_zone)
    ),

    figures as (
        select
            date_trunc('month', sums.day::timestamp)::date as month, app_id, store, product_id, currency, charges,
            refunds, charged_micros, refunded_micros, 0 as given_back, 0 as given_back_micros
        from sums
        where sums.day <= refund_rates_as_of.through_date
        union all
        select charge_month, app_id, store, product_id, currency, 0, 0, 0, 0, given_back, refunded_micros
        from sums
        where sums.day <= refund_rates_as_of.through_date
    ),

    totalled as (
        select
            month, app_id, store, product_id, currency,
            sum(charges)::bigint as charges, sum(refunds)::bigint as refunds, sum(charged_micros) as charged_micros,
            sum(refunded_micros) as refunded_micros, sum(given_back)::bigint as given_back,
            sum(given_back_micros) as given_back_micros
        from figures
        where month >= date_trunc('month', refund_rates_as_of.from_date::timestamp)
        group by 1, 2, 3, 4, 5
    )

    select
        to_char(month, 'YYYY-MM'), app_id, store, product_id, currency, charges, refunds, report.ratio(refunds, charges),
        charged_micros * 0.000001, refunded_micros * 0.000001, report.ratio(refunded_micros, charged_micros),
        given_back, report.ratio(given_back, charges),
        given_back_micros * 0.000001, report.ratio(given_back_micros, charged_micros)
    from totalled
    where charges <> 0 or refunds <> 0 or refunded_micros <> 0
$$;

create view report.refund_rates as
select report.*
from subledger.newest_seal() newest
cross join lateral report.refund_rates_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.refund_rates_as_of is 'Refund rates by month: by the day of the refund, and by the month of the charge';
comment on view report.refund_rates is 'Refund rates by month, as of the newest seal, in UTC';
comment on column report.refund_rates.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column report.refund_rates.app_id is 'The owner''s own name of the app';
comment on column report.refund_rates.store is 'app_store or google_play';
comment on column report.refund_rates.product_id is 'Product that was sold';
comment on column report.refund_rates.currency is 'ISO 4217 code of the amounts';
comment on column report.refund_rates.charges is 'Charges of the month';
comment on column report.refund_rates.refunds is 'Refunds given in the month, of any charge, less those wholly taken back in it';
comment on column report.refund_rates.refund_rate is 'refunds ÷ charges; empty in a month without charges';
comment on column report.refund_rates.charged is 'Gross billings of the month';
comment on column report.refund_rates.refunded is 'Money given back in the month, of any charge';
comment on column report.refund_rates.refunded_share is 'refunded ÷ charged; empty in a month without charges';
comment on column report.refund_rates.charges_given_back is 'Of the month''s charges, those of which something has been given back by the last day reported; matures';
comment on column report.refund_rates.charge_refund_rate is 'charges_given_back ÷ charges';
comment on column report.refund_rates.given_back is 'Of the month''s charges, the money that has been given back by the last day reported; matures';
comment on column report.refund_rates.given_back_share is 'given_back ÷ charged';
