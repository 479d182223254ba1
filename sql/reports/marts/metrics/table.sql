-- rests on: monthly_outcomes
-- Renewals, and what the lineages that a month opened with lost and gained in it, by day.
-- Grain: one row per day, app, store, product, currency and figure, as in monthly_outcomes. rows: how many make it.
create table outcomes_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    figure text not null,
    rows bigint not null,
    number bigint not null,
    nanos numeric not null,
    reporting_nanos numeric not null,
    primary key (day, app_id, store, product_id, currency, figure)
);

create index on outcomes_daily (day) where rows = 0;
