-- rests on: paid_periods
-- Who began and ceased to pay by day.
-- Grain: one row per day, app, store, product and event. opened: what the day's opening gains over that of the day before,
-- less what it loses; an outcome (voluntary, lapsed and so on): lineages of the opening that left so; brief and an outcome:
-- those that began to pay on that same day.
create table churn_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    event text not null,
    lineages bigint not null,
    primary key (day, app_id, store, product_id, event)
);

create index on churn_daily (day) where lineages = 0;
