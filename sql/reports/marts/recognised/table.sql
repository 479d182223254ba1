-- What is recognised and deferred by day, to the end of every service period that was charged.
-- Grain: one row per day, app, store, product and currency; micros, of the reporting currency without the charges that have no
-- rate (unconverted: how many the day has). Days to come stand here as they will be if nothing more is learned.
create table recognised_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    parts bigint not null,
    recognised numeric not null,
    deferred numeric not null,
    recognised_reporting numeric not null,
    deferred_reporting numeric not null,
    unconverted bigint not null,
    primary key (day, app_id, store, product_id, currency)
);

create index on recognised_daily (day) where parts = 0;
