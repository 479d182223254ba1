-- What a script keeps: no ledger, no history, no run.
create table subscriptions (
    store_key text primary key,
    product_id text,
    status text,
    auto_renew boolean,
    expires_at timestamptz,
    checked_at timestamptz not null default now()
);

create table transactions (
    transaction_id text primary key,
    store_key text not null,
    product_id text not null,
    purchased_at timestamptz not null,
    expires_at timestamptz,
    price_micros bigint,
    currency text,
    refunded_at timestamptz
);
