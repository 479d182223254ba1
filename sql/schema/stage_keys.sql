-- The keys that open loads lock: a load inserts what it changes, in key order, before it looks for changes, and deletes it before it
-- commits. Another load that wants the same key waits at the primary key until the first one has ended; no row is ever visible.
-- Grain: one row per key.
create unlogged table subledger.stage_keys (
    subscription_key bigint not null,
    run_id bigint not null,
    chunk_no integer not null,
    constraint stage_keys_pkey primary key (subscription_key)
);

create index stage_keys_by_chunk on subledger.stage_keys (run_id, chunk_no);

comment on table subledger.stage_keys is 'The keys that open loads hold; empty between transactions';
comment on column subledger.stage_keys.subscription_key is 'The subscription that a load changes';
comment on column subledger.stage_keys.run_id is 'Run of the load';
comment on column subledger.stage_keys.chunk_no is 'Its chunk';
