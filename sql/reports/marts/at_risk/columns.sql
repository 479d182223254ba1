-- What the at risk report and its columns mean: printed in every report.
comment on view at_risk is 'At risk: lineages in grace or awaiting payment (billing retry, hold) at the end of the last day; beside them those set to cancel
Key: app_id, store, product_id, state, currency, days_at_risk';
comment on column at_risk.app_id is 'The owner''s own name of the app';
comment on column at_risk.store is 'app_store or google_play';
comment on column at_risk.product_id is 'Product of the current period; of the last one in billing retry';
comment on column at_risk.state is 'grace (active) and billing_retry (not active, hold included), which are at risk; set_to_cancel (active, auto-renewal off), which is not yet';
comment on column at_risk.subscriptions is 'Lineages in that state';
comment on column at_risk.mrr is 'Their MRR: price × factor of the current paid period, of the last one in billing retry; empty where unknown';
comment on column at_risk.currency is 'ISO 4217 code of mrr; empty where the price is unknown or nothing was ever paid';
comment on column at_risk.never_paid is 'Of the subscriptions, those that never paid: a trial whose first payment fails';
comment on column at_risk.days_at_risk is 'Days since that state began: 0-7, 8-30 or 31+';
comment on column at_risk.mrr_reporting is 'mrr in the reporting currency, each paid period at the rate of its purchase; what has no rate is left out';
comment on column at_risk.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column at_risk.unconverted is 'Of the subscriptions, those whose mrr is left out of the reporting currency: no source quotes its rate';
