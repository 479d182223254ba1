-- key: lineage_key, app_id, store, trial_no
-- rests on: known_changes, subscription_periods, marts.day_of, marts.zone_of, subledger.time_zone_of_store
-- Trials: unbroken free time before a lineage's first payment, and what became of it.
-- Grain: one row per trial of a lineage. outcome: converted (paid by the trial's end, grace included; a gap of up to
-- {rule continuous_gap in words} is none); refunded (converted, and the first paid period was refunded); waiting (the
-- store has reported no end of it yet); unpaid, which is pending until ends_at and ended from then on. For every other outcome ends_at is -infinity.
-- country is that of the first free period, empty where unknown.
create table trial_outcomes (
    lineage_key bigint not null,
    trial_no bigint not null,
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    country text not null,
    outcome text not null,
    ends_at timestamptz not null,
    primary key (lineage_key, app_id, store, trial_no)
);
