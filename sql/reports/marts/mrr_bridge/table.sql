-- rests on: mrr_changes
-- The movements of MRR by day.
-- Grain: one row per day, app, store, product, currency and movement (bucket); nanos of the currency, changes: how many;
-- reporting_nanos: in the reporting currency; unconverted: periods without a rate that came, less those that went.
create table mrr_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    bucket text not null,
    nanos numeric not null,
    changes bigint not null,
    reporting_nanos numeric not null,
    unconverted bigint not null,
    primary key (day, app_id, store, product_id, currency, bucket)
);

create index on mrr_daily (day) where changes = 0;
