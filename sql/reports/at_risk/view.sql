-- At risk: who may be lost next, at the end of the last day.
-- Grain: one row per app, store, product, state and currency. from_date is not used: the report is of one day.
-- grace and set_to_cancel are parts of active, and a lineage may stand under both; billing_retry is not active.
drop view if exists report.at_risk;
drop function if exists report.at_risk_as_of(bigint, date, date, text);
create function report.at_risk_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    app_id text, store text, product_id text, state text, subscriptions bigint, mrr numeric, currency text
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.subscribers_sums_at(at_risk_as_of.seal, at_risk_as_of.time_zone)
    ),

    common as materialized (
        select report.least_common_multiple(lengths.denominator) as scale
        from (select distinct denominator from sums) lengths
    )

    select
        sums.app_id, sums.store, sums.product_id, sums.standing, sum(sums.lineages)::bigint,
        case when sums.currency <> ''
            then report.half_even(sum(sums.units * div(common.scale, sums.denominator)), max(common.scale))
        end,
        nullif(sums.currency, '')
    from sums
    cross join common
    where sums.standing in ('grace', 'billing_retry', 'set_to_cancel') and sums.day <= at_risk_as_of.through_date
    group by sums.app_id, sums.store, sums.product_id, sums.standing, sums.currency
    having sum(sums.lineages) > 0
$$;

create view report.at_risk as
select report.*
from subledger.newest_seal() newest
cross join lateral report.at_risk_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.at_risk_as_of is 'At risk: lineages in grace, in billing retry and set to cancel at the end of the last day';
comment on view report.at_risk is 'At risk, as of the newest seal, in UTC';
comment on column report.at_risk.app_id is 'The owner''s own name of the app';
comment on column report.at_risk.store is 'app_store or google_play';
comment on column report.at_risk.product_id is 'Product of the current period; of the last one in billing retry';
comment on column report.at_risk.state is 'grace (active), billing_retry (not active, hold included) or set_to_cancel (active, auto-renewal off)';
comment on column report.at_risk.subscriptions is 'Lineages in that state';
comment on column report.at_risk.mrr is 'Their MRR: price × factor of the current paid period, of the last one in billing retry; empty where unknown';
comment on column report.at_risk.currency is 'ISO 4217 code of mrr; empty where the price is unknown or nothing was ever paid';
