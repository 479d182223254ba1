-- Google Play orders that a purchase named and the store had not settled, or did not return: asked for again until they are booked
-- or given up. Grain: one row per purchase and order.
create table subledger.awaited_orders (
    subscription_key bigint not null,
    transaction_id text not null,
    last_asked_at timestamptz not null,
    nights integer not null default 0,
    constraint awaited_orders_pkey primary key (subscription_key, transaction_id),
    constraint nights_are_counted check (nights >= 0)
);

comment on table subledger.awaited_orders is 'One row per Google Play order that is named by its purchase and not settled: asked for again';
comment on column subledger.awaited_orders.subscription_key is 'The purchase';
comment on column subledger.awaited_orders.transaction_id is 'The order';
comment on column subledger.awaited_orders.last_asked_at is 'Logical now of the last night on which it was asked for';
comment on column subledger.awaited_orders.nights is 'Nights on which it was asked for again';
