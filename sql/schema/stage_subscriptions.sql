-- Subscriptions of a chunk as their check leaves them. A row lives here only within its transaction.
-- Grain: one row per subscription of a chunk.
create unlogged table subledger.stage_subscriptions (
    run_id bigint not null,
    chunk_no integer not null,
    subscription_key bigint not null,
    environment text not null,
    state text not null,
    state_raw text,
    product_id text,
    auto_renew boolean,
    auto_renew_product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    history_cursor text,
    source_version timestamptz not null,
    occurred_at timestamptz not null,
    answer_hash text,
    steps jsonb,
    check_requests_seen bigint,
    next_check_at timestamptz,
    next_check_reason text not null,
    committed_until timestamptz,
    renewal_price_micros bigint,
    renewal_currency text
);

create index stage_subscriptions_by_chunk on subledger.stage_subscriptions (run_id, chunk_no);

comment on table subledger.stage_subscriptions is 'Subscriptions of a chunk as their check leaves them; empty between transactions';
comment on column subledger.stage_subscriptions.run_id is 'Run of the chunk';
comment on column subledger.stage_subscriptions.chunk_no is 'The chunk';
comment on column subledger.stage_subscriptions.subscription_key is 'First 8 bytes, top bit cleared, of SHA-256(app_id, zero byte, store_key)';
comment on column subledger.stage_subscriptions.environment is 'production or sandbox; NULL until known';
comment on column subledger.stage_subscriptions.state is 'What the store last said it is';
comment on column subledger.stage_subscriptions.state_raw is 'The store''s own word or number for it';
comment on column subledger.stage_subscriptions.product_id is 'Product of the current period';
comment on column subledger.stage_subscriptions.auto_renew is 'The customer''s intent for the next period';
comment on column subledger.stage_subscriptions.auto_renew_product_id is 'Product of the next period';
comment on column subledger.stage_subscriptions.expires_at is 'End of the paid or free period';
comment on column subledger.stage_subscriptions.grace_expires_at is 'End of the grace the store granted';
comment on column subledger.stage_subscriptions.ended_at is 'When access by the store''s own word ended: expiry, unpaid grace end or revocation';
comment on column subledger.stage_subscriptions.end_reason is 'Why it ended; NULL while it has not';
comment on column subledger.stage_subscriptions.history_cursor is 'Where the store''s history was read to; moves with its rows';
comment on column subledger.stage_subscriptions.source_version is 'When the store said so: an older answer never overwrites a newer one';
comment on column subledger.stage_subscriptions.occurred_at is 'When the change happened';
comment on column subledger.stage_subscriptions.answer_hash is 'Hash of the store''s answer that reported it';
comment on column subledger.stage_subscriptions.steps is 'Changes between the last answer and this one, in order: state, auto_renew, at';
comment on column subledger.stage_subscriptions.check_requests_seen is 'Requests for a check when its store was asked; NULL: reported beside another subscription';
comment on column subledger.stage_subscriptions.next_check_at is 'Asked again by the first night at or after this; NULL: never';
comment on column subledger.stage_subscriptions.next_check_reason is 'Why then';
comment on column subledger.stage_subscriptions.committed_until is 'Until when payments are committed to, from the cancellation of such a plan on: then it ends; NULL where nothing was committed to, or not cancelled';
comment on column subledger.stage_subscriptions.renewal_price_micros is 'What the next renewal costs, where the store says so';
comment on column subledger.stage_subscriptions.renewal_currency is 'ISO 4217 code of renewal_price_micros';
