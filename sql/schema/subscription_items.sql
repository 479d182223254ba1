-- Products of a purchase that holds several: Play's with add-ons, the App Store's sold by items. Grain: one row per product of a purchase.
create table subledger.subscription_items (
    subscription_key bigint not null,
    product_id text not null,
    expires_at timestamptz,
    auto_renew boolean,
    latest_transaction_id text,
    revoked_at timestamptz,
    constraint subscription_items_pkey primary key (subscription_key, product_id)
);

comment on table subledger.subscription_items is 'One row per product of a purchase that holds several';
comment on column subledger.subscription_items.subscription_key is 'The purchase';
comment on column subledger.subscription_items.product_id is 'The item''s product';
comment on column subledger.subscription_items.expires_at is 'The item''s expiry';
comment on column subledger.subscription_items.auto_renew is 'The item''s auto-renewal';
comment on column subledger.subscription_items.latest_transaction_id is 'Its latest settled order or transaction';
comment on column subledger.subscription_items.revoked_at is 'When the store took it back; the row stays until the period is over';
