-- rests on: known_changes, known_transactions, paid_periods, retired_apps, subscription_periods, marts.day_of,
-- rests on: marts.zone_of, subledger.time_zone_of_store
-- The status of each lineage by day: paying, in a trial, at risk, waiting, shared or set to cancel.
-- Grain: one row per stretch of days [from_day, until_day) of one lineage under one status; who has it at the close of a
-- day D has from_day <= D < until_day. A lineage never has the same status twice on a day.
--
-- active comes from the paid periods. grace, set_to_cancel and unread are parts of it: what the store granted beyond the
-- expiry, auto-renewal off, and past the paid time without an answer from the store. trial is free time before the first payment,
-- promotional and win-back offers apart. billing_retry (account hold included) and paused are lineages that are not paying.
-- currency and mrr_nanos: of what is paid, or was last; NULL where nothing was or the price is unknown. mrr_reporting_nanos: the same
-- in the reporting currency; NULL where there is no rate, too.
-- seats: of the active, those of a group's paid period; NULL else.
create table status_intervals (
    lineage_key bigint not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    status text not null,
    from_day date not null,
    until_day date not null,
    currency text,
    mrr_nanos bigint,
    mrr_reporting_nanos bigint,
    seats bigint
);
-- No columns of it are a key by nature, and a publication asks for one wherever rows are deleted.
alter table status_intervals replica identity full;

create index on status_intervals (lineage_key);
-- Who is at risk on a day: few of all that ever were.
create index on status_intervals (until_day) where status in ('grace', 'billing_retry', 'set_to_cancel');
