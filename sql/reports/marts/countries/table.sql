-- rests on: paid_periods, trial_outcomes
-- Who came, paid and left, by country and day.
-- Grain: one row per day, app, store, product, country and currency (both empty where unknown) and figure. rows: how many make it.
--   active                      number: lineages that began a paid period less those that ended one; nanos: their MRR,
--                               unconverted: of them those without a rate
--   new, churned                number: lineages that first paid, whose segment ended declared lost
--   trials_started, trials_converted    number: trials that began that day, those of them that were paid
create table countries_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    country text not null,
    currency text not null,
    figure text not null,
    rows bigint not null,
    number bigint not null,
    nanos numeric not null,
    reporting_nanos numeric not null,
    unconverted bigint not null,
    primary key (day, app_id, store, product_id, country, currency, figure)
);

create index on countries_daily (day) where rows = 0;
