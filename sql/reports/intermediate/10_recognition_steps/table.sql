-- key: lineage_key, subscription_key, transaction_id, product_id, currency, day
-- rests on: known_transactions, money_movements, marts.day_of, marts.microseconds, marts.zone_of,
-- rests on: subledger.time_zone_of_store
-- The money of each transaction from one day it changes to the next, with the service period it is earned over.
-- Grain: one row per transaction, currency and day of an entry. micros apply from day on, micros_before before it; next_day:
-- of the next entry. The service period is [starts_at, ends_at), length_us its length in microseconds, first_day and last_day
-- its first and last one in the report time zone, zone that zone. *reporting_micros*: the same in the reporting currency, to twelve
-- digits; NULL where there is no rate.
create table recognition_steps (
    lineage_key bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    app_id text not null,
    store text not null,
    currency text not null,
    day date not null,
    next_day date,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    first_day date not null,
    last_day date not null,
    length_us bigint not null,
    zone text not null,
    micros bigint not null,
    micros_before bigint not null,
    reporting_micros numeric,
    reporting_micros_before numeric,
    primary key (lineage_key, subscription_key, transaction_id, product_id, currency, day)
);
