-- What the view mrr_change_log and its columns mean.
comment on view mrr_change_log is 'Every change of a lineage''s MRR: before, after and which movement of the MRR bridge it is; not rounded, so that sums are the bridge''s
Key: lineage_key, changed_at';
comment on column mrr_change_log.lineage_key is 'subscription_key of the oldest purchase of the customer''s subscription';
comment on column mrr_change_log.changed_at is 'Instant of the change: a paid period began, or ended without another';
comment on column mrr_change_log.date is 'Its day in the report time zone';
comment on column mrr_change_log.app_id is 'The owner''s own name of the app';
comment on column mrr_change_log.store is 'app_store or google_play';
comment on column mrr_change_log.movement is 'new, imported, expansion, contraction, reactivation, recovery, churn_voluntary, churn_involuntary, churn_price, churn_product, churn_refund, churn_other, lapsed, paused, moved_in or moved_out as in mrr_bridge; moved: out and in at once (another currency, or a purchase in place of one that ended); crossgrade: another product of the same MRR; fx: the same MRR at the rate of another day';
comment on column mrr_change_log.product_before is 'Product of the paid period before; empty where nothing was paid';
comment on column mrr_change_log.product_after is 'Product of the paid period that began; empty where none did';
comment on column mrr_change_log.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column mrr_change_log.currency_before is 'ISO 4217 code of mrr_before; empty where it is 0 or unknown';
comment on column mrr_change_log.mrr_before is 'MRR up to this instant: 0 where nothing was paid, empty where the price is unknown';
comment on column mrr_change_log.currency_after is 'ISO 4217 code of mrr_after; empty where it is 0 or unknown';
comment on column mrr_change_log.mrr_after is 'MRR from this instant on: 0 where nothing is paid any more, empty where the price is unknown';
comment on column mrr_change_log.change is 'mrr_after − mrr_before; empty where one of them is unknown, or they are of two currencies';
comment on column mrr_change_log.of_which_price is 'The part of an expansion or contraction that is a price change: product, base plan, seats, currency and country are the same, and neither period is of an offer or a proration; else 0';
comment on column mrr_change_log.of_which_offers is 'The part of an expansion or contraction, all of that being the same, that is an offer that began or ended; else 0';
comment on column mrr_change_log.mrr_before_reporting is 'mrr_before in the reporting currency, at the rate of its purchase; empty where there is no rate';
comment on column mrr_change_log.mrr_after_reporting is 'mrr_after in the reporting currency, at the rate of its purchase; empty where there is no rate';
comment on column mrr_change_log.change_reporting is 'mrr_after_reporting − mrr_before_reporting';
comment on column mrr_change_log.fx_reporting is 'Of change_reporting, what the same MRR is worth more or less at the rate of the new period; 0 where the currencies differ';
comment on column mrr_change_log.of_which_price_reporting is 'of_which_price in the reporting currency, at the rate of the new period';
comment on column mrr_change_log.of_which_offers_reporting is 'of_which_offers in the reporting currency, at the rate of the new period';
comment on column mrr_change_log.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column mrr_change_log.subscription_key is 'subledger''s own number of the subscription whose period began or ended';
comment on column mrr_change_log.transaction_id is 'The store''s id of the period that began, or ended';
