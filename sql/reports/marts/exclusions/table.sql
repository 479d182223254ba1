-- rests on: exclusion_reasons
-- What the figures, or some of them, leave out.
-- Grain: one row per day of purchase, app and reason, as in exclusion_reasons.
create table exclusions_daily (
    day date not null,
    app_id text not null,
    reason text not null,
    rows bigint not null,
    primary key (day, app_id, reason)
);

create index on exclusions_daily (day) where rows = 0;
