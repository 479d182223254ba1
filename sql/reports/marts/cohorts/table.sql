-- rests on: cohort_months
-- Who of a month's newcomers paid in which month of their lives, and what it was worth.
-- Grain: one row per cohort, app, store, month number and currency; cohort_day as in cohort_months. lineages: paid in that
-- month of their lives; nanos: their MRR; the currency is empty where their money is unknown.
create table cohorts_monthly (
    cohort_day date not null,
    app_id text not null,
    store text not null,
    month_number bigint not null,
    currency text not null,
    lineages bigint not null,
    nanos numeric not null,
    primary key (cohort_day, app_id, store, month_number, currency)
);

create index on cohorts_monthly (cohort_day) where lineages = 0;
