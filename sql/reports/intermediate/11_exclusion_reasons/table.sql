-- Why a transaction is left out of the figures, or may be left out of the reporting currency.
-- Grain: one row per transaction and reason. day: of the purchase in the report time zone. The reason revenue is none: by its
-- currency and by rate_day, the day of its purchase in UTC, the report finds whether there is a rate. In every other reason
-- the currency is empty.
create table exclusion_reasons (
    lineage_key bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    reason text not null,
    day date not null,
    app_id text not null,
    currency text not null,
    rate_day date not null,
    primary key (lineage_key, subscription_key, transaction_id, product_id, reason)
);
