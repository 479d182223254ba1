-- At risk: who may be lost next, at the end of the last day.
-- Grain: one row per app, store, product, state and currency. from_date is not used: the report is of one day.
-- grace and set_to_cancel are parts of active, and a lineage may stand under both; billing_retry is not active.
create view at_risk (app_id, store, product_id, state, subscriptions, mrr, currency) as
select
    stood.app_id, stood.store, stood.product_id, stood.status, sum(stood.lineages)::bigint,
    case when stood.currency <> '' then report.half_even(sum(stood.nanos), 1000) end,
    nullif(stood.currency, '')
from subscribers_daily stood
join report_scope scope on stood.day <= scope.through_date
where stood.status in ('grace', 'billing_retry', 'set_to_cancel')
group by stood.app_id, stood.store, stood.product_id, stood.status, stood.currency
having sum(stood.lineages) > 0;
