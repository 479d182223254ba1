-- What the exclusions report and its columns mean: printed in every report.
comment on view exclusions is 'Transactions that the figures leave out, by reason
Key: date, app_id, reason';
comment on column exclusions.date is 'Day of the purchase';
comment on column exclusions.app_id is 'The owner''s own name of the app';
comment on column exclusions.reason is 'sandbox, bundled (included in a bundle, whose own row counts), family_shared, assigned, promotional (free time on a promotional or win-back offer, or of those who paid before), trial, zero_price, missing_price (the first that fits); invalid_period, prepaid, unknown_credit, unknown_currency, missing_rate (counted besides)';
comment on column exclusions.rows is 'Transactions left out for that reason';
