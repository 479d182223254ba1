-- What the view transactions and its columns mean: printed in the workbook, whose sheet Detail has its newest rows.
comment on view transactions is 'Transactions bought or paid back on the days reported, as they were known, sandbox and shared ones included
Key: subscription_key, transaction_id, product_id';
comment on column transactions.app_id is 'The owner''s own name of the app';
comment on column transactions.store is 'app_store or google_play';
comment on column transactions.product_id is 'Product bought';
comment on column transactions.subscription_key is 'subledger''s own number of the subscription';
comment on column transactions.transaction_id is 'The store''s id of the transaction, or of the order';
comment on column transactions.original_transaction_id is 'The store''s id of the whole subscription';
comment on column transactions.lineage_key is 'subscription_key of the oldest purchase that this one continues';
comment on column transactions.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column transactions.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column transactions.purchased_at is 'Instant of the purchase, in UTC';
comment on column transactions.period_start is 'First instant of the period, in UTC';
comment on column transactions.period_end is 'Its end, in UTC; empty for what has none';
comment on column transactions.currency is 'ISO 4217 code of the amounts';
comment on column transactions.price is 'Price the customer paid, tax as charged; empty where unknown';
comment on column transactions.tax is 'Tax within the price, where the store gave it';
comment on column transactions.proceeds is 'The developer''s part, where the store gave it';
comment on column transactions.price_source is 'store_order, store_price, price_list or missing';
comment on column transactions.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column transactions.refunded_at is 'Instant of the refund, in UTC; empty where none';
comment on column transactions.refund_kind is 'full, partial or revoke';
comment on column transactions.refund is 'Money given back; empty where none, or unknown';
comment on column transactions.refund_source is 'store_amount, or derived: worked out of a share of the price, or of seats';
comment on column transactions.billing_plan is 'Of the App Store''s yearly products: monthly (paid by the month) or upfront; empty where the catalogue has no length';
comment on column transactions.environment is 'production or sandbox; no figure has the sandbox';
comment on column transactions.ownership is 'purchased, family_shared or assigned; only purchased has money';
