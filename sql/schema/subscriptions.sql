-- Subscriptions as they are today. Grain: one row per App Store original transaction id or Play purchase token.
create table subledger.subscriptions (
    subscription_key bigint not null,
    lineage_key bigint not null,
    app_id text not null,
    store text not null,
    environment text,
    store_key text not null,
    account_id text,
    product_id text,
    country text,
    receipt_id bigint,
    state text not null default 'unverified',
    state_raw text,
    auto_renew boolean,
    auto_renew_product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    linked_to bigint,
    history_cursor text,
    source_version timestamptz,
    registered_at timestamptz not null,
    next_check_at timestamptz default '-infinity',
    next_check_reason text not null default 'registered',
    check_requests bigint not null default 0,
    last_checked_at timestamptz,
    last_run_id bigint,
    failures integer not null default 0,
    last_failed_at timestamptz,
    last_error text,
    refund_notified_at timestamptz,
    notified_rows text[],
    is_history_notified boolean not null default false,
    refusals integer not null default 0,
    committed_until timestamptz,
    renewal_price_micros bigint,
    renewal_currency text,
    refund_reports jsonb,
    last_refused_at timestamptz,
    constraint subscriptions_pkey primary key (subscription_key),
    constraint keys_are_not_negative check (subscription_key >= 0 and lineage_key >= 0),
    constraint store_keys_are_not_empty check (store_key <> ''),
    constraint known_environments check (environment in ('production', 'sandbox')),
    constraint known_states check (
        state in (
            'unverified', 'pending', 'trial', 'active', 'grace', 'billing_retry', 'paused', 'expired', 'revoked',
            'unreachable'
        )
    ),
    constraint known_end_reasons check (
        end_reason in (
            'voluntary', 'involuntary', 'price', 'product', 'developer', 'refund', 'revoke', 'replaced', 'unknown'
        )
    ),
    constraint known_check_reasons check (
        next_check_reason in (
            'never', 'nightly', 'weekly', 'failed', 'unreachable', 'registered', 'before_expiry', 'at_expiry',
            'every_second_night', 'at_resume', 'every_run', 'refund_watch', 'notified', 'refund_notified', 'linked',
            'not_found', 'set_aside'
        )
    ),
    constraint countries_are_iso_codes check (country ~ '^[A-Z]{2}$'),
    constraint renewal_prices_are_not_negative check (renewal_price_micros >= 0),
    constraint renewal_currencies_are_iso_codes check (renewal_currency ~ '^[A-Z]{3}$'),
    constraint renewal_prices_have_a_currency check ((renewal_price_micros is null) = (renewal_currency is null)),
    constraint failures_are_not_negative check (failures >= 0),
    constraint only_ended_subscriptions_have_a_reason check ((end_reason is not null) = (state in ('expired', 'revoked'))),
    constraint refunded_means_revoked check (
        end_reason is null or (end_reason in ('refund', 'revoke')) = (state = 'revoked')
    ),
    constraint ended_subscriptions_say_when check (state not in ('expired', 'revoked') or ended_at is not null),
    constraint verified_means_checked check (state in ('unverified', 'unreachable') or last_checked_at is not null)
) with (fillfactor = 85);

create index subscriptions_by_account on subledger.subscriptions (account_id) where account_id is not null;
create index subscriptions_by_lineage on subledger.subscriptions (lineage_key);
create index subscriptions_by_receipt on subledger.subscriptions (receipt_id) where receipt_id is not null;
create index subscriptions_due on subledger.subscriptions (app_id, next_check_at) where next_check_at is not null;
create index subscriptions_unread on subledger.subscriptions (app_id) where (failures > 0) and (next_check_at is not null);

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
comment on column subledger.subscriptions.check_requests is 'How often it was made due at once since it was registered';
comment on column subledger.subscriptions.last_checked_at is 'Logical now of the last run that was answered';
comment on column subledger.subscriptions.last_run_id is 'That run';
comment on column subledger.subscriptions.failures is 'Nights in a row whose check failed';
comment on column subledger.subscriptions.last_failed_at is 'Logical now of the last run whose check failed';
comment on column subledger.subscriptions.last_error is 'Why the last check failed; free of tokens';
comment on column subledger.subscriptions.refund_notified_at is 'When a notification that names no transaction reported a refund first; NULL: none since it was last answered';
comment on column subledger.subscriptions.refund_reports is 'When notifications first reported a refund or its reversal, by transaction, in microseconds since 1970; NULL: none since it was last answered';
comment on column subledger.subscriptions.notified_rows is 'Transactions that notifications reported as changed since it was last answered, as the store signed them; NULL: none';
comment on column subledger.subscriptions.is_history_notified is 'A notification reported a refund since it was last answered and named no transaction';
comment on column subledger.subscriptions.refusals is 'Nights since its last good answer on which the store refused it for now';
comment on column subledger.subscriptions.last_refused_at is 'Logical now of the last run in which the store refused it for now';
comment on column subledger.subscriptions.committed_until is 'Until when payments are committed to, from the cancellation of such a plan on: then it ends; NULL where nothing was committed to, or not cancelled';
comment on column subledger.subscriptions.renewal_price_micros is 'What the next renewal costs, where the store says so';
comment on column subledger.subscriptions.renewal_currency is 'ISO 4217 code of renewal_price_micros';
