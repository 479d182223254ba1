-- rests on: trial_outcomes
-- Trials by the day they started and what became of them.
-- Grain: one row per start day, app, store, product, outcome and end; outcome and ends_at as in trial_outcomes.
create table trials_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    outcome text not null,
    ends_at timestamptz not null,
    trials bigint not null,
    primary key (day, app_id, store, product_id, outcome, ends_at)
);

create index on trials_daily (day) where trials = 0;
