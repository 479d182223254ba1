-- Realised lifetime value: what the lineages that first paid in a month brought within n days of that payment.
-- Grain: one row per calendar month of the first payment, app, store, currency of the first payment and n (30, 90, 180,
-- 365 days). Blank until the youngest lineage of the cohort is n days old. Actual money only; nothing is predicted.
drop view if exists report.ltv;
drop function if exists report.ltv_as_of(bigint, date, date, text);
create function report.ltv_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    cohort_month text, app_id text, store text, currency text, days bigint, cohort_size bigint, net numeric, ltv numeric
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.ltv_sums_at(ltv_as_of.seal, ltv_as_of.time_zone)
    ),

    sizes as (
        select
            date_trunc('month', sums.cohort_day::timestamp)::date as month, app_id, store, currency,
            sum(lineages)::bigint as lineages
        from sums
        where sums.days = 0
            and sums.cohort_day <= ltv_as_of.through_date
            and sums.cohort_day >= date_trunc('month', ltv_as_of.from_date::timestamp)
        group by 1, app_id, store, currency
    )

    select
        to_char(size.month, 'YYYY-MM'), size.app_id, size.store, size.currency, span.days::bigint, size.lineages,
        case when matured.is_so then report.half_even(coalesce(sums.micros, 0), 1) end,
        case when matured.is_so then report.half_even(coalesce(sums.micros, 0), size.lineages) end
    from sizes size
    cross join (values (30), (90), (180), (365)) span (days)
    cross join lateral (
        select
            size.month + interval '1 month' + make_interval(days => span.days)
                <= ltv_as_of.through_date::timestamp + interval '1 day' as is_so
    ) matured
    left join sums
        on sums.cohort_day = size.month
        and sums.app_id = size.app_id
        and sums.store = size.store
        and sums.currency = size.currency
        and sums.days = span.days
$$;

create view report.ltv as
select report.*
from subledger.newest_seal() newest
cross join lateral report.ltv_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.ltv_as_of is 'Realised lifetime value: net revenue within n days of the first payment ÷ the cohort; matured cohorts only';
comment on view report.ltv is 'Realised lifetime value by cohort, as of the newest seal, in UTC';
comment on column report.ltv.cohort_month is 'Calendar month of the lineages'' first payments, yyyy-mm';
comment on column report.ltv.app_id is 'The owner''s own name of the app';
comment on column report.ltv.store is 'app_store or google_play';
comment on column report.ltv.currency is 'ISO 4217 code of the first payment; later money in another currency is left out';
comment on column report.ltv.days is 'n: days since the first payment';
comment on column report.ltv.cohort_size is 'Lineages that first paid in the month in this currency; those of an unknown first price have none';
comment on column report.ltv.net is 'Charges less refunds within n days; empty until the youngest lineage is n days old';
comment on column report.ltv.ltv is 'net ÷ cohort_size; empty until the youngest lineage is n days old';
