-- key: lineage_key, day, product_id, currency, bucket, transaction_id
-- rests on: paid_periods, marts.difference_at_rate, marts.nearest
-- Every change of MRR, each in exactly one movement (bucket; sql/movement.columns lists them); outflows negative.
-- Grain: one row per lineage, day, product, currency, movement and transaction: what it changed in all. nanos, reporting_nanos: as in
-- paid_periods; 0 where the change is none in that currency (fx is none in the original one). unconverted: periods without a rate that
-- came, less those that went. transaction_id: of the paid period that began or ended. Changes that are still to come have no row.
create table mrr_changes (
    lineage_key bigint not null,
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    bucket text not null,
    nanos bigint not null,
    reporting_nanos bigint not null,
    unconverted integer not null,
    transaction_id text not null,
    primary key (lineage_key, day, product_id, currency, bucket, transaction_id)
);
