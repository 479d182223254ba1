-- What the refund matrix report and its columns mean: printed in every report.
comment on view refund_matrix is 'Refunds by the month of the sale and the month of the refund: when what was sold comes back
Key: sold_month, refunded_month, app_id, store, product_id, currency';
comment on column refund_matrix.sold_month is 'Calendar month of the charge, yyyy-mm';
comment on column refund_matrix.refunded_month is 'Calendar month of the refund, yyyy-mm; the last one to the last day reported';
comment on column refund_matrix.app_id is 'The owner''s own name of the app';
comment on column refund_matrix.store is 'app_store or google_play';
comment on column refund_matrix.product_id is 'Product that was refunded';
comment on column refund_matrix.currency is 'ISO 4217 code of refunded';
comment on column refund_matrix.refunds is 'Refunds given, less those wholly taken back';
comment on column refund_matrix.refunded is 'Money refunded, less what was taken back';
comment on column refund_matrix.refunded_reporting is 'refunded in the reporting currency, at the rates of the purchases; what has no rate is left out';
comment on column refund_matrix.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column refund_matrix.unconverted is 'Refunds and reversals left out of the reporting currency: no source quotes theirs';
comment on column refund_matrix.sold_month_start is 'First day of sold_month: the same as a date';
comment on column refund_matrix.refunded_month_start is 'First day of refunded_month: the same as a date';
