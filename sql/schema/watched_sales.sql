-- One-time sales that are looked at again for refunds that no store event reports: 30 and 60 days after the charge in the App Store,
-- 7, 30 and 60 in Google Play. A sale is here as long as a look is still to come. Grain: one row per sale.
create table subledger.watched_sales (
    subscription_key bigint not null,
    app_id text not null,
    sold_at timestamptz not null,
    next_look_at timestamptz not null,
    receipt_id bigint,
    failures integer not null default 0,
    last_failed_at timestamptz,
    last_error text,
    last_run_id bigint,
    constraint watched_sales_pkey primary key (subscription_key),
    constraint failures_are_not_negative check (failures >= 0)
);

create index watched_sales_due on subledger.watched_sales (app_id, next_look_at);
create index watched_sales_failing on subledger.watched_sales (app_id) where failures > 0;

comment on table subledger.watched_sales is 'One row per one-time sale that is still to be looked at for refunds';
comment on column subledger.watched_sales.subscription_key is 'The sale: key of its original transaction id or order id';
comment on column subledger.watched_sales.app_id is 'The app';
comment on column subledger.watched_sales.sold_at is 'When it was charged: the looks are counted from here';
comment on column subledger.watched_sales.next_look_at is 'Looked at by the first night at or after this';
comment on column subledger.watched_sales.receipt_id is 'The receipt it is read from, in apps read by receipts';
comment on column subledger.watched_sales.failures is 'Nights in a row whose look failed';
comment on column subledger.watched_sales.last_failed_at is 'Logical now of the last run whose look failed';
comment on column subledger.watched_sales.last_error is 'Why the last look failed; free of tokens';
comment on column subledger.watched_sales.last_run_id is 'Run that last looked, or saw it in another answer';
