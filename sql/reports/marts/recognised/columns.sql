-- What the recognised report and its columns mean: printed in every report.
comment on view recognised is 'Revenue by day of service: each charge spread evenly, to the second, over its service period, all of a day summed exactly and rounded once; refunds take back what was recognised on their day and the rest from deferred
Key: date, app_id, store, product_id, currency';
comment on column recognised.date is 'Day of service, or of the refund';
comment on column recognised.app_id is 'The owner''s own name of the app';
comment on column recognised.store is 'app_store or google_play';
comment on column recognised.product_id is 'Product sold';
comment on column recognised.currency is 'ISO 4217 code of both amounts';
comment on column recognised.recognised is 'Recognised on this day, less what refunds of the day took back; customer prices, tax as charged';
comment on column recognised.deferred is 'Billed by the end of the day and not recognised yet';
comment on column recognised.recognised_reporting is 'recognised in the reporting currency: each charge at the rate of its purchase, to the micro; what has no rate is left out';
comment on column recognised.deferred_reporting is 'deferred in the reporting currency';
comment on column recognised.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column recognised.unconverted is 'Charges of the day left out of the reporting currency: no source quotes theirs';
