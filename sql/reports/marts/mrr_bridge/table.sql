-- The movements of MRR by day.
-- Grain: one row per day, app, store, product, currency and bucket; nanos of the currency, changes: how many.
create table mrr_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    bucket text not null,
    nanos numeric not null,
    changes bigint not null,
    primary key (day, app_id, store, product_id, currency, bucket)
);

create index on mrr_daily (day) where changes = 0;
