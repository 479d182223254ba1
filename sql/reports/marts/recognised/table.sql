-- rests on: recognition_steps, marts.earned_by, marts.earning_rate, marts.microseconds, marts.served_us
-- What is recognised and billed by day, to the end of every service period that was charged; recognised exactly, in parts of a micro.
-- Grain: one row per day, app, store, product and currency on which money is billed, recognised or deferred; micros, of the
-- reporting currency without the charges that have no rate (unconverted: how many of the day's parts, which are those that run on
-- it). Days to come are here as they will be if nothing more is learned.
create table recognised_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    parts bigint not null,
    billed numeric not null,
    earned numeric not null,
    billed_reporting numeric not null,
    earned_reporting numeric not null,
    unconverted bigint not null,
    primary key (app_id, store, product_id, currency, day)
);

create index on recognised_daily (day);
create index on recognised_daily (day) where parts = 0;
