-- Subscriptions as they stand today, and the append-only history of what became of them.
-- The subscription key is in every primary key of a large table: it is the distribution column when the database scales out.

create table subledger.receipts (
    receipt_id bigint primary key,
    app_id text not null references subledger.apps,
    receipt text not null,
    recorded_at timestamptz not null,
    last_run_id bigint
);
create index receipts_by_text on subledger.receipts (app_id, md5(receipt));

create table subledger.subscriptions (
    subscription_key bigint primary key check (subscription_key >= 0),
    lineage_key bigint not null check (lineage_key >= 0),
    app_id text not null,
    store text not null check (store in ('app_store', 'google_play')),
    environment text check (environment in ('production', 'sandbox')),
    store_key text not null check (store_key <> ''),
    account_id text,
    product_id text,
    country text check (country ~ '^[A-Z]{2}$'),
    receipt_id bigint,
    state text not null default 'unverified' check (
        state in ('unverified', 'pending', 'trial', 'active', 'grace', 'billing_retry', 'paused', 'expired', 'revoked',
            'unreachable')),
    state_raw text,
    auto_renew boolean,
    auto_renew_product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    ended_at timestamptz,
    end_reason text check (
        end_reason in ('voluntary', 'involuntary', 'price', 'product', 'developer', 'refund', 'revoke', 'replaced',
            'unknown')),
    linked_to bigint,
    history_cursor text,
    source_version timestamptz,
    registered_at timestamptz not null,
    next_check_at timestamptz default '-infinity',
    next_check_reason text not null default 'registered',
    last_checked_at timestamptz,
    last_run_id bigint,
    failures integer not null default 0 check (failures >= 0),
    last_error text,
    constraint only_ended_subscriptions_have_a_reason check ((end_reason is not null) = (state in ('expired', 'revoked'))),
    constraint refunded_means_revoked check (
        end_reason is null or (end_reason in ('refund', 'revoke')) = (state = 'revoked')),
    constraint ended_subscriptions_say_when check (state not in ('expired', 'revoked') or ended_at is not null),
    constraint verified_means_checked check (state in ('unverified', 'unreachable') or last_checked_at is not null)
) with (fillfactor = 85);
create index subscriptions_due on subledger.subscriptions (app_id, next_check_at) where next_check_at is not null;
create index subscriptions_by_account on subledger.subscriptions (account_id) where account_id is not null;
create index subscriptions_by_receipt on subledger.subscriptions (receipt_id) where receipt_id is not null;

create table subledger.subscription_items (
    subscription_key bigint not null,
    product_id text not null,
    expires_at timestamptz,
    auto_renew boolean,
    latest_transaction_id text,
    primary key (subscription_key, product_id)
);

create table subledger.state_changes (
    subscription_key bigint not null,
    change_id bigint not null check (change_id > 0),
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    run_id bigint not null,
    state text not null,
    state_raw text,
    auto_renew boolean,
    product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    end_reason text,
    answer_hash text,
    primary key (subscription_key, change_id)
);
create index state_changes_by_run on subledger.state_changes (run_id);

create table subledger.lineage_links (
    subscription_key bigint not null,
    linked_subscription_key bigint not null,
    recorded_run_id bigint not null,
    primary key (subscription_key, linked_subscription_key)
);

-- The 63-bit key of a subscription: any client computes the same.
create function subledger.subscription_key(app_id text, store_key text) returns bigint
language sql immutable strict parallel safe
return (
    'x' || encode(
        substring(sha256(convert_to(app_id, 'UTF8') || '\x00'::bytea || convert_to(store_key, 'UTF8')) for 8), 'hex')
    )::bit(64)::bigint & 9223372036854775807;

