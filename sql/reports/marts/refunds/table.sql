-- rests on: money_movements
-- Refunds by day, and what was taken back of them.
-- Grain: one row per day, app, store, product, currency and kind (full, partial, reversal). entries: of the ledger; refunds:
-- given, less those wholly taken back; micros as booked, negative where money was refunded; reporting_micros: in the reporting
-- currency, without the entries that have no rate (unconverted: how many).
create table refunds_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    kind text not null,
    entries bigint not null,
    refunds bigint not null,
    micros numeric not null,
    reporting_micros numeric not null,
    unconverted bigint not null,
    primary key (day, app_id, store, product_id, currency, kind)
);

create index on refunds_daily (day) where entries = 0;
