-- What the revenue report and its columns mean: printed in every report.
comment on view revenue is 'Revenue by day: gross billings (not recognised revenue) at the purchase, refunds on the day they were given
Key: date, app_id, store, product_id, country, currency, product_type';
comment on column revenue.date is 'Day of the charge, or of the refund';
comment on column revenue.app_id is 'The owner''s own name of the app';
comment on column revenue.store is 'app_store or google_play';
comment on column revenue.product_id is 'Product sold';
comment on column revenue.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column revenue.currency is 'ISO 4217 code of every amount in the row';
comment on column revenue.charges is 'Charges: settled periods and sales with a known price above zero';
comment on column revenue.refunds is 'Refunds given, less those wholly taken back';
comment on column revenue.gross is 'Gross billings: customer prices, tax as charged, at the purchase instant, corrections included';
comment on column revenue.refunded is 'Money given back, positive, at the refund instant; reversals reduce it';
comment on column revenue.net is 'gross − refunded';
comment on column revenue.tax is 'Tax within net: the store''s, else estimated by the tax table; empty where unknown';
comment on column revenue.proceeds is 'The developer''s part of net: the store''s, else estimated by tax table and commission rules; empty where unknown';
comment on column revenue.estimated_share is 'Part of what moved whose proceeds are estimated, 0 to 1';
comment on column revenue.gross_reporting is 'gross in the reporting currency, at the last rate published before the day of purchase; what has no rate is left out';
comment on column revenue.refunded_reporting is 'refunded in the reporting currency, at the rate of the purchase';
comment on column revenue.net_reporting is 'net in the reporting currency, rounded by itself';
comment on column revenue.proceeds_reporting is 'proceeds in the reporting currency';
comment on column revenue.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column revenue.unconverted is 'Movements left out of the reporting currency: no source quotes theirs';
comment on column revenue.product_type is 'auto_renewable, prepaid or one_time';
comment on column revenue.reporting_rates is 'Source and day of the rates used; flagged: one moved more than 20 % in a day; empty where none was needed';
comment on column revenue.listed_share is 'Part of what moved whose price is the owner''s list''s, not the store''s, 0 to 1';
comment on column revenue.missing_share is 'Part of what moved whose proceeds nobody knows: no rule holds for it, 0 to 1';
comment on column revenue.unsettled_share is 'Part of what moved whose proceeds are estimated by a published commission rate that is not settled, 0 to 1';
