-- What the refund rates report and its columns mean: printed in every report.
comment on view refund_rates is 'Refund rates by month: by the day of the refund, and by the month of the charge
Key: month, app_id, store, product_id, currency';
comment on column refund_rates.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column refund_rates.app_id is 'The owner''s own name of the app';
comment on column refund_rates.store is 'app_store or google_play';
comment on column refund_rates.product_id is 'Product that was sold';
comment on column refund_rates.currency is 'ISO 4217 code of the amounts';
comment on column refund_rates.charges is 'Charges of the month';
comment on column refund_rates.refunds is 'Refunds given in the month, of any charge, less those wholly taken back in it';
comment on column refund_rates.refund_rate is 'refunds ÷ charges; empty in a month without charges';
comment on column refund_rates.charged is 'Gross billings of the month';
comment on column refund_rates.refunded is 'Money given back in the month, of any charge';
comment on column refund_rates.refunded_share is 'refunded ÷ charged; empty in a month without charges';
comment on column refund_rates.charges_given_back is 'Of the month''s charges, those of which something has been given back by the last day reported; matures';
comment on column refund_rates.charge_refund_rate is 'charges_given_back ÷ charges';
comment on column refund_rates.given_back is 'Of the month''s charges, the money that has been given back by the last day reported; matures';
comment on column refund_rates.given_back_share is 'given_back ÷ charged';
comment on column refund_rates.charged_reporting is 'charged in the reporting currency, each charge at the rate of its day; what has no rate is left out';
comment on column refund_rates.refunded_reporting is 'refunded in the reporting currency, at the rates of the purchases';
comment on column refund_rates.given_back_reporting is 'given_back in the reporting currency, at the rates of the purchases';
comment on column refund_rates.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column refund_rates.unconverted is 'Movements of the month left out of the reporting currency: no source quotes theirs';
comment on column refund_rates.month_start is 'First day of the month: the same as a date';
