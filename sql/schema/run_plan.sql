-- Which chunk of an open run holds which subscription, so that planning again finds each by its key. Its rows go when the run ends.
-- Grain: one row per subscription and chunk; at most two chunks of a run hold the same subscription, but for those that share a
-- receipt.
create table subledger.run_plan (
    run_id bigint not null,
    subscription_key bigint not null,
    chunk_no integer not null,
    constraint run_plan_pkey primary key (run_id, subscription_key, chunk_no)
);

comment on table subledger.run_plan is 'What an open run has planned, one row per subscription and chunk';
comment on column subledger.run_plan.run_id is 'The open run';
comment on column subledger.run_plan.subscription_key is 'The subscription that is asked about';
comment on column subledger.run_plan.chunk_no is 'The chunk it is asked about in';
