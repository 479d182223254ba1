-- rests on: lifetime_values
-- Who first paid when, and the money that came from them since.
-- Grain: one row per cohort, app, store, currency of the first payment and days, as in lifetime_values. rows: how many
-- lineages are in it.
create table ltv_monthly (
    cohort_day date not null,
    app_id text not null,
    store text not null,
    currency text not null,
    days integer not null,
    rows bigint not null,
    lineages bigint not null,
    micros numeric not null,
    reporting_micros numeric not null,
    unconverted bigint not null,
    primary key (cohort_day, app_id, store, currency, days)
);

create index on ltv_monthly (cohort_day) where rows = 0;
