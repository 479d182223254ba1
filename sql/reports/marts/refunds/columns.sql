-- What the refunds report and its columns mean: printed in every report.
comment on view refunds is 'Refunds by the day the money was given back; what the store took back of them by the day it was told
Key: date, app_id, store, product_id, currency, kind';
comment on column refunds.date is 'Day of the refund by the store''s word; of a reversal, the day it was told';
comment on column refunds.app_id is 'The owner''s own name of the app';
comment on column refunds.store is 'app_store or google_play';
comment on column refunds.product_id is 'Product that was refunded';
comment on column refunds.currency is 'ISO 4217 code of refunded';
comment on column refunds.kind is 'full: the whole price at once; partial: a part of it; reversal: refunds that were taken back';
comment on column refunds.refunds is 'Refunds given; in reversals those that were wholly taken back, negative';
comment on column refunds.refunded is 'Money given back, positive; in reversals negative';
comment on column refunds.refunded_reporting is 'refunded in the reporting currency, at the rate of the purchase; what has no rate is left out';
comment on column refunds.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column refunds.unconverted is 'Refunds left out of the reporting currency: no source quotes theirs';
