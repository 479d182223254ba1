-- The work of a run: a few hundred subscriptions of one app each. Grain: one row per chunk.
create table subledger.run_chunks (
    run_id bigint not null references subledger.runs,
    chunk_no integer not null,
    app_id text not null references subledger.apps,
    subscription_keys bigint[] not null,
    remaining_keys bigint[],
    state text not null default 'pending',
    generation bigint not null default 0,
    leased_by text,
    leased_until timestamptz,
    attempts integer not null default 0,
    expected bigint,
    staged bigint,
    changed bigint,
    counts jsonb not null default '{}',
    loads bigint[] not null default '{}',
    constraint run_chunks_pkey primary key (run_id, chunk_no),
    constraint chunks_count_from_one check (chunk_no > 0),
    constraint known_states check (state in ('pending', 'leased', 'done', 'abandoned')),
    constraint chunks_are_not_empty check (cardinality(subscription_keys) > 0),
    constraint leased_chunks_have_an_owner check (
        (state = 'leased') = (leased_by is not null and leased_until is not null)
    ),
    constraint done_chunks_are_counted check (state <> 'done' or (expected = staged and changed is not null))
);

create index chunks_to_claim on subledger.run_chunks (run_id, chunk_no) where state in ('pending', 'leased');

comment on table subledger.run_chunks is 'The work of a run: a few hundred subscriptions of one app each';
comment on column subledger.run_chunks.run_id is 'The run';
comment on column subledger.run_chunks.chunk_no is 'Order of work: those whose access ends soonest first';
comment on column subledger.run_chunks.app_id is 'The app of all its subscriptions';
comment on column subledger.run_chunks.subscription_keys is 'The subscriptions to ask about';
comment on column subledger.run_chunks.remaining_keys is 'Those of its subscriptions that are still to be asked, once others are loaded; NULL: all of them, or none';
comment on column subledger.run_chunks.state is 'pending, leased, done, or abandoned with its stopped app';
comment on column subledger.run_chunks.generation is 'Fence: raised by each claim, checked by the commit';
comment on column subledger.run_chunks.leased_by is 'Worker that leased it';
comment on column subledger.run_chunks.leased_until is 'End of the lease by the database clock';
comment on column subledger.run_chunks.attempts is 'Claims so far';
comment on column subledger.run_chunks.expected is 'Rows that were to be staged';
comment on column subledger.run_chunks.staged is 'Rows found in staging';
comment on column subledger.run_chunks.changed is 'Transactions that changed';
comment on column subledger.run_chunks.loads is 'Numbers of the loads that are in, drawn by the loaders: a commit whose answer was lost is looked up here';
comment on column subledger.run_chunks.counts is 'What the chunk did: checked, renewed, ended, refunded and so on';
