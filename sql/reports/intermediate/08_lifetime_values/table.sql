-- key: lineage_key, days
-- rests on: money_movements, paid_periods
-- Who first paid when, and what they brought since.
-- Grain: one row per lineage and days. days 0: the lineage first paid on cohort_day, micros 0. days 30, 90, 180 and 365: net
-- micros that it brought within so many days of its first payment, in that payment's currency; cohort_day is the first day of
-- its month then, and lineages is 0. reporting_micros: the same in the reporting currency, without the movements that have no rate
-- (unconverted: how many).
create table lifetime_values (
    lineage_key bigint not null,
    days integer not null,
    cohort_day date not null,
    app_id text not null,
    store text not null,
    currency text not null,
    lineages bigint not null,
    micros bigint not null,
    reporting_micros numeric not null,
    unconverted bigint not null,
    primary key (lineage_key, days)
);
