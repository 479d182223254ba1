-- key: lineage_key, month_number
-- rests on: paid_periods, marts.months_between, marts.zone_of, subledger.time_zone_of_store
-- The months of their lives in which lineages paid.
-- Grain: one row per lineage and month number that a paid period lies in, under its latest period there.
-- Month N of a lineage runs from N to N + 1 calendar months after its first payment. It is paid when a paid period, to its
-- own end, without a grace, lies in it by more than the {rule cohort_drift in words} that stores add and renewals drift. cohort_day: in month 0
-- the day of the first payment, from month 1 on the first day of its month. Imported lineages, whose first payment is
-- unknown, have none. mrr_nanos and currency are NULL where the price is unknown.
create table cohort_months (
    lineage_key bigint not null,
    month_number bigint not null,
    cohort_day date not null,
    app_id text not null,
    store text not null,
    currency text,
    mrr_nanos bigint,
    primary key (lineage_key, month_number)
);
