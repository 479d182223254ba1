-- Failed checks of a run that may be a wrong setting's fault: neither booked nor set aside until that is decided. Grain: one row per load.
create table subledger.deferred_checks (
    run_id bigint not null references subledger.runs,
    chunk_no integer not null,
    load bigint not null,
    app_id text not null,
    subscription_keys bigint[] not null,
    counts jsonb not null,
    rows text not null,
    constraint deferred_checks_pkey primary key (run_id, chunk_no, load)
);

comment on table subledger.deferred_checks is 'Failed checks of a run that may be a wrong setting''s fault: neither booked nor set aside until that is decided';
comment on column subledger.deferred_checks.run_id is 'The run';
comment on column subledger.deferred_checks.chunk_no is 'The chunk that they are of, which is done without them';
comment on column subledger.deferred_checks.load is 'Number of the load that brought the rest of the chunk, or of this part of it';
comment on column subledger.deferred_checks.app_id is 'The app';
comment on column subledger.deferred_checks.subscription_keys is 'The subscriptions that were asked about';
comment on column subledger.deferred_checks.counts is 'How the checks ended, by the names that a chunk counts them by';
comment on column subledger.deferred_checks.rows is 'What is loaded of them if each is what it seems, as JSON';
