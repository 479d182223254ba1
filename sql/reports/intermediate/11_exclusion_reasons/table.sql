-- key: lineage_key, subscription_key, transaction_id, product_id, reason
-- rests on: known_transactions, purchase_rates, marts.day_of, marts.is_known_currency, marts.is_paid, marts.is_trial,
-- rests on: marts.zone_of, subledger.bookable_micros, subledger.is_credit_unknown, subledger.is_paid_at_no_charge,
-- rests on: subledger.time_zone_of_store
-- Why a transaction is left out of the figures, or of some of them.
-- Grain: one row per transaction and reason. day: of the purchase in the report time zone.
create table exclusion_reasons (
    lineage_key bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    reason text not null,
    day date not null,
    app_id text not null,
    primary key (lineage_key, subscription_key, transaction_id, product_id, reason)
);