comment on table subledger.receipts is 'App Store receipts, each once: asked once a night, replaced by latest_receipt (restricted)';
comment on column subledger.receipts.receipt_id is 'Derived from the subscription it was first registered with';
comment on column subledger.receipts.app_id is 'The app it belongs to';
comment on column subledger.receipts.receipt is 'Base64, as the store takes it: never logged, never reported';
comment on column subledger.receipts.recorded_at is 'When it was handed in or last replaced';
comment on column subledger.receipts.last_run_id is 'Run that last replaced it';
comment on table subledger.subscriptions is 'One row per App Store original transaction id or Play purchase token: today''s picture';
comment on column subledger.subscriptions.subscription_key is 'First 8 bytes, top bit cleared, of SHA-256(app_id, zero byte, store_key)';
comment on column subledger.subscriptions.lineage_key is 'Key of the oldest known subscription in a chain of linked purchases';
comment on column subledger.subscriptions.app_id is 'The owner''s own name of the app';
comment on column subledger.subscriptions.store is 'app_store or google_play';
comment on column subledger.subscriptions.environment is 'production or sandbox; NULL until known';
comment on column subledger.subscriptions.store_key is 'Original transaction id or purchase token: what the store is asked with';
comment on column subledger.subscriptions.account_id is 'The owner''s own customer id';
comment on column subledger.subscriptions.product_id is 'Product of the current period';
comment on column subledger.subscriptions.country is 'ISO 3166-1 alpha-2 given at registration';
comment on column subledger.subscriptions.receipt_id is 'The receipt it is read from, in apps read by receipts';
comment on column subledger.subscriptions.state is 'What the store last said it is';
comment on column subledger.subscriptions.state_raw is 'The store''s own word or number for it';
comment on column subledger.subscriptions.auto_renew is 'The customer''s intent for the next period';
comment on column subledger.subscriptions.auto_renew_product_id is 'Product of the next period';
comment on column subledger.subscriptions.expires_at is 'End of the paid or free period';
comment on column subledger.subscriptions.grace_expires_at is 'End of the grace the store granted';
comment on column subledger.subscriptions.ended_at is 'When access by the store''s own word ended: expiry, unpaid grace end or revocation';
comment on column subledger.subscriptions.end_reason is 'Why it ended; NULL while it has not';
comment on column subledger.subscriptions.linked_to is 'Key of the purchase it replaced';
comment on column subledger.subscriptions.history_cursor is 'Where the store''s history was read to; moves with its rows';
comment on column subledger.subscriptions.source_version is 'When the store said so: an older answer never overwrites a newer one';
comment on column subledger.subscriptions.registered_at is 'When it was first handed in or found';
comment on column subledger.subscriptions.next_check_at is 'Asked again by the first night at or after this; NULL: never';
comment on column subledger.subscriptions.next_check_reason is 'Why then';
comment on column subledger.subscriptions.last_checked_at is 'Logical now of the last run that was answered';
comment on column subledger.subscriptions.last_run_id is 'That run';
comment on column subledger.subscriptions.failures is 'Nights in a row it was asked in vain';
comment on column subledger.subscriptions.last_error is 'What the last check in vain met; free of tokens';
comment on table subledger.subscription_items is 'One row per product of a Play purchase with add-ons';
comment on column subledger.subscription_items.subscription_key is 'The purchase';
comment on column subledger.subscription_items.product_id is 'The item''s product';
comment on column subledger.subscription_items.expires_at is 'The item''s expiry';
comment on column subledger.subscription_items.auto_renew is 'The item''s auto-renewal';
comment on column subledger.subscription_items.latest_transaction_id is 'Its latest settled order';
comment on table subledger.state_changes is 'Append-only: what became of a subscription, when it happened, when we learned it';
comment on column subledger.state_changes.subscription_key is 'The subscription';
comment on column subledger.state_changes.change_id is 'Counts the subscription''s changes from 1';
comment on column subledger.state_changes.occurred_at is 'When it happened, as far as the store tells';
comment on column subledger.state_changes.recorded_at is 'Logical now of the run that learned it';
comment on column subledger.state_changes.run_id is 'That run';
comment on column subledger.state_changes.state is 'State from then on';
comment on column subledger.state_changes.state_raw is 'The store''s own word for it';
comment on column subledger.state_changes.auto_renew is 'Auto-renewal from then on';
comment on column subledger.state_changes.product_id is 'Product from then on';
comment on column subledger.state_changes.expires_at is 'Expiry from then on';
comment on column subledger.state_changes.grace_expires_at is 'End of the granted grace from then on';
comment on column subledger.state_changes.end_reason is 'Why it ended';
comment on column subledger.state_changes.answer_hash is 'Content hash of the store''s answer that said so';
comment on table subledger.lineage_links is 'Append-only facts: this purchase continues that one';
comment on column subledger.lineage_links.subscription_key is 'The later purchase';
comment on column subledger.lineage_links.linked_subscription_key is 'The earlier purchase';
comment on column subledger.lineage_links.recorded_run_id is 'Run that learned it';
comment on function subledger.subscription_key is 'The 63-bit key of a store id within an app';
