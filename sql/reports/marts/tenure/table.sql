-- rests on: monthly_outcomes, paid_periods
-- Who pays for the n-th time, by day, and what became of their renewals: the tenure report is made of running sums of it.
-- Grain: one row per day, app, store, product, customer, tenure (both as in paid_periods) and figure. figure:
--   active                         lineages that began a paid period less those that ended one
--   churned, due, renewed, plan_change    as in monthly_outcomes
create table tenure_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    customer text not null,
    tenure bigint not null,
    figure text not null,
    lineages bigint not null,
    primary key (day, app_id, store, product_id, customer, tenure, figure)
);

create index on tenure_daily (day) where lineages = 0;
