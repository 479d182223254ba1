-- What the figures leave out, and what they may leave out of the reporting currency.
-- Grain: one row per day of purchase, app, reason, currency and day of the exchange rate, as in exclusion_reasons.
create table exclusions_daily (
    day date not null,
    app_id text not null,
    reason text not null,
    currency text not null,
    rate_day date not null,
    rows bigint not null,
    primary key (day, app_id, reason, currency, rate_day)
);

create index on exclusions_daily (day) where rows = 0;
