-- The price list, append-only. Grain: one row per app, product, base plan, period, country, currency, first day and run.
create table subledger.prices (
    app_id text not null,
    product_id text not null,
    base_plan_id text not null default '',
    period text not null default '',
    country text not null default '',
    currency text not null,
    price_micros bigint,
    valid_from date not null default '-infinity',
    recorded_run_id bigint not null,
    constraint prices_pkey primary key (app_id, product_id, base_plan_id, period, country, currency, valid_from, recorded_run_id),
    constraint countries_are_iso_codes_or_any check (country = '' or country ~ '^[A-Z]{2}$'),
    constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$'),
    constraint prices_are_not_negative check (price_micros >= 0)
);

comment on table subledger.prices is 'Dated price list by import; append-only';
comment on column subledger.prices.app_id is 'The app';
comment on column subledger.prices.product_id is 'The product';
comment on column subledger.prices.base_plan_id is 'Google Play''s base plan; empty: any';
comment on column subledger.prices.period is 'ISO 8601 length of the rows that it is the price of; empty: the catalogue''s length, any where that has none';
comment on column subledger.prices.country is 'ISO 3166-1 alpha-2; empty: any';
comment on column subledger.prices.currency is 'ISO 4217';
comment on column subledger.prices.price_micros is 'Customer price in micros of one period; NULL: the price is taken back';
comment on column subledger.prices.valid_from is 'From this date on';
comment on column subledger.prices.recorded_run_id is 'Run that recorded it';
