-- What the renewals report and its columns mean: printed in every report.
comment on view renewals is 'Renewals of the next 90 days: which paid periods end when, as things stand at the end of the last day
Key: date, app_id, store, product_id, country, currency, amount_source';
comment on column renewals.date is 'Day on which the paid period ends; of one in grace, the day the grace ends';
comment on column renewals.app_id is 'The owner''s own name of the app';
comment on column renewals.store is 'app_store or google_play';
comment on column renewals.product_id is 'Product of the current paid period';
comment on column renewals.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column renewals.currency is 'ISO 4217 code of amount, that of the renewal; empty where the price is unknown';
comment on column renewals.due is 'Active lineages whose paid period ends that day';
comment on column renewals.set_to_cancel is 'Of them, those whose auto-renewal is off; while payments are committed to it is on, whatever follows the last of them';
comment on column renewals.at_risk is 'Of them, those in grace: their renewal has failed so far';
comment on column renewals.amount is 'What those not set to cancel would be charged: the price that the store gives for the renewal, else the price they pay now';
comment on column renewals.amount_reporting is 'amount in the reporting currency, at the rate of the current period''s purchase; what has no rate is left out';
comment on column renewals.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column renewals.unconverted is 'Renewals within amount that are left out of the reporting currency: no source quotes theirs';
comment on column renewals.amount_source is 'Where amount comes from: store (the price that the store gives for the renewal; at Google Play of a period on an offer or after a change of plan, without discounts, and without the tax where prices are shown so), paid (the price paid now, where the store gives none)';
