-- The product catalogue, append-only. Grain: one row per app, product, base plan, first day and run.
create table subledger.products (
    app_id text not null,
    product_id text not null,
    base_plan_id text not null default '',
    period text,
    subscription_group text,
    level integer,
    valid_from date not null default '-infinity',
    recorded_run_id bigint not null,
    constraint products_pkey primary key (app_id, product_id, base_plan_id, valid_from, recorded_run_id)
);

comment on table subledger.products is 'Dated product facts by import; append-only';
comment on column subledger.products.app_id is 'The app';
comment on column subledger.products.product_id is 'The product';
comment on column subledger.products.base_plan_id is 'Google Play''s base plan; empty: any';
comment on column subledger.products.period is 'ISO 8601 duration';
comment on column subledger.products.subscription_group is 'Group of exchangeable products';
comment on column subledger.products.level is 'Level in its group, 1 the highest';
comment on column subledger.products.valid_from is 'From this date on';
comment on column subledger.products.recorded_run_id is 'Run that recorded it';
