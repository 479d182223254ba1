-- What the countries report and its columns mean: printed in every report.
comment on view countries is 'Countries by month: who is active, tries, comes and leaves there, and the money
Key: month, app_id, store, product_id, country, currency';
comment on column countries.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column countries.app_id is 'The owner''s own name of the app';
comment on column countries.store is 'app_store or google_play';
comment on column countries.product_id is 'Product of the paid period, of the trial or of the sale';
comment on column countries.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column countries.currency is 'ISO 4217 code of the amounts; empty for trials, and where the price is unknown';
comment on column countries.active is 'Active lineages at the end of the month';
comment on column countries.trials_started is 'Trials that started in the month';
comment on column countries.trials_converted is 'Of them, those that were paid by their end, grace included; grows while trials of the month run';
comment on column countries.new is 'Lineages that first paid in the month; a trial at its conversion';
comment on column countries.churned is 'Lineages declared ended in the month, for whatever reason';
comment on column countries.closing_mrr is 'MRR at the end of the month';
comment on column countries.gross is 'Gross billings of the month: customer prices, tax as charged';
comment on column countries.refunded is 'Money refunded in the month, less what was taken back';
comment on column countries.net is 'gross − refunded';
comment on column countries.closing_mrr_reporting is 'closing_mrr in the reporting currency, each paid period at the rate of its purchase; what has no rate is left out';
comment on column countries.gross_reporting is 'gross in the reporting currency, each charge at the rate of its day; what has no rate is left out';
comment on column countries.refunded_reporting is 'refunded in the reporting currency, at the rates of the purchases';
comment on column countries.net_reporting is 'net in the reporting currency';
comment on column countries.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column countries.unconverted is 'Paid periods within closing_mrr, and movements of the month, that are left out of the reporting currency: no source quotes theirs';
comment on column countries.month_start is 'First day of the month: the same as a date';
