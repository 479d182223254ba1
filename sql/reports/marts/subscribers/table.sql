-- rests on: status_intervals
-- Who came to have which status, and who left it, by day: the subscribers and the at-risk report are running sums of it.
-- Grain: one row per day, app, store, product, status and currency. lineages: came less left, nanos: their MRR, steps: how
-- many came or left; the currency is empty where their money is unknown. reporting_nanos: in the reporting
-- currency, without those that have no rate (unconverted: how many came less left). seats: of groups, came less left.
create table subscribers_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    status text not null,
    currency text not null,
    steps bigint not null,
    lineages bigint not null,
    nanos numeric not null,
    reporting_nanos numeric not null,
    unconverted bigint not null,
    seats bigint not null,
    primary key (day, app_id, store, product_id, status, currency)
);

create index on subscribers_daily (day) where steps = 0;
