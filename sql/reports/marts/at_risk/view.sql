-- rests on: paid_periods, status_intervals, marts.half_even, marts.nearest
-- At risk: who may be lost next, at the end of the last day.
-- Grain: one row per app, store, product, state, days at risk and currency. from_date is not used: the report is of one day.
-- grace and set_to_cancel are parts of active, and a lineage may have both; billing_retry is not active.
create view at_risk (
    app_id, store, product_id, state, subscriptions, mrr, currency, never_paid, days_at_risk, mrr_reporting,
    reporting_currency, unconverted
) as
with stood as (
    select
        lineage.*, scope.reporting_currency,
        case
            when scope.through_date - lineage.from_day < 8 then '0-7'
            when scope.through_date - lineage.from_day < 31 then '8-30'
            else '31+'
        end as days_at_risk,
        not exists (select from paid_periods paid where paid.lineage_key = lineage.lineage_key) as has_never_paid
    from status_intervals lineage
    join report_scope scope on lineage.from_day <= scope.through_date and lineage.until_day > scope.through_date
    where lineage.status in ('grace', 'billing_retry', 'set_to_cancel')
)

select
    app_id, store, product_id, status, count(*),
    case when mrr_nanos is not null then marts.half_even(sum(mrr_nanos), 1000) end,
    case when mrr_nanos is not null then currency end,
    count(*) filter (where has_never_paid), days_at_risk,
    marts.half_even(sum(mrr_reporting_nanos), 1000),
    reporting_currency,
    count(*) filter (where mrr_nanos is not null and mrr_reporting_nanos is null)
from stood
group by app_id, store, product_id, status, days_at_risk, mrr_nanos is not null, currency, reporting_currency;
